package io.weir.ledger.books;

import io.weir.ledger.chunk.ChunkStore;
import io.weir.ledger.dispatch.DispatchStore;
import io.weir.ledger.event.EventStore;
import io.weir.ledger.metric.MetricStore;
import io.weir.ledger.partition.PartitionStore;
import io.weir.ledger.process.HolderStore;
import io.weir.ledger.process.LoopStore;
import io.weir.ledger.process.StreamStore;
import io.weir.ledger.process.WorkerStore;
import io.weir.ledger.publish.AttemptStore;
import io.weir.ledger.publish.TargetStore;
import io.weir.ledger.run.RunStore;

import java.time.Instant;
import java.util.UUID;

/**
 * The stores of one transaction, its clock and its source of ids.
 *
 * <p>A row comes back from a store as it was written. Writes are seen by later reads of the same
 * transaction, by others only after it ended. What a write answers if a unique constraint keeps it
 * out is said at the store and in {@link Constraint}; what breaks any other rule of a table (a
 * check, a reference, a duplicate primary key) answers LEDGER_INVARIANT. Either undoes the whole
 * transaction.
 */
public interface Stores {
    RunStore runs();

    PartitionStore partitions();

    ChunkStore chunks();

    MetricStore metrics();

    DispatchStore dispatches();

    TargetStore targets();

    AttemptStore attempts();

    EventStore events();

    HolderStore holders();

    WorkerStore workers();

    LoopStore loops();

    StreamStore streams();

    /** The time of the books, in microseconds. Ask after the row is locked. */
    Instant now();

    /** An id that was never given before. */
    UUID newId();
}
