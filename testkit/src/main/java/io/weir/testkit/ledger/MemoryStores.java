package io.weir.testkit.ledger;

import io.weir.ledger.books.Stores;
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
import java.util.function.Supplier;

/** The stores of one transaction over tables in memory. May be extended to be wrong on purpose. */
public class MemoryStores implements Stores {
    protected final MemoryTables tables;
    protected final Interference interference;
    private final Supplier<Instant> clock;
    private final Supplier<UUID> ids;

    public MemoryStores(
            MemoryTables tables,
            Supplier<Instant> clock,
            Supplier<UUID> ids,
            Interference interference) {
        this.tables = tables;
        this.clock = clock;
        this.ids = ids;
        this.interference = interference;
    }

    @Override
    public RunStore runs() {
        return new MemoryRunStore(tables, interference);
    }

    @Override
    public PartitionStore partitions() {
        return new MemoryPartitionStore(tables, clock, interference);
    }

    @Override
    public ChunkStore chunks() {
        return new MemoryChunkStore(tables);
    }

    @Override
    public MetricStore metrics() {
        return new MemoryMetricStore(tables);
    }

    @Override
    public DispatchStore dispatches() {
        return new MemoryDispatchStore(tables, interference);
    }

    @Override
    public TargetStore targets() {
        return new MemoryTargetStore(tables);
    }

    @Override
    public AttemptStore attempts() {
        return new MemoryAttemptStore(tables);
    }

    @Override
    public EventStore events() {
        return new MemoryEventStore(tables);
    }

    @Override
    public HolderStore holders() {
        return new MemoryHolderStore(tables);
    }

    @Override
    public StreamStore streams() {
        return new MemoryStreamStore(tables);
    }

    @Override
    public WorkerStore workers() {
        return new MemoryWorkerStore(tables);
    }

    @Override
    public LoopStore loops() {
        return new MemoryLoopStore(tables);
    }

    @Override
    public Instant now() {
        return clock.get();
    }

    @Override
    public UUID newId() {
        return ids.get();
    }
}
