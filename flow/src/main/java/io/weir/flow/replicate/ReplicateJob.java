package io.weir.flow.replicate;

import io.weir.capture.CaptureSpec;
import io.weir.engine.MergeStrategy;
import io.weir.ledger.replica.LogPlace;
import io.weir.source.TableSpec;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What a job replicates, and how.
 *
 * @param source name of the source
 * @param publication of the source that carries the tables
 * @param slot at the source, of this job alone
 * @param every how long from window to window; zero: without a pause
 * @param asOf with {@link Initial#FROM_TABLE} the place at which the targets are; null: at some
 *     place behind the begin of the slot
 * @param asOfTime the same as a time of the source; then every transaction that was committed a
 *     minute before it is in the targets
 * @param cutsKept how many cuts keep their names in the lake
 * @param lagMax a table that does not hold what was committed so long ago is late; null: none is
 */
public record ReplicateJob(
        String name,
        String source,
        List<ReplicateTable> tables,
        String publication,
        String slot,
        Duration every,
        MergeStrategy merge,
        Initial initial,
        @Nullable LogPlace asOf,
        @Nullable Instant asOfTime,
        long slotBytesMax,
        int cutsKept,
        @Nullable Duration lagMax)
        implements ReplicatedJob {
    public ReplicateJob {
        tables = List.copyOf(tables);
    }

    @Override
    public List<String> targets() {
        return tables.stream().map(ReplicateTable::target).toList();
    }

    /** What has to be captured for some of the tables. */
    CaptureSpec spec(List<TableSpec> specs) {
        return new CaptureSpec(
                publication,
                slot,
                specs,
                merge == MergeStrategy.PRIMARY_KEY
                        ? CaptureSpec.Identity.KEY
                        : CaptureSpec.Identity.FULL,
                slotBytesMax);
    }
}
