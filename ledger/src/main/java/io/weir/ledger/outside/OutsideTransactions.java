package io.weir.ledger.outside;

import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.ledger.partition.PartitionKey;

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
     * Reports new chunks of partitions that stay open after them, in one statement.
     *
     * @param reports each of another partition
     * @return one answer for each; empty if it is anything but that, if somebody else holds the
     *     row, or if the server refused them or its answer is lost
     * @throws io.weir.core.error.WeirException LEDGER_UNREACHABLE, with nothing written
     */
    List<Optional<OutsideReplies.Reported>> report(String action, List<Report> reports);

    /**
     * Claims partitions that nobody had before, in one statement.
     *
     * @param claims each of another partition
     * @return one answer for each; empty as above
     * @throws io.weir.core.error.WeirException LEDGER_UNREACHABLE, with nothing written
     */
    List<Optional<OutsideReplies.Claimed>> claim(String action, List<Claim> claims);

    /**
     * A report of new chunks.
     *
     * @param epoch null if the caller does not name it
     * @param total how many chunks the partition has
     * @param chunks with plain paths or file names and different indexes
     */
    record Report(
            RunId runId,
            PartitionId id,
            String tokenDigest,
            @Nullable Long epoch,
            int total,
            List<OutsideRequests.Chunk> chunks) {
        PartitionKey key() {
            return new PartitionKey(runId, id);
        }

        String action() {
            return "report chunks of partition " + id + " of run " + runId;
        }
    }

    /** A claim of a certain partition. */
    record Claim(RunId runId, PartitionId id, String tokenDigest, String worker, long leaseMillis) {
        PartitionKey key() {
            return new PartitionKey(runId, id);
        }

        String action() {
            return "claim partition " + id + " of run " + runId;
        }
    }
}
