package io.weir.flow.merge;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.row.Balance;
import io.weir.core.row.RowPositions;
import io.weir.engine.Engine;
import io.weir.engine.HashedMeasure;
import io.weir.engine.MergeFile;
import io.weir.engine.MergeInput;
import io.weir.engine.MergeResult;
import io.weir.engine.MergeShare;
import io.weir.table.FileEntry;
import io.weir.table.LocalFileIO;
import io.weir.table.LogPosition;
import io.weir.table.Published;
import io.weir.table.RemovedRows;
import io.weir.table.ReplicaDelta;
import io.weir.table.ReplicaFile;
import io.weir.table.ReplicaState;
import io.weir.table.ReplicaTable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Merges one window: {@link #plan}, and if it is no stop, {@link #readBack}, {@link #stage}, {@link
 * #audit}, {@link #publish} of one attempt. A plan without net change is not staged but passed.
 * Every step may be repeated, by another process too: it plans again. Safe for use by several
 * threads.
 *
 * <p>All calls throw {@link WeirException} as the table and the engine do.
 */
public final class WindowMerge {
    private final Engine engine;

    /** Works with an engine; it stays open. */
    public WindowMerge(Engine engine) {
        this.engine = engine;
    }

    /**
     * Works out what a window changes, and writes the rows that come in to files of an attempt.
     * Nobody sees them.
     *
     * @param baseSnapshotId the snapshot of main to merge into, the base of the attempt
     * @param path location of a directory for this attempt alone, below the target's data root,
     *     with a slash at its end
     * @return a plan, or why there is none
     * @throws WeirException {@link ErrorCode#TABLE_MOVED} if main is another snapshot, {@link
     *     ErrorCode#MERGE_WINDOW_GAP} if the window begins behind the position of the table, {@link
     *     ErrorCode#TARGET_SCHEMA_MISMATCH} if log and table have other columns
     */
    public MergeAnswer plan(MergeOrder order, long baseSnapshotId, String path) {
        return plan(order, baseSnapshotId, path, engine.mergeShare());
    }

    /**
     * The same beside other merges.
     *
     * @param share of the engine that this one may use
     * @throws WeirException {@link ErrorCode#ENGINE_MEMORY_EXCEEDED} if the share is too small
     */
    public MergeAnswer plan(MergeOrder order, long baseSnapshotId, String path, MergeShare share) {
        ReplicaTable target = order.target();
        ReplicaState state = state(target);
        MergeChecks.check(order, state, baseSnapshotId);
        if (order.to().place() <= state.merged().place()) {
            return replayed(order, state);
        }
        List<ReplicaFile> files = target.filesOf(baseSnapshotId);
        MergeResult result = engine.merge(input(order, state, files), pathOf(path), share);
        if (result instanceof MergeResult.Broken broken) {
            return MergeStops.of(target.target(), broken);
        }
        return plan(order, state, files, (MergeResult.Merged) result);
    }

    private MergeInput input(MergeOrder order, ReplicaState state, List<ReplicaFile> files) {
        ReplicaTable target = order.target();
        return new MergeInput(
                order.log().files(order.from().place(), order.to().place()),
                order.log().columns(),
                order.from().place(),
                state.merged().place(),
                order.to().place(),
                state.exact(),
                files.stream()
                        .map(file -> new MergeFile(
                                pathOf(file.file().path()), file.file().rows(), file.deleted()))
                        .toList(),
                target.rows(),
                target.rowHash(),
                target.lake().partitionBy(),
                order.strategy(),
                order.uniqueness());
    }

    private static MergePlan plan(
            MergeOrder order,
            ReplicaState state,
            List<ReplicaFile> files,
            MergeResult.Merged merged) {
        boolean emptied = merged.truncates() > 0;
        List<RemovedRows> removed = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            RowPositions positions = merged.removed().get(i);
            if (!positions.isEmpty()) {
                removed.add(new RemovedRows(files.get(i).file().path(), positions));
            }
        }
        Balance opening = state.balance();
        Balance before = emptied ? opening : merged.before();
        ReplicaDelta delta = new ReplicaDelta(
                merged.appended().stream().map(StagedFiles::of).toList(),
                removed,
                emptied && opening.rows() > 0,
                before,
                merged.after(),
                state.merged(),
                order.to());
        return new MergePlan(
                order,
                state.snapshotId(),
                merged.events(),
                merged.replays(),
                merged.inserted(),
                merged.updated(),
                emptied ? opening.rows() : merged.deleted(),
                merged.truncates(),
                opening,
                opening.minus(before).plus(merged.after()),
                before,
                merged.after(),
                0,
                delta);
    }

    /** Every change of the window is in the table. */
    private MergePlan replayed(MergeOrder order, ReplicaState state) {
        LogPosition merged = state.merged();
        long replays = engine.countChanges(
                order.log().files(order.from().place(), order.to().place()),
                order.log().columns(),
                order.from().place(),
                order.to().place());
        ReplicaDelta delta = new ReplicaDelta(
                List.of(), List.of(), false, Balance.ZERO, Balance.ZERO, merged, merged);
        return new MergePlan(
                order,
                state.snapshotId(),
                0,
                replays,
                0,
                0,
                0,
                0,
                state.balance(),
                state.balance(),
                Balance.ZERO,
                Balance.ZERO,
                0,
                delta);
    }

    /**
     * What a table says of itself, once a compaction by another engine is measured and accepted: to
     * be asked instead of the table before a window is planned.
     *
     * @throws WeirException {@link ErrorCode#TABLE_FOREIGN_WRITE} if another writer did anything
     *     else than to put files together, or lost or changed a row while doing so
     */
    public ReplicaState state(ReplicaTable target) {
        OptionalLong foreign = target.unmeasured();
        if (foreign.isPresent()) {
            HashedMeasure measured = engine.measureHashed(
                    filesOf(target, foreign.getAsLong()), target.rows(), target.rowHash());
            if (measured.differing() > 0) {
                throw new WeirException(
                        ErrorCode.TABLE_FOREIGN_WRITE,
                        "Cannot use replicated table " + target.target()
                                + ": another writer left rows that have another digest than the"
                                + " one beside them (snapshot=" + foreign.getAsLong() + ", rows="
                                + measured.differing() + ")",
                        "Run weir rebuild " + target.target() + ".",
                        null);
            }
            target.accept(foreign.getAsLong(), measured.balance());
        }
        return target.state();
    }

    private static List<MergeFile> filesOf(ReplicaTable target, long snapshotId) {
        return target.filesOf(snapshotId).stream()
                .map(file -> new MergeFile(
                        pathOf(file.file().path()), file.file().rows(), file.deleted()))
                .toList();
    }

    /**
     * Measures every row that a snapshot holds, from its own values; each must have the digest that
     * is stored beside it.
     *
     * @throws WeirException {@link ErrorCode#MERGE_BALANCE_DIFFERS} if a row has not
     */
    public HashedMeasure measure(ReplicaTable target, long snapshotId) {
        HashedMeasure measured =
                engine.measureHashed(filesOf(target, snapshotId), target.rows(), target.rowHash());
        if (measured.differing() > 0) {
            throw differs(
                    target.target(),
                    "rows have another digest than the one beside them",
                    "0",
                    Long.toString(measured.differing()));
        }
        return measured;
    }

    /**
     * Commits the plan to the branch of the attempt.
     *
     * @return id of the staged snapshot
     */
    public long stage(PublishAttempt attempt, MergePlan plan) {
        return plan.order().target().stage(attempt, plan.delta());
    }

    /**
     * Begins to read back what a plan wrote, for its audit: while it is staged, nothing else has
     * to wait for that.
     *
     * @return to be closed before the engine is
     */
    public ReadBack readBack(MergePlan plan) {
        return ReadBack.start(engine, plan);
    }

    /**
     * Compares what was staged with the files themselves: every row that came in, rows that went
     * out, and the closing balance that the snapshot says.
     *
     * @param attempt with its staged snapshot
     * @param read what was read of the files that the plan wrote; others, if such were staged, are
     *     read now
     * @throws WeirException {@link ErrorCode#MERGE_BALANCE_DIFFERS}
     */
    public void audit(PublishAttempt attempt, MergePlan plan, ReadBack read) {
        ReplicaTable target = plan.order().target();
        Long staged = attempt.stagedSnapshotId();
        if (staged == null) {
            throw new IllegalArgumentException("Nothing is staged by " + attempt.branch());
        }
        // What was staged may be what another process planned.
        List<FileEntry> files = target.lake().addedBy(staged);
        List<String> locations = files.stream().map(FileEntry::path).toList();
        if (locations.size() == read.appended().size()
                && Set.copyOf(locations).equals(Set.copyOf(read.appended()))) {
            auditRows(plan, read);
        } else {
            List<MergeFile> others = files.stream()
                    .map(file -> new MergeFile(pathOf(file.path()), file.rows(), RowPositions.NONE))
                    .toList();
            try (ReadBack anew = ReadBack.start(engine, plan, others, locations)) {
                auditRows(plan, anew);
            }
        }
        Balance closing = target.lake().balanceOf(staged);
        if (!closing.equals(plan.closing())) {
            throw differs(
                    target.target(),
                    "the staged snapshot has another balance",
                    plan.closing().toString(),
                    closing.toString());
        }
    }

    /**
     * Rows that come in are read from their files. Rows that go out were found by the digests
     * beside them, whose sum the plan has; a part of them is read anew, each time another one: what
     * damage is found there is a sign, but no row that stays depends on it, and reading them all
     * takes longer the larger the table is.
     */
    private static void auditRows(MergePlan plan, ReadBack read) {
        same(
                plan.order().target(),
                "rows that come in",
                plan.delta().appendedBalance(),
                read.comes());
        RemovedRows part = read.part();
        if (part != null) {
            auditRemoved(plan, part, read.goes());
        }
    }

    private static void auditRemoved(MergePlan plan, RemovedRows part, HashedMeasure found) {
        ReplicaTable target = plan.order().target();
        if (found.balance().rows() == plan.delta().removedBalance().rows()) {
            same(target, "rows that go out", plan.delta().removedBalance(), found);
        } else if (found.differing() > 0) {
            throw differs(
                    target.target(),
                    "rows that go out hold other values than the digest beside them says",
                    "0 rows",
                    found.differing() + " rows of " + part.path());
        }
    }

    private static void same(
            ReplicaTable target, String what, Balance expected, HashedMeasure found) {
        boolean same = found.differing() == 0 && found.balance().equals(expected);
        if (!same) {
            throw differs(
                    target.target(),
                    what + " hold other values than the changes say",
                    expected.toString(),
                    found.balance() + ", " + found.differing() + " rows differ");
        }
    }

    private static WeirException differs(
            String table, String reason, String expected, String found) {
        return new WeirException(
                ErrorCode.MERGE_BALANCE_DIFFERS,
                "Cannot publish a window of table " + table + ": " + reason + " (expected="
                        + expected + ", found=" + found + ")");
    }

    /** Publishes what was staged; MOVED means to plan again on the new main. */
    public Published publish(PublishAttempt attempt, MergePlan plan) {
        return plan.order().target().publish(attempt);
    }

    /** Moves the table over a window whose plan has no net change. */
    public void pass(MergePlan plan) {
        plan.order()
                .target()
                .pass(plan.baseSnapshotId(), plan.delta().from(), plan.delta().to());
    }

    private static Path pathOf(String location) {
        return LocalFileIO.pathOf(location);
    }
}
