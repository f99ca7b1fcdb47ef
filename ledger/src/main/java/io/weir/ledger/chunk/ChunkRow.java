package io.weir.ledger.chunk;

import io.weir.core.run.Chunk;
import io.weir.core.run.ChunkState;
import io.weir.core.run.Loss;

import java.util.List;

/** The whole row of a chunk: what everybody sees, and the losses that its report named. */
public record ChunkRow(Chunk chunk, List<Loss> losses) {
    public ChunkRow {
        losses = List.copyOf(losses);
    }

    /** The chunk of a claim that was lost. */
    ChunkRow failed() {
        return new ChunkRow(
                new Chunk(
                        chunk.runId(),
                        chunk.partitionId(),
                        chunk.epoch(),
                        chunk.index(),
                        chunk.path(),
                        chunk.bytes(),
                        chunk.balance(),
                        chunk.measured(),
                        chunk.last(),
                        ChunkState.FAILED),
                losses);
    }
}
