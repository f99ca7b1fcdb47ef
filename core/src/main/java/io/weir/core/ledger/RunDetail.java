package io.weir.core.ledger;

import io.weir.core.metric.Metric;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.run.Chunk;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Partition;
import io.weir.core.run.Run;
import io.weir.core.run.SnapshotHolder;

import java.time.Instant;
import java.util.List;

/**
 * Everything that the ledger knows of one run, read in one transaction.
 *
 * @param holders processes that keep its snapshot, live or not
 * @param cut every run of its cut, this one among them, in order of creation; only this run if it
 *     is alone
 * @param now the time of the ledger, to compare leases with
 * @param chunks only those that count: of the epoch that their partition ended with
 */
public record RunDetail(
        Run run,
        List<String> columns,
        ReadOptions reading,
        List<Partition> partitions,
        List<Chunk> chunks,
        List<Metric> metrics,
        List<Dispatch> dispatches,
        List<PublishAttempt> attempts,
        List<SnapshotHolder> holders,
        List<Run> cut,
        Instant now) {
    public RunDetail {
        columns = List.copyOf(columns);
        partitions = List.copyOf(partitions);
        chunks = List.copyOf(chunks);
        metrics = List.copyOf(metrics);
        dispatches = List.copyOf(dispatches);
        attempts = List.copyOf(attempts);
        holders = List.copyOf(holders);
        cut = List.copyOf(cut);
    }
}
