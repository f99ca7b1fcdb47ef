package io.weir.ledger.outside;

import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Runs work on the tables of outside runs; the work may run again after a lost race. */
public interface OutsideTransactions {
    /**
     * READ COMMITTED; what the work throws undoes the transaction and is thrown on.
     *
     * @param action for messages, such as {@code claim partition 0001 of run …}
     */
    <T> T run(String action, Function<OutsideBooks, T> work);

    /**
     * Reports new chunks of a partition that stays open after them, in one statement.
     *
     * @param chunks with plain paths or file names and different indexes
     * @return empty, with nothing written, if it is anything but that
     */
    Optional<OutsideReplies.Reported> report(
            String action,
            RunId runId,
            PartitionId id,
            String tokenDigest,
            @Nullable Long epoch,
            int total,
            List<OutsideRequests.Chunk> chunks);

    /**
     * Claims a partition that nobody had before, in one statement.
     *
     * @return empty, with nothing written, if it is anything but that
     */
    Optional<OutsideReplies.Claimed> claim(
            String action,
            RunId runId,
            PartitionId id,
            String tokenDigest,
            String worker,
            long leaseMillis);
}
