package io.weir.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.ledger.Delivery;
import io.weir.core.ledger.FileMeasure;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.metric.Stage;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Dispatch.Kind;
import io.weir.core.run.Failure;
import io.weir.core.run.Operator;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.RunState;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/** Books with runs in every state, by several ways, each under a name. */
final class EveryState {
    private static final Operator KIM = new Operator("kim", "not needed");
    private static final Failure FAILURE = new Failure("TEST", "X", "made up");

    private final OwnBooks books;
    private final BookLedger ledger;
    private final Map<String, RunScript> runs = new LinkedHashMap<>();

    private EveryState(OwnBooks books) {
        this.books = books;
        this.ledger = books.ledger;
    }

    static Map<String, RunScript> in(OwnBooks books) {
        EveryState every = new EveryState(books);
        every.auditing();
        every.publishing();
        every.succeeded();
        every.failed();
        every.cuts();
        every.outbox();
        every.reading();
        Set<RunState> states = every.runs.values().stream()
                .map(script -> script.run().state())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(states).containsExactly(RunState.values());
        return every.runs;
    }

    private RunScript named(String name, RunScript script) {
        runs.put(name, script);
        return script;
    }

    /** Last, so that no sweep takes long for the end of a lease. */
    private void reading() {
        RunScript reissued = named("reissued", books.created().register(2).hold());
        report(reissued.claim());
        books.endClaims(reissued);
        assertThat(books.sweep(reissued)).containsExactly("partition_reissued");
        named("created", books.created());
        RunScript extracting = named("extracting", books.created().register(3).hold());
        extracting.complete(extracting.claim());
        report(extracting.claim());
        named("extracted", books.extracted());
    }

    /** One chunk, not the last. */
    private void report(WorkOrder order) {
        ledger.reportChunks(order.claim(), List.of(RunScript.chunk(0, 4, false)));
    }

    private void auditing() {
        named("validating", books.validating()).measure();
        named("validated", books.validated());
        named("toPublish", books.validated()).start(Kind.PUBLISH_RUN);
        RunScript lost = named("auditLost", books.validating());
        books.endLease(lost);
        assertThat(books.sweep(lost)).containsExactly("lease_lost");
    }

    private void publishing() {
        RunScript publishing = named("publishing", books.validated()).start(Kind.PUBLISH_RUN);
        ledger.claimPublish(publishing.attempt());
        RunScript unknown = named("unknown", books.validated()).start(Kind.PUBLISH_RUN);
        ledger.claimPublish(unknown.attempt());
        books.endLease(unknown);
        assertThat(books.sweep(unknown)).containsExactly("lease_lost");
        named("published", books.validated()).publish();
        RunScript absent = named("absent", books.validated()).start(Kind.PUBLISH_RUN);
        PublishAttempt open = ledger.claimPublish(absent.attempt());
        ledger.publishResult(open, PublishOutcome.UNKNOWN, null, "no reply");
        absent.start(Kind.RESOLVE_RUN);
        ledger.publishResult(open, PublishOutcome.ABSENT, null, "not on main");
    }

    /** With a lost claim, an audit that failed first, and four attempts. */
    private void succeeded() {
        RunScript success = named("success", books.created().register(3).hold());
        report(success.claim());
        books.endClaims(success);
        assertThat(books.sweep(success)).containsExactly("partition_reissued");
        success.extract().start(Kind.VALIDATE_RUN);
        ledger.openAttempt(success.id, 99, UUID.randomUUID());
        success.stage();
        List<FileMeasure> tampered = new ArrayList<>(success.measuredFiles());
        tampered.set(0, new FileMeasure(tampered.get(0).path(), RunScript.balance(3)));
        assertThat(ledger.recordFiles(success.id, tampered).passed()).isFalse();
        success.pass().start(Kind.PUBLISH_RUN);
        PublishAttempt open = ledger.claimPublish(success.attempt());
        PublishAttempt renewed = ledger.renewAttempt(open, 101, UUID.randomUUID());
        ledger.recordStaged(renewed, 201);
        ledger.publishResult(renewed, PublishOutcome.UNKNOWN, null, "no reply");
        ledger.publishResult(renewed, PublishOutcome.PUBLISHED, 301L, "seen");
        assertThat(success.confirm().passed()).isTrue();
        ledger.recordCleaned(success.id);
        named("simple", books.validated()).publish().confirm();
    }

    private void failed() {
        RunScript manifest = named("failedManifest", books.created());
        RunsTest.assertCode(
                () -> ledger.registerManifest(manifest.id, RunScript.manifest(1, 9, 10L)),
                ErrorCode.MANIFEST_INVALID);
        RunScript extract = named("failedExtract", books.created().register(2));
        report(extract.claim());
        ledger.failPartition(extract.claim().claim(), FAILURE);
        RunScript rows = named("wrongRows", books.created());
        ledger.registerManifest(rows.id, RunScript.manifest(1, 11, null));
        rows.complete(rows.claim());
        fail(
                named("failedSnapshot", books.created().register(1)),
                RunState.EXTRACTING,
                RunState.FAILED_SNAPSHOT_EXPIRED);
        fail(
                named("failedStage", books.validating()),
                RunState.STAGE_VALIDATING,
                RunState.FAILED_STAGE_VALIDATION);
        RunScript publish = named("failedPublish", books.validated()).start(Kind.PUBLISH_RUN);
        PublishAttempt open = ledger.claimPublish(publish.attempt());
        ledger.publishResult(open, PublishOutcome.FAILED, null, "the catalog said no");
        RunScript target = named("failedTarget", books.validated()).publish();
        target.start(Kind.CONFIRM_RUN);
        ledger.recordMetrics(target.id, Stage.TARGET, target.measures().subList(1, 3));
        fail(target, RunState.PUBLISHED, RunState.FAILED_TARGET_VALIDATION);
        RunScript stale =
                named("timedOut", books.created(RecoveryMode.FAIL).register(2).hold());
        report(stale.claim());
        books.endClaims(stale);
        assertThat(books.sweep(stale)).containsExactly("partition_stale");
        ledger.cancelRun(named("cancelled", books.validated()).id, RunState.STAGING_VALIDATED, KIM);
    }

    private void fail(RunScript script, RunState expected, RunState failState) {
        ledger.failRun(script.id, expected, failState, FAILURE);
    }

    private void cuts() {
        List<RunScript> whole = cut("cut", 3);
        whole.forEach(
                script -> script.register(1).extract().start(Kind.VALIDATE_RUN).pass());
        whole.forEach(RunScript::publish);
        whole.forEach(RunScript::confirm);
        List<RunScript> waiting = cut("waiting", 2);
        waiting.get(0).register(1).extract().start(Kind.VALIDATE_RUN).pass();
        List<RunScript> broken = cut("broken", 2);
        broken.get(0).register(1).extract().start(Kind.VALIDATE_RUN).pass();
        ledger.cancelRun(broken.get(1).id, RunState.CREATED, KIM);
        List<RunScript> torn = cut("torn", 2);
        torn.forEach(
                script -> script.register(1).extract().start(Kind.VALIDATE_RUN).pass());
        torn.get(0).publish().confirm();
        ledger.cancelRun(torn.get(1).id, RunState.STAGING_VALIDATED, KIM);
    }

    private List<RunScript> cut(String name, int tables) {
        List<RunScript> cut = books.cut(tables);
        for (int i = 0; i < tables; i++) {
            named(name + i, cut.get(i));
        }
        return cut;
    }

    private void outbox() {
        deliver(named("sent", books.extracted()), Delivery.ACCEPTED);
        deliver(named("postponed", books.extracted()), Delivery.postponed("busy"));
        deliver(named("dead", books.extracted()), Delivery.refused("nonsense"));
        RunScript resent = named("resent", books.extracted());
        deliver(resent, Delivery.refused("nonsense"));
        Dispatch dead = ledger.detail(resent.id).dispatches().get(0);
        ledger.resendDispatch(resent.id, dead.id(), KIM);
    }

    private void deliver(RunScript script, Delivery delivery) {
        for (Dispatch leased : ledger.leaseDispatches(1_000)) {
            boolean mine = leased.runId().equals(script.id);
            ledger.settleDispatch(leased, mine ? delivery : Delivery.declined("not here"));
        }
    }
}
