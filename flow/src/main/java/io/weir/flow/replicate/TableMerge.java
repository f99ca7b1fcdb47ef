package io.weir.flow.replicate;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.RunId;
import io.weir.engine.MergeShare;
import io.weir.engine.MergeStrategy;
import io.weir.engine.Uniqueness;
import io.weir.flow.merge.LogTableFiles;
import io.weir.flow.merge.MergeAnswer;
import io.weir.flow.merge.MergeOrder;
import io.weir.flow.merge.MergePlan;
import io.weir.flow.merge.MergeStop;
import io.weir.flow.merge.ReadBack;
import io.weir.flow.merge.WindowMerge;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaBooks;
import io.weir.ledger.replica.ReplicaBooks.Hold;
import io.weir.ledger.replica.ReplicaWindow;
import io.weir.ledger.replica.Stop;
import io.weir.ledger.replica.WindowFigures;
import io.weir.table.Evidence;
import io.weir.table.LakeCatalog;
import io.weir.table.LogTable;
import io.weir.table.Published;
import io.weir.table.ReplicaFile;
import io.weir.table.ReplicaState;
import io.weir.table.ReplicaTable;

import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Takes one table to the end of a window: settles what was left open, plans, stages, audits,
 * publishes once. Every step begins from what books and table say, so that another process may do
 * the next one.
 */
final class TableMerge {
    private static final int MOVES_MAX = 5;

    /** Whose changes need less than any merge is planned with. */
    private static final long SMALL_WINDOW = 4L << 20;

    private final ReplicaBooks books;
    private final Hold hold;
    private final LakeCatalog catalog;
    private final WindowMerge merge;
    private final MergeStrategy strategy;
    private final int cutsKept;
    private final Supplier<UUID> ids;
    private final ReplicateListener listener;

    TableMerge(
            ReplicaBooks books,
            Hold hold,
            LakeCatalog catalog,
            WindowMerge merge,
            MergeStrategy strategy,
            int cutsKept,
            Supplier<UUID> ids,
            ReplicateListener listener) {
        this.books = books;
        this.hold = hold;
        this.catalog = catalog;
        this.merge = merge;
        this.strategy = strategy;
        this.cutsKept = cutsKept;
        this.ids = ids;
        this.listener = listener;
    }

    /** What was found that must not be published, instead of a result. */
    static final class StoppedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Stop stop;

        StoppedException(Stop stop) {
            super(stop.message());
            this.stop = stop;
        }

        Stop stop() {
            return stop;
        }
    }

    /**
     * Merges what the log holds behind the table's position, up to a place.
     *
     * @param last whether the position of a table without changes is to be moved now
     * @param share of the engine that the merge may use
     * @throws StoppedException if something must not be published
     */
    TableResult run(Replica replica, LogTable log, LogPlace to, boolean last, MergeShare share) {
        settle(replica);
        ReplicaTable target = catalog.replica(replica.target());
        for (int move = 0; ; move++) {
            if (target.unmeasured().isPresent()) {
                // Before the merge measures and accepts them, or refuses: whoever goes on after
                // that, maybe another process, has to look at every key.
                books.rewritten(hold, replica.table());
            }
            ReplicaState state = merge.state(target);
            if (state.merged().place() >= to.place()) {
                LogPlace known = replica.verified();
                if (known == null || known.place() < to.place() || replica.failures() > 0) {
                    books.advanced(hold, replica.table(), Places.of(state.merged()));
                }
                return new TableResult(replica.table(), to, null);
            }
            if (log.position().place() <= state.merged().place()) {
                // Silent tables move in the books alone: a commit for each would be too many.
                if (last) {
                    target.pass(state.snapshotId(), state.merged(), Places.of(to));
                }
                books.advanced(hold, replica.table(), to);
                return new TableResult(replica.table(), to, null);
            }
            Optional<TableResult> result = window(replica, target, state, log, to, share);
            if (result.isPresent()) {
                return result.get();
            }
            if (move == MOVES_MAX) {
                throw new WeirException(
                        ErrorCode.TABLE_MOVED,
                        "Cannot publish changes of table " + replica.table() + " to "
                                + replica.target() + ": other writers always came first (tries="
                                + (move + 1) + ")");
            }
        }
    }

    /** Names the snapshot that readers see after a cut. */
    void tag(Replica replica, long cut) {
        ReplicaTable target = catalog.replica(replica.target());
        target.tagCut(cut, target.lake().currentSnapshotId(), cutsKept);
    }

    /** Empty if main moved meanwhile: then the window is planned again on the new main. */
    private Optional<TableResult> window(
            Replica replica,
            ReplicaTable target,
            ReplicaState state,
            LogTable log,
            LogPlace to,
            MergeShare share) {
        boolean allKeys = books.isAllKeysDue(replica.job(), replica.table());
        ReplicaWindow opened = books.openWindow(
                hold, replica.table(), to, new RunId(ids.get()), ids.get(), state.snapshotId());
        listener.step(opened, WindowStep.OPENED);
        PublishAttempt attempt = opened.attempt();
        String path = target.lake().dataRoot() + "/window=" + attempt.runId() + "/e="
                + attempt.epoch() + "/";
        MergeOrder order = new MergeOrder(
                target,
                new LogTableFiles(log),
                strategy,
                allKeys ? Uniqueness.FULL : Uniqueness.INCREMENTAL,
                state.merged(),
                Places.of(to));
        MergeAnswer answer = planned(opened, order, path, share);
        listener.step(opened, WindowStep.PLANNED);
        if (answer instanceof MergeStop stop) {
            books.abandoned(hold, opened, stop.kind());
            throw new StoppedException(new Stop(
                    stop.code().name(),
                    stop.toException().text(),
                    stop.command(),
                    stop.key().isEmpty() ? null : stop.key(),
                    stop.expected(),
                    stop.found()));
        }
        MergePlan plan = (MergePlan) answer;
        if (plan.delta().isEmpty()) {
            books.abandoned(hold, opened, "no row changes up to " + to.position());
            merge.pass(plan);
            if (allKeys && plan.events() > 0) {
                books.looked(hold, replica.table());
            }
            books.advanced(hold, replica.table(), to);
            return Optional.of(new TableResult(replica.table(), to, null));
        }
        return publish(replica, target, opened, plan);
    }

    /** What runs out of memory is over at once: it may be planned again with more. */
    private MergeAnswer planned(
            ReplicaWindow opened, MergeOrder order, String path, MergeShare share) {
        try {
            return merge.plan(order, opened.attempt().baseSnapshotId(), path, share);
        } catch (WeirException e) {
            if (e.code() == ErrorCode.ENGINE_MEMORY_EXCEEDED) {
                books.abandoned(hold, opened, "its merge ran out of memory");
            }
            throw e;
        }
    }

    /** Bytes that the merge of what the log holds behind the table's position is likely to need. */
    long need(Replica replica, LogTable log, LogPlace to) {
        LogPlace from = replica.verified();
        if (from == null || to.place() - from.place() < SMALL_WINDOW) {
            // Places count bytes of the source's log: nothing has to be looked at.
            return MergeSharing.need(0, 0);
        }
        ReplicaTable target = catalog.replica(replica.target());
        long rows = target.filesOf(target.lake().currentSnapshotId()).stream()
                .mapToLong(ReplicaFile::liveRows)
                .sum();
        return MergeSharing.need(new LogTableFiles(log).bytes(from.place()), rows);
    }

    private Optional<TableResult> publish(
            Replica replica, ReplicaTable target, ReplicaWindow opened, MergePlan plan) {
        long staged;
        try (ReadBack read = merge.readBack(plan)) {
            staged = merge.stage(opened.attempt(), plan);
            listener.step(opened, WindowStep.STAGED);
            merge.audit(opened.attempt().withStaged(staged), plan, read);
            listener.step(opened, WindowStep.AUDITED);
        }
        ReplicaWindow audited = books.staged(hold, opened, staged, figures(plan));
        ReplicaWindow sending = books.publishing(hold, audited);
        listener.step(sending, WindowStep.SENDING);
        Published reply = merge.publish(sending.attempt(), plan);
        listener.step(sending, WindowStep.SENT);
        switch (reply.outcome()) {
            case PUBLISHED -> {
                ReplicaWindow done = books.settled(
                        hold, sending, PublishOutcome.PUBLISHED, "main is snapshot " + staged);
                listener.step(done, WindowStep.SETTLED);
                return Optional.of(new TableResult(replica.table(), opened.to(), done));
            }
            case MOVED -> {
                books.settled(hold, sending, PublishOutcome.ABSENT, reply.reason());
                target.lake().discard(sending.attempt());
                return Optional.empty();
            }
            default -> {
                ReplicaWindow unknown =
                        books.settled(hold, sending, PublishOutcome.UNKNOWN, reply.reason());
                ReplicaWindow settled = settle(target, unknown);
                return settled.attempt().state() == AttemptState.PUBLISHED
                        ? Optional.of(new TableResult(replica.table(), opened.to(), settled))
                        : Optional.empty();
            }
        }
    }

    private static WindowFigures figures(MergePlan plan) {
        return new WindowFigures(
                plan.events(),
                plan.replays(),
                plan.inserted(),
                plan.updated(),
                plan.deleted(),
                plan.opening(),
                plan.delta().removedBalance(),
                plan.delta().appendedBalance(),
                plan.closing(),
                plan.before(),
                plan.after(),
                plan.order().uniqueness() == Uniqueness.FULL);
    }

    /** Whatever an earlier process left: fence, read, conclude. */
    private void settle(Replica replica) {
        for (ReplicaWindow window : books.unsettled(replica.job(), replica.table())) {
            ReplicaTable target = catalog.replica(replica.target());
            if (window.attempt().state() == AttemptState.STAGED) {
                books.abandoned(hold, window, "its process ended before it was sent");
                target.lake().discard(window.attempt());
            } else {
                settle(target, window);
            }
        }
    }

    private ReplicaWindow settle(ReplicaTable target, ReplicaWindow window) {
        target.lake().fence(window.attempt());
        Evidence evidence = target.lake().read(window.attempt());
        if (evidence.verdict() == Evidence.Verdict.UNDETERMINED) {
            throw new WeirException(
                    ErrorCode.TABLE_COMMIT_UNKNOWN,
                    "Cannot settle a window of table " + window.table()
                            + ": the target no longer tells (evidence=" + evidence.text() + ")");
        }
        return books.settled(
                hold,
                window,
                evidence.published() ? PublishOutcome.PUBLISHED : PublishOutcome.ABSENT,
                evidence.text());
    }
}
