package io.weir.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.Delivery;
import io.weir.core.ledger.FileMeasure;
import io.weir.core.ledger.Progress;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Dispatch.Kind;
import io.weir.core.run.Failure;
import io.weir.core.run.Operator;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** Goal: no column ever changes without an event. Method: fold the events, ask PostgreSQL. */
class ReplayTest {
    private static final OwnBooks BOOKS = OwnBooks.open();

    private final BookLedger ledger = BOOKS.ledger;

    @AfterAll
    static void close() {
        BOOKS.close();
    }

    @Test
    void eventsOfASuccessfulRunFoldToItsRows() {
        RunScript script = BOOKS.created().register(3).hold();
        WorkOrder lost = script.claim();
        ledger.heartbeat(lost.claim(), new Progress(3, 30));
        ledger.reportChunks(lost.claim(), List.of(RunScript.chunk(0, 4, false)));
        BOOKS.endClaims(script);
        assertThat(BOOKS.sweep(script)).containsExactly("partition_reissued");
        script.extract();
        ledger.heartbeatRun(script.id, null);
        script.start(Kind.VALIDATE_RUN);
        ledger.openAttempt(script.id, 99, UUID.randomUUID());
        script.stage();
        List<FileMeasure> tampered = new ArrayList<>(script.measuredFiles());
        tampered.set(0, new FileMeasure(tampered.get(0).path(), RunScript.balance(3)));
        ledger.recordFiles(script.id, tampered);
        script.pass().start(Kind.PUBLISH_RUN);
        PublishAttempt open = ledger.claimPublish(script.attempt());
        PublishAttempt renewed = ledger.renewAttempt(open, 101, UUID.randomUUID());
        ledger.recordStaged(renewed, 201);
        ledger.publishResult(renewed, PublishOutcome.UNKNOWN, null, "no reply");
        ledger.publishResult(renewed, PublishOutcome.PUBLISHED, 301L, "seen");
        assertThat(script.confirm().passed()).isTrue();
        ledger.recordCleaned(script.id);

        assertThat(script.run().state()).isEqualTo(RunState.SUCCESS);
        assertThat(script.outbox())
                .containsExactly(
                        "VALIDATE_RUN 1 ACKED",
                        "PUBLISH_RUN 1 ACKED",
                        "RESOLVE_RUN 1 CANCELLED",
                        "CONFIRM_RUN 1 ACKED");
        assertReplays(script.id, 32);
    }

    @Test
    void eventsOfBatchesFoldToTheirRows() {
        RunScript script = BOOKS.created().register(1);
        WorkOrder order = script.claim();
        ledger.reportChunks(order.claim(), chunks(0, 3));
        ledger.reportChunks(order.claim(), chunks(1, 5));
        ledger.reportChunks(order.claim(), chunks(5, 6));

        assertThat(ledger.events(script.id))
                .filteredOn(event -> event.name().equals("CHUNKS_REPORTED"))
                .extracting(event -> event.details().fieldNames().next())
                .containsExactlyInAnyOrder("chunks/0000/1", "chunks/0000/1", "chunk/0000/1/5");
        assertReplays(script.id, 11);
    }

    private static List<ChunkReport> chunks(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(index -> RunScript.chunk(index, index + 1, false))
                .toList();
    }

    @Test
    void eventsOfLostStepsFoldToTheirRows() {
        RunScript script = BOOKS.validating();
        BOOKS.endLease(script);
        assertThat(BOOKS.sweep(script)).containsExactly("lease_lost");
        BOOKS.endPause(script);
        deliver(script, Delivery.postponed("busy"));
        BOOKS.endPause(script);
        deliver(script, Delivery.declined("another source"));
        BOOKS.endPause(script);
        deliver(script, Delivery.refused("nonsense"));
        Dispatch dead = last(script);
        ledger.resendDispatch(script.id, dead.id(), new Operator("kim", "the receiver is back"));
        deliver(script, Delivery.ACCEPTED);
        assertThat(script.outbox()).containsExactly("VALIDATE_RUN 1 ACKED", "VALIDATE_RUN 2 SENT");
        script.start(Kind.VALIDATE_RUN).pass().start(Kind.PUBLISH_RUN);
        PublishAttempt open = ledger.claimPublish(script.attempt());
        BOOKS.endLease(script);
        assertThat(BOOKS.sweep(script)).containsExactly("lease_lost");
        script.start(Kind.RESOLVE_RUN);
        ledger.publishResult(open, PublishOutcome.ABSENT, null, "not on main");
        ledger.cancelRun(script.id, RunState.STAGING_VALIDATED, new Operator("kim", "not needed"));

        assertThat(script.run().state()).isEqualTo(RunState.CANCELLED);
        assertThat(script.outbox()).endsWith("RESOLVE_RUN 1 ACKED", "PUBLISH_RUN 2 CANCELLED");
        assertThat(ledger.events(script.id))
                .filteredOn(event -> event.details().has("operator"))
                .extracting(event -> event.name() + " " + event.details().get("operator"))
                .containsExactly(
                        "OPERATOR_RESENT {\"name\":\"kim\",\"reason\":\"the receiver is back\"}",
                        "RUN_CANCELLED {\"name\":\"kim\",\"reason\":\"not needed\"}");
        assertReplays(script.id, 18);
    }

    @Test
    void eventsOfACutFoldToItsRows() {
        List<RunScript> cut = BOOKS.cut(2);
        cut.forEach(
                script -> script.register(1).extract().start(Kind.VALIDATE_RUN).pass());
        cut.forEach(RunScript::publish);
        cut.forEach(RunScript::confirm);

        for (RunScript script : cut) {
            assertThat(script.run().state()).isEqualTo(RunState.SUCCESS);
            assertReplays(script.id, 21);
        }
    }

    private void deliver(RunScript script, Delivery delivery) {
        Dispatch leased = ledger.leaseDispatches(100).stream()
                .filter(dispatch -> dispatch.runId().equals(script.id))
                .findFirst()
                .orElseThrow();
        ledger.settleDispatch(leased, delivery);
    }

    private Dispatch last(RunScript script) {
        List<Dispatch> all = ledger.detail(script.id).dispatches();
        return all.get(all.size() - 1);
    }

    @Test
    void eventsOfFailedRunsFoldToTheirRows() {
        RunScript invalid = BOOKS.created();
        try {
            ledger.registerManifest(invalid.id, RunScript.manifest(1, 9, 10L));
        } catch (WeirException e) {
            assertThat(e.code().name()).isEqualTo("MANIFEST_INVALID");
        }
        assertReplays(invalid.id, 1);

        RunScript failed = BOOKS.created().register(3);
        failed.claim();
        ledger.failPartition(failed.claim().claim(), new Failure("EXTRACT", "X", "x"));
        assertReplays(failed.id, 7);

        RunScript abandoned = BOOKS.validated().start(Kind.PUBLISH_RUN);
        ledger.claimPublish(abandoned.attempt());
        BOOKS.endLease(abandoned);
        RunsTest.assertCode(
                        () -> ledger.createRun(RunsTest.withKey(
                                abandoned.request, UUID.randomUUID().toString())),
                        ErrorCode.RUN_UNSETTLED)
                .isNotEmpty();
        assertReplays(abandoned.id, 16);
    }

    private static void assertReplays(RunId id, int rows) {
        Replay.assertReplays(BOOKS, id, rows);
    }
}
