package io.weir.ledger.books;

import io.weir.core.run.Partition;
import io.weir.ledger.chunk.ChunkRow;
import io.weir.ledger.decision.Decision;

import java.util.List;
import java.util.Optional;

/**
 * A decided move of a partition.
 *
 * @param name of its event
 * @param chunks that it brings, all new
 */
public record PartitionMove(Partition before, Partition after, String name, List<ChunkRow> chunks) {
    public PartitionMove {
        chunks = List.copyOf(chunks);
    }

    /** Empty unless the decision is to move. */
    public static Optional<PartitionMove> of(
            Partition before, Decision<Partition> decision, List<ChunkRow> chunks) {
        return decision.match(new Decision.Cases<Partition, Optional<PartitionMove>>(
                move -> Optional.of(new PartitionMove(before, move.next(), move.event(), chunks)),
                renew -> Optional.empty(),
                done -> Optional.empty(),
                refuse -> Optional.empty()));
    }
}
