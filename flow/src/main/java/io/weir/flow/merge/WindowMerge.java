package io.weir.flow.merge;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.PublishAttempt;
import io.weir.engine.Engine;
import io.weir.table.Published;

/**
 * Merges one window: {@link #plan}, and if it is no stop, {@link #stage}, {@link #audit}, {@link
 * #publish} of one attempt. A plan without net change is not staged but passed. Every step may be
 * repeated, by another process too: it plans again. Safe for use by several threads.
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
     *     ErrorCode#MERGE_WINDOW_GAP} if the window begins behind the position of the table
     */
    public MergeAnswer plan(MergeOrder order, long baseSnapshotId, String path) {
        throw new UnsupportedOperationException(engine.toString());
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
     * Measures what was staged from the files themselves: every row that came in, every row that
     * went out, and the rows that Iceberg counts.
     *
     * @throws WeirException {@link ErrorCode#MERGE_BALANCE_DIFFERS}
     */
    public void audit(PublishAttempt attempt, MergePlan plan) {
        throw new UnsupportedOperationException();
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
}
