package io.weir.ledger.partition;

import io.weir.core.run.Partition;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.ledger.event.RowChange;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The table of partitions inside one transaction. */
public interface PartitionStore {
    /**
     * Adds the partitions of a manifest; the caller holds the lock of the run.
     *
     * @throws io.weir.core.error.WeirException LEDGER_INVARIANT for an id or ordinal that the run
     *     has already
     */
    void insertAll(List<Partition> partitions);

    /**
     * Applies a decided move. A token that another partition of the run has
     * ({@code PARTITION_TOKEN_ONCE}) runs the transaction again.
     *
     * @param before the locked row; its version and state guard the write
     * @return empty, with nothing written, if the row moved meanwhile
     */
    Optional<RowChange> update(Partition before, Partition after);

    /**
     * Writes the end of the lease and the progress, without a new version.
     *
     * @return false, with nothing written, if version or state are not those of the row any more
     */
    boolean renew(Partition partition);

    /** Locks the row until the transaction ends and reads it after that. */
    Optional<Partition> lock(RunId runId, PartitionId id);

    /** Reads them as they are at one moment, without locks. */
    List<SeenPartition> look(Collection<PartitionKey> keys);

    /**
     * Reads those that can be claimed, PENDING or RETRY, by ordinal, without locks.
     *
     * @param most how many at most
     */
    List<SeenPartition> claimable(RunId runId, int most);

    /** Locks and reads the partition whose latest claim has the token. */
    Optional<Partition> lockByToken(RunId runId, UUID token);

    /**
     * Locks and reads the first, by ordinal, that can be claimed: PENDING or RETRY. Skips those
     * that another transaction has locked, without waiting.
     */
    Optional<Partition> lockNext(RunId runId);

    /** Locks and reads those that are PENDING, RETRY or RUNNING, by ordinal. */
    List<Partition> lockOpen(RunId runId);

    /** By ordinal, without locks. */
    List<Partition> ofRun(RunId runId);
}
