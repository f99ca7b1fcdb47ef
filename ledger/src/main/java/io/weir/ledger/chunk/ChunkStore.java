package io.weir.ledger.chunk;

import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.ledger.event.RowChange;

import java.util.List;

/** The table of chunks inside one transaction. */
public interface ChunkStore {
    /**
     * Adds chunks; the caller holds the lock of their partition.
     *
     * @param rows of one claim
     * @throws io.weir.core.error.WeirException CHUNK_CONFLICT for a second last chunk of a claim
     *     ({@code CHUNK_ONE_LAST}); LEDGER_INVARIANT for an index that the claim has already
     */
    List<RowChange> insertAll(List<ChunkRow> rows);

    /**
     * Applies verdicts; the caller holds the lock of the run or of the chunks.
     *
     * @param before as many rows as after, in the same order; their states guard the writes
     * @throws io.weir.core.error.WeirException LEDGER_INVARIANT if one of them moved meanwhile
     */
    List<RowChange> updateAll(List<ChunkRow> before, List<ChunkRow> after);

    /** Chunks of claims that were lost never count. */
    default List<RowChange> failWrittenBefore(RunId runId, PartitionId id, long epoch) {
        List<ChunkRow> lost = lockWrittenBefore(runId, id, epoch);
        return updateAll(lost, lost.stream().map(ChunkRow::failed).toList());
    }

    /** Locks and reads those in WRITTEN of smaller epochs, by epoch and index. */
    List<ChunkRow> lockWrittenBefore(RunId runId, PartitionId id, long epoch);

    /** By index, without locks. */
    List<ChunkRow> ofClaim(RunId runId, PartitionId id, long epoch);

    /** Chunks of the current epoch of their partition, in split order, without locks. */
    List<ChunkRow> counted(RunId runId);
}
