package io.weir.ledger;

import static io.weir.ledger.RunsTest.assertCode;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.ledger.Delivery;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Dispatch.Kind;
import io.weir.core.run.Event;
import io.weir.core.run.Failure;
import io.weir.core.run.Operator;
import io.weir.core.run.RunState;
import io.weir.ledger.dispatch.DispatchCommand.DispatchRules;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;

/** Rows of the outbox are delivered at least once and start one step at most. */
class OutboxTest {
    private static final OwnBooks BOOKS = OwnBooks.open();
    private static final Operator KIM = new Operator("kim", "the receiver is back");
    private static final Failure FAILURE = new Failure("STAGE", "X", "x");

    private final BookLedger ledger = BOOKS.ledger;

    @AfterAll
    static void close() {
        BOOKS.close();
    }

    @Test
    void dispatchersNeverLeaseTheSameRow() throws Exception {
        List<UUID> rows = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            rows.add(BOOKS.extracted().open(Kind.VALIDATE_RUN).id());
        }
        List<Callable<List<UUID>>> calls = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            BookLedger process = BOOKS.process(OwnBooks.SETTINGS);
            calls.add(() -> leaseAll(process));
        }

        List<UUID> leased = AtOnce.call(calls).stream().flatMap(List::stream).toList();

        assertThat(leased).doesNotHaveDuplicates().containsAll(rows);
    }

    private static List<UUID> leaseAll(BookLedger process) {
        List<UUID> all = new ArrayList<>();
        List<Dispatch> some = process.leaseDispatches(2);
        while (!some.isEmpty()) {
            some.forEach(dispatch -> all.add(dispatch.id()));
            some = process.leaseDispatches(2);
        }
        return all;
    }

    @Test
    void takesTheLongestDueFirstAndNoMoreThanAsked() {
        RunScript first = BOOKS.extracted();
        RunScript second = BOOKS.extracted();
        setDue(first, "1 hour");
        setDue(second, "2 hours");

        assertThat(ledger.leaseDispatches(1))
                .extracting(Dispatch::runId)
                .containsExactly(second.id);
        assertThat(ledger.leaseDispatches(1)).extracting(Dispatch::runId).containsExactly(first.id);
    }

    private static void setDue(RunScript script, String ago) {
        BOOKS.update(
                "update weir.dispatch set due_at = clock_timestamp() - cast(? as interval)"
                        + " where run_id = ?",
                ago,
                script.id.value());
    }

    @Test
    void aDeliveryWhoseLeaseEndedIsDoneAgain() {
        RunScript script = BOOKS.extracted();
        Dispatch lost = lease(script);
        assertThat(lost.attempts()).isEqualTo(1);
        assertThat(leased(script)).isEmpty();
        BOOKS.endPause(script);

        Dispatch again = lease(script);
        ledger.settleDispatch(lost, Delivery.refused("too late to say so"));

        assertThat(again.attempts()).isEqualTo(2);
        assertThat(again.id()).isEqualTo(lost.id());
        assertThat(script.open(Kind.VALIDATE_RUN)).isEqualTo(again);
        ledger.settleDispatch(again, Delivery.ACCEPTED);
        assertThat(script.open(Kind.VALIDATE_RUN).state()).isEqualTo(DispatchState.SENT);
    }

    @Test
    void aStartBeforeTheReceiptStaysAStart() {
        RunScript script = BOOKS.extracted();
        Dispatch leased = lease(script);
        assertThat(ledger.startStep(script.id, leased.id(), "w1")).isTrue();

        ledger.settleDispatch(leased, Delivery.ACCEPTED);

        assertThat(script.outbox()).containsExactly("VALIDATE_RUN 1 ACKED");
        assertThat(ledger.startStep(script.id, leased.id(), "w1")).isTrue();
        assertThat(script.run().owner()).isEqualTo("w1");
    }

    @Test
    void pausesDoubleUpToTheLongestAndTheLastFailureIsTheEnd() {
        RunScript script = BOOKS.extracted();
        BookLedger process = BOOKS.process(OwnBooks.SETTINGS.withDispatch(
                Duration.ofSeconds(60),
                new DispatchRules(
                        6, Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofMinutes(2))));
        List<Long> pauses = new ArrayList<>();
        for (int attempt = 1; attempt <= 5; attempt++) {
            BOOKS.endPause(script);
            process.settleDispatch(lease(script), Delivery.postponed("busy"));
            Dispatch row = script.open(Kind.VALIDATE_RUN);
            assertThat(row.attempts()).isEqualTo(attempt);
            assertThat(row.lastError()).isEqualTo("busy");
            pauses.add(Duration.between(lastEvent(script).at(), row.dueAt()).toSeconds());
        }

        assertThat(pauses).containsExactly(5L, 10L, 20L, 30L, 30L);
        assertThat(leased(script)).isEmpty();
        BOOKS.endPause(script);
        process.settleDispatch(lease(script), Delivery.postponed("busy"));
        assertThat(script.outbox()).containsExactly("VALIDATE_RUN 1 DEAD");
        BOOKS.endPause(script);
        assertThat(leased(script)).isEmpty();
    }

    @Test
    void whoCannotDoItCostsNoAttemptAndAnotherTakesIt() {
        RunScript script = BOOKS.extracted();
        Dispatch mine = lease(script);

        ledger.settleDispatch(mine, Delivery.declined("not my source"));

        Dispatch row = script.open(Kind.VALIDATE_RUN);
        assertThat(row.attempts()).isZero();
        assertThat(row.lastError()).isEqualTo("not my source");
        assertThat(Duration.between(lastEvent(script).at(), row.dueAt())).hasSeconds(5);
        BOOKS.endPause(script);
        Dispatch other = lease(script);
        assertThat(other.attempts()).isEqualTo(1);

        // The reply to the first call was lost, so it comes again: it is not about this delivery.
        ledger.settleDispatch(mine, Delivery.declined("not my source"));
        assertThat(script.open(Kind.VALIDATE_RUN)).isEqualTo(other);
        ledger.settleDispatch(other, Delivery.ACCEPTED);
        assertThat(script.outbox()).containsExactly("VALIDATE_RUN 1 SENT");
    }

    @Test
    void anOperatorSendsWhatIsDeadAgain() {
        RunScript script = BOOKS.extracted();
        Dispatch leased = lease(script);
        ledger.settleDispatch(leased, Delivery.refused("no such job"));
        assertThat(script.outbox()).containsExactly("VALIDATE_RUN 1 DEAD");

        Dispatch resent = ledger.resendDispatch(script.id, leased.id(), KIM);

        assertThat(resent.state()).isEqualTo(DispatchState.PENDING);
        assertThat(resent.attempts()).isZero();
        assertThat(resent.lastError()).isEqualTo("no such job");
        Event event = lastEvent(script);
        assertThat(event.name()).isEqualTo("OPERATOR_RESENT");
        assertThat(event.details().get("operator").toString())
                .isEqualTo("{\"name\":\"kim\",\"reason\":\"the receiver is back\"}");
        assertThat(lease(script).attempts()).isEqualTo(1);
        assertCode(
                        () -> ledger.resendDispatch(script.id, leased.id(), KIM),
                        ErrorCode.RUN_STATE_MISMATCH)
                .startsWith("Cannot send again dispatch " + leased.id() + " of run " + script.id
                        + ": it is in another state (kind=VALIDATE_RUN, state=PENDING");
    }

    @Test
    void aStepWhoseRowIsDeadCanStillBeStartedByWhoGotIt() {
        RunScript script = BOOKS.extracted();
        Dispatch leased = lease(script);
        ledger.settleDispatch(leased, Delivery.refused("connection cut after the request"));

        assertThat(ledger.startStep(script.id, leased.id(), "w1")).isTrue();

        assertThat(script.outbox()).containsExactly("VALIDATE_RUN 1 ACKED");
        assertThat(script.run().state()).isEqualTo(RunState.STAGE_VALIDATING);
    }

    @Test
    void theRowOfARunThatEndedIsCancelledAndStartsNothing() {
        RunScript script = BOOKS.extracted();
        Dispatch leased = lease(script);
        ledger.failRun(script.id, RunState.EXTRACTED_VALIDATED, RunState.FAILED_EXTRACT, FAILURE);
        assertThat(script.outbox()).containsExactly("VALIDATE_RUN 1 CANCELLED");
        int events = ledger.events(script.id).size();

        ledger.settleDispatch(leased, Delivery.ACCEPTED);
        assertThat(ledger.startStep(script.id, leased.id(), "w1")).isFalse();

        BOOKS.endPause(script);
        assertThat(leased(script)).isEmpty();
        assertThat(script.outbox()).containsExactly("VALIDATE_RUN 1 CANCELLED");
        assertThat(ledger.events(script.id)).hasSize(events);
    }

    @Test
    void nothingIsSentAgainForARunThatEnded() {
        RunScript script = BOOKS.extracted();
        Dispatch leased = lease(script);
        ledger.settleDispatch(leased, Delivery.refused("no such job"));
        ledger.failRun(script.id, RunState.EXTRACTED_VALIDATED, RunState.FAILED_EXTRACT, FAILURE);

        assertCode(
                        () -> ledger.resendDispatch(script.id, leased.id(), KIM),
                        ErrorCode.RUN_STATE_MISMATCH)
                .isEqualTo("Cannot send dispatch " + leased.id() + " of run " + script.id
                        + " again: the run does not wait for it (kind=VALIDATE_RUN, cycle=1,"
                        + " run state=FAILED_EXTRACT)");

        assertThat(script.outbox()).containsExactly("VALIDATE_RUN 1 DEAD");
        assertThat(ledger.startStep(script.id, leased.id(), "w1")).isFalse();
    }

    @Test
    void nothingIsSentAgainThatAnotherRowAsksForMeanwhile() {
        RunScript script = BOOKS.validated();
        Dispatch dead = lease(script);
        ledger.settleDispatch(dead, Delivery.refused("no such job"));
        // Whoever stages again is alive, so somebody is called once more.
        ledger.recordStaged(ledger.openAttempt(script.id, 100, UUID.randomUUID()), 201);
        assertThat(script.outbox()).endsWith("PUBLISH_RUN 1 DEAD", "PUBLISH_RUN 2 PENDING");

        assertCode(
                        () -> ledger.resendDispatch(script.id, dead.id(), KIM),
                        ErrorCode.RUN_STATE_MISMATCH)
                .endsWith("again: the run does not wait for it (kind=PUBLISH_RUN, cycle=1,"
                        + " run state=STAGING_VALIDATED)");
        assertThat(ledger.startStep(script.id, dead.id(), "w1")).isFalse();

        assertThat(script.start(Kind.PUBLISH_RUN).outbox())
                .endsWith("PUBLISH_RUN 1 DEAD", "PUBLISH_RUN 2 ACKED");
    }

    @Test
    void aLateStartOfAnOldRowStartsNothing() {
        RunScript script = BOOKS.extracted();
        Dispatch old = script.open(Kind.VALIDATE_RUN);
        script.start(Kind.VALIDATE_RUN);
        BOOKS.endLease(script);
        assertThat(BOOKS.sweep(script)).containsExactly("lease_lost");

        assertThat(ledger.startStep(script.id, old.id(), "owner of VALIDATE_RUN"))
                .isFalse();
        assertThat(ledger.startStep(script.id, old.id(), "another")).isFalse();

        assertThat(script.outbox())
                .containsExactly("VALIDATE_RUN 1 ACKED", "VALIDATE_RUN 2 PENDING");
        assertThat(script.run().state()).isEqualTo(RunState.EXTRACTED_VALIDATED);
        // Nor once somebody of the same name does the step under the new row.
        script.start(Kind.VALIDATE_RUN);
        assertThat(ledger.startStep(script.id, old.id(), "owner of VALIDATE_RUN"))
                .isFalse();
        script.pass();
        assertThat(ledger.startStep(script.id, old.id(), "owner of VALIDATE_RUN"))
                .isFalse();
    }

    @RepeatedTest(3)
    void eightStartsAtOnceHaveOneOwner() throws Exception {
        RunScript script = BOOKS.validated();
        UUID row = script.open(Kind.PUBLISH_RUN).id();
        List<Callable<Boolean>> calls = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String owner = "w" + i;
            calls.add(() -> ledger.startStep(script.id, row, owner));
        }

        List<Boolean> started = AtOnce.call(calls);

        assertThat(started).filteredOn(mine -> mine).hasSize(1);
        assertThat(script.run().owner()).isEqualTo("w" + started.indexOf(true));
        assertThat(ledger.events(script.id))
                .filteredOn(event -> event.name().equals("PUBLISH_RUN_STARTED"))
                .hasSize(1);
    }

    @Test
    void saysWhichDispatchDoesNotExist() {
        RunScript script = BOOKS.extracted();
        UUID other = BOOKS.extracted().open(Kind.VALIDATE_RUN).id();
        String message = "Cannot find dispatch " + other + " of run " + script.id
                + ": the run has no such dispatch";

        assertCode(() -> ledger.startStep(script.id, other, "w"), ErrorCode.DISPATCH_NOT_FOUND)
                .isEqualTo(message);
        assertCode(() -> ledger.resendDispatch(script.id, other, KIM), ErrorCode.DISPATCH_NOT_FOUND)
                .isEqualTo(message);
    }

    private Dispatch lease(RunScript script) {
        List<Dispatch> leased = leased(script);
        assertThat(leased).hasSize(1);
        return leased.get(0);
    }

    /** Rows of other tests are leased as well; nobody waits for them any more. */
    private List<Dispatch> leased(RunScript script) {
        return ledger.leaseDispatches(1000).stream()
                .filter(dispatch -> dispatch.runId().equals(script.id))
                .toList();
    }

    private Event lastEvent(RunScript script) {
        List<Event> events = ledger.events(script.id);
        return events.get(events.size() - 1);
    }
}
