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

    /**
     * Locks and reads those that no other transaction has locked, without waiting. Leaves out a
     * row that changed while it was looked for, so that what is read besides is as old as the row.
     *
     * @param calls each of another partition
     */
    List<LockedPartition> lockFree(Collection<PartitionCall> calls);

    /** Locks and reads the partitions whose latest claims have the tokens. */
    List<Partition> lockByToken(RunId runId, Collection<UUID> tokens);

    /**
     * Locks and reads the first, by ordinal, that can be claimed: PENDING or RETRY. Skips those
     * that another transaction has locked, without waiting.
     */
    List<LockedPartition> lockNext(RunId runId, int most);

    /** Locks and reads those that are PENDING, RETRY or RUNNING, by ordinal. */
    List<Partition> lockOpen(RunId runId);

    /** By ordinal, without locks. */
    List<Partition> ofRun(RunId runId);
}
