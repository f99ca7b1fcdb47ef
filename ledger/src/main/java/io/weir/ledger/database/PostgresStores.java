package io.weir.ledger.database;

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

import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.UUID;

/** The stores on one connection. Time and ids are the database's. */
final class PostgresStores implements Stores {
    static final String NOW = """
            select clock_timestamp() as now,
                cast(pg_current_xact_id_if_assigned() as text) as transaction_id
            """;

    static final String NEW_ID = """
            select gen_random_uuid()
            """;

    private final Handle handle;
    private final Moment moment = new Moment();

    PostgresStores(Handle handle) {
        this.handle = handle;
    }

    @Override
    public RunStore runs() {
        return new PostgresRunStore(handle);
    }

    @Override
    public PartitionStore partitions() {
        return new PostgresPartitionStore(handle, moment);
    }

    @Override
    public ChunkStore chunks() {
        return new PostgresChunkStore(handle);
    }

    @Override
    public MetricStore metrics() {
        return new PostgresMetricStore(handle);
    }

    @Override
    public DispatchStore dispatches() {
        return new PostgresDispatchStore(handle);
    }

    @Override
    public TargetStore targets() {
        return new PostgresTargetStore(handle);
    }

    @Override
    public AttemptStore attempts() {
        return new PostgresAttemptStore(handle);
    }

    @Override
    public EventStore events() {
        return new PostgresEventStore(handle);
    }

    @Override
    public HolderStore holders() {
        return new PostgresHolderStore(handle);
    }

    @Override
    public StreamStore streams() {
        return new PostgresStreamStore(handle);
    }

    @Override
    public WorkerStore workers() {
        return new PostgresWorkerStore(handle);
    }

    @Override
    public LoopStore loops() {
        return new PostgresLoopStore(handle);
    }

    @Override
    public Instant now() {
        Instant seen = moment.take();
        return seen != null ? seen : look();
    }

    private Instant look() {
        return handle.createQuery(NOW)
                .map((rows, context) -> {
                    Fields fields = new Fields(rows);
                    Instant now = fields.instant("now");
                    moment.set(now, fields.textOrNull("transaction_id"));
                    return moment.take();
                })
                .one();
    }

    /** As the last look at the clock saw it; null if nothing was locked or written before. */
    @Nullable
    String transactionId() {
        return moment.transactionId();
    }

    @Override
    public UUID newId() {
        return handle.createQuery(NEW_ID).mapTo(UUID.class).one();
    }
}
