package io.weir.ledger.outside;

import io.weir.core.run.PartitionState;
import io.weir.core.run.RunState;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** What the ledger answers outside flows. */
public final class OutsideReplies {
    private OutsideReplies() {}

    /**
     * After a manifest.
     *
     * @param parts partitions that have rows, in split order
     * @param scheduled whether this call asked for the validation
     */
    public record Registered(
            OutsideRun run, List<OutsidePartition> parts, int empty, boolean scheduled) {}

    /** After a claim. */
    public record Claimed(boolean claimed, OutsideRun run, OutsidePartition partition) {}

    /**
     * After a report.
     *
     * @param received chunks of the claim so far
     */
    public record Reported(
            PartitionState partitionState,
            RunState runState,
            int received,
            int total,
            boolean scheduled) {}

    /** Whether the call changed something, and the state after it. */
    public record Changed(RunState runState, boolean changed) {}

    /** The run is there only if the caller validates it now. */
    public record Started(
            RunState runState, @Nullable OutsideRun run, List<OutsideMetric> sourceMetrics) {}

    /** After metrics. */
    public record Recorded(int recorded, int failures, RunState runState) {}

    /** A gate: passed, or why not. */
    public record Gate(boolean passed, RunState runState, List<String> reasons) {}

    /** Everything that is known of one run, read in one transaction. */
    public record Detail(
            OutsideRun run,
            List<OutsidePartition> partitions,
            List<OutsideDispatch> dispatches,
            Instant now) {}

    /**
     * Something that a person should look at.
     *
     * @param level ERROR or WARN
     */
    public record Alert(
            String kind,
            String level,
            @Nullable OutsideRun run,
            @Nullable OutsideDispatch dispatch,
            Instant since,
            String message) {}

    /** The whole ledger at a glance. */
    public record Summary(
            Instant now,
            Map<String, Long> active,
            long recentRuns,
            Map<String, Long> dispatches,
            int cleanupDue,
            List<Alert> alerts) {}
}
