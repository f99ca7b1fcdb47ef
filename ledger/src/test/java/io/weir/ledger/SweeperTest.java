package io.weir.ledger;

import static io.weir.ledger.RunsTest.assertCode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.weir.core.error.ErrorCode;
import io.weir.core.ledger.Progress;
import io.weir.core.ledger.SweepReport;
import io.weir.core.ledger.SweepReport.Action;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.run.Dispatch.Kind;
import io.weir.core.run.RunState;
import io.weir.ledger.books.Books;
import io.weir.ledger.books.Transactions;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Who sweeps when, and what a sweeper must not do. */
class SweeperTest {
    private static final int SECONDS_MAX = 60;
    private static final Duration GRACE = Duration.ofSeconds(30);

    private final OwnBooks books = OwnBooks.open();

    @AfterEach
    void close() {
        books.close();
    }

    @Test
    void declaresNothingLostRightAfterItsStart() {
        RunScript script = books.created();
        books.endLease(script);
        ShiftedBooks clock = new ShiftedBooks(books.transactions());
        BookLedger fresh = new BookLedger(clock, OwnBooks.SETTINGS.withGrace(GRACE));

        assertThat(fresh.sweep()).isEqualTo(new SweepReport(false, List.of()));
        clock.move(GRACE.minusNanos(1000));
        assertThat(fresh.sweep()).isEqualTo(new SweepReport(false, List.of()));
        assertThat(script.run().state()).isEqualTo(RunState.CREATED);
        clock.move(Duration.ofNanos(1000));

        assertThat(OwnBooks.rules(fresh.sweep(), script)).containsExactly("lease_lost");
    }

    @Test
    void doesNotKeepOthersFromSweepingWhileItWaits() {
        RunScript script = books.created();
        books.endLease(script);
        BookLedger fresh = books.process(OwnBooks.SETTINGS.withGrace(GRACE));
        assertThat(fresh.sweep().ran()).isFalse();

        assertThat(books.sweep(script)).containsExactly("lease_lost");
    }

    @Test
    void declaresNothingLostRightAfterTheLedgerWasAway() {
        ShiftedBooks clock = new ShiftedBooks(books.transactions());
        BookLedger sweeper = new BookLedger(clock, OwnBooks.SETTINGS.withGrace(GRACE));
        sweeper.sweep();
        clock.move(GRACE);
        assertThat(sweeper.sweep().ran()).isTrue();
        RunScript script = books.created();
        clock.setReachable(false);
        assertCode(sweeper::sweep, ErrorCode.LEDGER_UNREACHABLE).isNotEmpty();
        clock.move(Duration.ofHours(1));
        clock.setReachable(true);

        // Its coordinator could not give a sign for an hour, and gets the time to give one.
        assertThat(sweeper.sweep().ran()).isFalse();
        new BookLedger(clock, OwnBooks.SETTINGS).heartbeatRun(script.id, null);
        clock.move(GRACE);

        assertThat(sweeper.sweep()).isEqualTo(new SweepReport(true, List.of()));
        assertThat(script.run().state()).isEqualTo(RunState.CREATED);
    }

    @Test
    void oneProcessSweepsUntilItIsLost() {
        BookLedger first = books.process(OwnBooks.SETTINGS);
        BookLedger second = books.process(OwnBooks.SETTINGS);

        assertThat(first.sweep().ran()).isTrue();
        assertThat(second.sweep().ran()).isFalse();
        assertThat(first.sweep().ran()).isTrue();
        books.endSweeper();
        assertThat(second.sweep().ran()).isTrue();
        assertThat(first.sweep().ran()).isFalse();
    }

    @Test
    void sweepersAtOnceActOnce() throws Exception {
        List<RunScript> scripts = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            RunScript script = books.created().register(1).hold();
            script.claim();
            books.endClaims(script);
            scripts.add(script);
        }
        List<Callable<SweepReport>> calls = new ArrayList<>();
        for (int process = 0; process < 4; process++) {
            BookLedger ledger = books.process(OwnBooks.SETTINGS);
            for (int i = 0; i < 3; i++) {
                calls.add(() -> {
                    // Each takes the place of the one before, so that they really meet.
                    books.endSweeper();
                    return ledger.sweep();
                });
            }
        }

        List<SweepReport> reports = AtOnce.call(calls);

        List<Action> actions =
                reports.stream().flatMap(report -> report.actions().stream()).toList();
        assertThat(actions)
                .extracting(Action::rule)
                .containsOnly("partition_reissued")
                .hasSize(6);
        assertThat(actions).extracting(Action::runId).doesNotHaveDuplicates();
        for (RunScript script : scripts) {
            assertThat(books.ledger.events(script.id))
                    .filteredOn(event -> event.name().equals("PARTITION_REISSUED"))
                    .hasSize(1);
        }
    }

    @Test
    void aPausedSweeperThatWakesDoesNothingThatIsNotDueThen() throws Exception {
        RunScript slow = books.created().register(1).hold();
        WorkOrder order = slow.claim();
        RunScript audited = books.validating();
        RunScript taken = books.created().register(1).hold();
        taken.claim();
        RunScript ended = books.created();
        for (RunScript script : List.of(slow, audited, taken, ended)) {
            books.endLease(script);
            books.endClaims(script);
        }
        Paused transactions = new Paused(books.transactions());
        BookLedger sweeper = new BookLedger(transactions, OwnBooks.SETTINGS);
        CompletableFuture<SweepReport> sweep = CompletableFuture.supplyAsync(sweeper::sweep);
        assertThat(transactions.listed.await(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();

        // Meanwhile the slow ones give a sign, and another sweeper does the rest.
        books.ledger.heartbeat(order.claim(), new Progress(1, 1));
        books.ledger.heartbeatRun(slow.id, null);
        books.ledger.heartbeatRun(audited.id, audited.run().owner());
        books.ledger.heartbeatRun(taken.id, null);
        books.endSweeper();
        SweepReport meanwhile = books.ledger.sweep();
        assertThat(OwnBooks.rules(meanwhile, taken)).containsExactly("partition_reissued");
        assertThat(OwnBooks.rules(meanwhile, ended)).containsExactly("lease_lost");
        WorkOrder second = taken.claim();
        transactions.go.countDown();
        SweepReport late = sweep.get(SECONDS_MAX, TimeUnit.SECONDS);

        assertThat(late).isEqualTo(new SweepReport(true, List.of()));
        assertThat(taken.complete(second).runState()).isEqualTo(RunState.EXTRACTED_VALIDATED);
        assertThat(slow.complete(order).runState()).isEqualTo(RunState.EXTRACTED_VALIDATED);
        assertThat(audited.run().state()).isEqualTo(RunState.STAGE_VALIDATING);
    }

    /** Stops a sweeper between its list of runs and the first of them. */
    private record Paused(Transactions inner, CountDownLatch listed, CountDownLatch go)
            implements Transactions {
        Paused(Transactions inner) {
            this(inner, new CountDownLatch(1), new CountDownLatch(1));
        }

        @Override
        public <T> T run(String action, Function<Books, T> work) {
            return inner.run(action, work);
        }

        @Override
        public <T> T read(String action, Function<Books, T> work) {
            T result = inner.read(action, work);
            listed.countDown();
            try {
                assertThat(go.await(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return result;
        }
    }

    @Test
    void aRunThatTheDatabaseRefusesDoesNotKeepTheOthers() {
        RunScript cursed = books.created();
        RunScript other = books.created();
        books.endLease(cursed);
        books.endLease(other);
        books.update("create function weir.curse() returns trigger language plpgsql as $$"
                + " begin raise exception 'cursed'; end $$");
        books.update("create trigger curse before update on weir.run for each row"
                + " when (old.id = '" + cursed.id + "') execute function weir.curse()");

        SweepReport report = books.ledger.sweep();

        assertThat(report.actions())
                .containsExactly(
                        new Action(
                                cursed.id,
                                "failed",
                                "Cannot look after run " + cursed.id
                                        + ": ERROR: cursed (sqlstate=P0001)"),
                        new Action(other.id, "lease_lost", ""));
        assertThat(cursed.run().state()).isEqualTo(RunState.CREATED);
        assertThat(other.run().state()).isEqualTo(RunState.TIMED_OUT);
    }

    @Test
    void aRunThatCannotBeReadDoesNotKeepTheOthers() {
        RunScript broken = books.created();
        RunScript other = books.extracted().start(Kind.VALIDATE_RUN);
        books.endLease(other);
        books.update("update weir.run set losses = '[]' where id = ?", broken.id.value());
        books.update("update weir.run set read_options = '{}' where id = ?", broken.id.value());

        SweepReport report = books.ledger.sweep();

        assertThat(report.actions())
                .extracting(Action::runId, Action::rule)
                .containsExactly(tuple(broken.id, "failed"), tuple(other.id, "lease_lost"));
        assertThat(report.actions().get(0).error()).contains(broken.id.toString());
    }
}
