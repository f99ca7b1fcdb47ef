package io.weir.flow.load;

import io.weir.core.run.Run;
import io.weir.core.run.RunId;

import java.util.List;

/**
 * Sees a load go by. Calls come from the coordinator's thread, in order; a listener that throws
 * fails the run.
 */
public interface LoadListener {
    /** The manifest is accepted; workers start. */
    default void planned(Run run, List<PartitionProgress> partitions) {}

    /** Some time passed; figures are of now. */
    default void progressed(RunId runId, List<PartitionProgress> partitions) {}

    /** Every partition arrived. */
    default void extracted(Run run) {}

    /** The files are on the audit branch; nobody but the audit reads them. */
    default void staged(Run run, List<String> paths) {}

    /** What is staged equals what was read. */
    default void audited(Run run) {}

    default void published(Run run) {}

    /** The run ended, well or not. */
    default void ended(Run run) {}
}
