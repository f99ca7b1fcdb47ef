package io.weir.testkit.simulation;

import io.weir.core.publish.PublishAttempt;
import io.weir.core.run.RunId;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * One version of a table.
 *
 * @param parent null for the first
 * @param files all that are live
 * @param run whose rows it adds; null for a fence or the first snapshot
 * @param epoch of the attempt that made it
 */
record LakeSnapshot(
        long id,
        @Nullable Long parent,
        List<String> files,
        @Nullable RunId run,
        long epoch) {
    boolean isOf(PublishAttempt attempt) {
        return attempt.runId().equals(run) && epoch == attempt.epoch();
    }
}
