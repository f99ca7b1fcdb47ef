package io.weir.ledger;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.SweepReport;
import io.weir.core.ledger.SweepReport.Action;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Failure;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.core.run.SnapshotToken;
import io.weir.ledger.books.Books;
import io.weir.ledger.books.Steps;
import io.weir.ledger.books.Transactions;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.dispatch.DispatchCommand;
import io.weir.ledger.dispatch.DispatchMachine;
import io.weir.ledger.partition.PartitionCommand;
import io.weir.ledger.partition.PartitionMachine;
import io.weir.ledger.run.RunCommand;
import io.weir.ledger.run.RunMachine;
import io.weir.ledger.run.RunRow;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Looks after what was left behind. Each run is its own transaction, decided anew under its lock:
 * a sweeper that was paused and wakes does nothing that is not due then, and a run that cannot be
 * looked after does not keep the others.
 */
final class Sweeps {
    private static final String LOOP = "sweeper";
    private static final int RUNS_MAX = 10_000;
    private static final int REMOVED_MAX = 10_000;
    private static final Logger LOG = LoggerFactory.getLogger(Sweeps.class);

    private final Transactions transactions;
    private final LedgerSettings settings;
    private final Supplier<UUID> ids;
    private final AtomicReference<@Nullable UUID> self = new AtomicReference<>();
    private final AtomicReference<@Nullable Instant> started = new AtomicReference<>();

    Sweeps(Transactions transactions, LedgerSettings settings) {
        this.transactions = transactions;
        this.settings = settings;
        this.ids = () -> transactions.run("name a sweeper", Books::newId);
    }

    SweepReport sweep() {
        UUID owner = self.get();
        if (owner == null) {
            self.compareAndSet(null, ids.get());
            owner = Objects.requireNonNull(self.get(), "name of this sweeper");
        }
        if (!takes(owner)) {
            return new SweepReport(false, List.of());
        }
        List<Action> actions = new ArrayList<>();
        for (RunId id : transactions.read("list active runs", b -> b.runs().active(RUNS_MAX))) {
            try {
                actions.addAll(transactions.run(
                        "look after run " + id, books -> new Sweep(books, settings).run(id)));
            } catch (WeirException e) {
                actions.add(new Action(id, "failed", e.text()));
            } catch (RuntimeException e) {
                // A row that cannot be read or a fault of ours must not keep the other runs.
                String text = "Cannot look after run " + id + ": " + e;
                actions.add(new Action(id, "failed", text));
            }
        }
        return removed(actions);
    }

    /** Signs of life that nobody asks for any more; what cannot be removed now is removed later. */
    private SweepReport removed(List<Action> actions) {
        try {
            return transactions.run("remove signs that nobody needs", books -> {
                Instant now = books.now();
                Instant worker = now.minus(settings.workerRetention());
                return new SweepReport(
                        true,
                        actions,
                        books.holders().removeEnded(now, REMOVED_MAX),
                        books.workers().removeSeenBefore(worker, REMOVED_MAX));
            });
        } catch (WeirException e) {
            // What was done for the runs is told all the same.
            LOG.atWarn().addKeyValue("code", e.code()).log(e.text());
            return new SweepReport(true, actions);
        }
    }

    /** Whether this process sweeps now. */
    private boolean takes(UUID me) {
        try {
            return transactions.run("take the sweeper", books -> {
                Instant now = books.now();
                started.compareAndSet(null, now);
                Instant first = Objects.requireNonNull(started.get(), "start of this sweeper");
                return !now.isBefore(first.plus(settings.grace()))
                        && books.loops().take(LOOP, me, now, now.plus(settings.claimLease()));
            });
        } catch (WeirException e) {
            // Nobody could give a sign meanwhile: they get the time to do so first.
            started.set(null);
            throw e;
        }
    }

    /** One run in one transaction. */
    private static final class Sweep {
        private final Books books;
        private final LedgerSettings settings;
        private final List<Action> actions = new ArrayList<>();

        Sweep(Books books, LedgerSettings settings) {
            this.books = books;
            this.settings = settings;
        }

        List<Action> run(RunId id) {
            Optional<RunRow> locked = books.runs().lockIfFree(id);
            if (locked.isEmpty() || locked.get().run().state().isTerminal()) {
                return List.of();
            }
            Instant now = books.now();
            RunRow row = locked.get();
            if (moves(row, new RunCommand.Overrun(), now, "run_overran")
                    || breaksWithItsCut(row, now)
                    || (row.run().state() == RunState.EXTRACTING && losesWork(row, now))) {
                return actions;
            }
            Leases.expire(books, row, settings.cyclesMax(), now)
                    .ifPresent(after -> act(id, "lease_lost"));
            Run run = books.findRun(id).run();
            if (run.state().isActive()) {
                sendAgain(run, now);
                if (Steps.repair(books, run, now)) {
                    act(id, "step_asked_again");
                }
            }
            return actions;
        }

        private boolean moves(RunRow row, RunCommand command, Instant now, String rule) {
            Decision<RunRow> decision = RunMachine.decide(row, command, now);
            if (decision.isRefused()
                    || decision.rowOrThrow().run().version() == row.run().version()) {
                return false;
            }
            books.applyDecided(row, decision, now, next -> List.of());
            act(row.run().id(), rule);
            return true;
        }

        private boolean breaksWithItsCut(RunRow row, Instant now) {
            Optional<Run> broken = books.cutOf(row.run()).stream()
                    .filter(run -> run.state().isTerminal() && run.state() != RunState.SUCCESS)
                    .findFirst();
            return broken.isPresent()
                    && moves(row, new RunCommand.BreakCut(broken.get()), now, "cut_broken");
        }

        /** Whether the run ended because of a partition. */
        private boolean losesWork(RunRow row, Instant now) {
            boolean reissue = row.run().recovery() == RecoveryMode.REISSUE;
            PartitionCommand lose = new PartitionCommand.Lose(reissue ? settings.claimsMax() : 1);
            List<Partition> open = books.partitions().lockOpen(row.run().id());
            List<Partition> lost = new ArrayList<>();
            for (Partition partition : open) {
                Decision<Partition> decision = PartitionMachine.decide(partition, lose, now);
                if (decision.isRefused()) {
                    continue;
                }
                if (decision.rowOrThrow().state() == PartitionState.FAILED) {
                    // Before anything is given back: a run is read again whole or not at all.
                    endWith(row, books.apply(partition, decision, now, next -> List.of()), now);
                    return true;
                }
                lost.add(partition);
            }
            for (Partition partition : lost) {
                books.apply(
                        partition,
                        PartitionMachine.decide(partition, lose, now),
                        now,
                        next -> List.of());
                act(row.run().id(), "partition_reissued");
            }
            boolean waiting = !lost.isEmpty()
                    || open.stream().anyMatch(partition -> partition.state().isClaimable());
            return waiting && losesSnapshot(row, now);
        }

        private void endWith(RunRow row, Partition partition, Instant now) {
            boolean reissue = row.run().recovery() == RecoveryMode.REISSUE;
            String message = Objects.requireNonNull(partition.failure(), "failure of a lost claim")
                    .message();
            Failure failure = new Failure(
                    "EXTRACT", reissue ? "REISSUE_ATTEMPTS_EXHAUSTED" : "PARTITION_STALE", message);
            RunCommand command = reissue
                    ? new RunCommand.FailExtract(failure)
                    : new RunCommand.LosePartition(failure);
            books.apply(row, command, now);
            act(row.run().id(), reissue ? "reissues_exhausted" : "partition_stale");
        }

        /** A snapshot that nobody keeps cannot be read any more. */
        private boolean losesSnapshot(RunRow row, Instant now) {
            SnapshotToken snapshot = row.run().snapshot();
            if (snapshot == null || !snapshot.needsHolder()) {
                return false;
            }
            boolean kept = books.holders().ofRun(row.run().id()).stream()
                    .anyMatch(holder -> now.isBefore(holder.leaseUntil()));
            if (kept) {
                return false;
            }
            Failure failure = new Failure(
                    "EXTRACT",
                    ErrorCode.SOURCE_SNAPSHOT_EXPIRED.name(),
                    "Cannot read the rest of run " + row.run().id()
                            + ": no process keeps its snapshot any more (snapshot="
                            + snapshot.text() + ")");
            books.apply(row, new RunCommand.FailExtract(failure), now);
            act(row.run().id(), "snapshot_expired");
            return true;
        }

        private void sendAgain(Run run, Instant now) {
            DispatchCommand overdue = new DispatchCommand.Overdue(settings.dispatch());
            for (Dispatch open : books.dispatches().lockOpen(run.id())) {
                Decision<Dispatch> decision = DispatchMachine.decide(open, overdue, now);
                if (!decision.isRefused()) {
                    Dispatch after = books.apply(open, decision, now);
                    boolean dead = after.state() == Dispatch.DispatchState.DEAD;
                    act(run.id(), dead ? "dispatch_dead" : "dispatch_sent_again");
                }
            }
        }

        private void act(RunId id, String rule) {
            actions.add(new Action(id, rule, ""));
        }
    }
}
