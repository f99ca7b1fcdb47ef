package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.Manifest;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.row.RowSchema;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.engine.Engine;
import io.weir.source.SourceSnapshot;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * The workers of this process for one run. Each claims a partition, extracts it, claims the next,
 * until the ledger has none left. The first failure stops all of them.
 */
final class ExtractWorkers {
    private static final long PROGRESS_MILLIS = 250;

    private final Ledger ledger;
    private final SourceSnapshot snapshot;
    private final Supplier<UUID> ids;
    private final Cancellation cancellation;
    private final Heartbeat heartbeat;
    private final PartitionExtract extract;
    private final Map<PartitionId, PartitionMeter> meters = new LinkedHashMap<>();
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

    ExtractWorkers(
            Ledger ledger,
            Engine engine,
            SourceSnapshot snapshot,
            LoadJob job,
            RowSchema schema,
            WrittenFiles written,
            Supplier<UUID> ids,
            Cancellation cancellation,
            Heartbeat heartbeat) {
        this.ledger = ledger;
        this.snapshot = snapshot;
        this.ids = ids;
        this.cancellation = cancellation;
        this.heartbeat = heartbeat;
        this.extract = new PartitionExtract(
                ledger, engine, job.table(), schema, new ChunkSizer(job.chunkBytes()), written);
    }

    /** Prepares a meter for each partition; call before {@link #run}. */
    List<PartitionProgress> plan(Manifest manifest, long estimatedBytes) {
        long each = estimatedBytes / Math.max(1, manifest.parts().size());
        for (Manifest.Part part : manifest.parts()) {
            meters.put(part.id(), new PartitionMeter(part.id(), each));
        }
        return progress();
    }

    /**
     * Works until no partition is left.
     *
     * @throws WeirException the first failure of a worker, after all have stopped
     */
    void run(RunId runId, int workers, LoadListener listener) {
        int threads = Math.min(workers, Math.max(1, meters.size()));
        CountDownLatch running = new CountDownLatch(threads);
        AtomicInteger names = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(
                threads, task -> new Thread(task, "weir-worker-" + names.getAndIncrement()));
        try {
            for (int i = 0; i < threads; i++) {
                int index = i;
                pool.execute(() -> work(runId, index, running));
            }
            while (!await(running)) {
                if (cancellation.isRequested() || failure.get() != null) {
                    meters.values().forEach(PartitionMeter::stop);
                }
                listener.progressed(runId, progress());
            }
            listener.progressed(runId, progress());
        } finally {
            meters.values().forEach(PartitionMeter::stop);
            pool.shutdown();
        }
        RuntimeException first = failure.get();
        if (first != null) {
            throw first;
        }
        cancellation.check("extracting run " + runId);
    }

    private void work(RunId runId, int index, CountDownLatch running) {
        String worker = Thread.currentThread().getName();
        try {
            while (failure.get() == null && !cancellation.isRequested()) {
                Optional<WorkOrder> order = ledger.claimNext(runId, ids.get(), worker);
                if (order.isEmpty()) {
                    return;
                }
                extract(order.get(), index);
            }
        } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
        } finally {
            running.countDown();
        }
    }

    private void extract(WorkOrder order, int index) {
        PartitionMeter meter = meterOf(order);
        heartbeat.add(order.claim(), meter);
        try {
            extract.extract(order, snapshot.reader(index), meter);
        } catch (WeirException e) {
            // The partition has a new owner; this worker goes on with what it can claim.
            if (e.code() != ErrorCode.CLAIM_MISMATCH) {
                throw e;
            }
        } finally {
            heartbeat.remove(order.claim());
        }
    }

    private PartitionMeter meterOf(WorkOrder order) {
        PartitionMeter meter = meters.get(order.claim().partitionId());
        if (meter == null) {
            throw new IllegalStateException(
                    "Claimed partition " + order.claim().partitionId() + " was not planned");
        }
        return meter;
    }

    private List<PartitionProgress> progress() {
        List<PartitionProgress> all = new ArrayList<>();
        meters.values().forEach(meter -> all.add(meter.read()));
        return all;
    }

    private static boolean await(CountDownLatch running) {
        try {
            return running.await(PROGRESS_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WeirException(
                    ErrorCode.INTERRUPTED, "Cannot wait for the workers: interrupted", e);
        }
    }
}
