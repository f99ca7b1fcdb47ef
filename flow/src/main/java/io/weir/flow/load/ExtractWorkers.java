package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.source.SourceSnapshot;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * The workers of this process for one run. Each claims a partition, extracts it, claims the next,
 * until the ledger has none left. The first failure stops all of them.
 */
final class ExtractWorkers {
    private static final long PROGRESS_MILLIS = 250;
    private static final Duration CLAIM_PAUSE = Duration.ofMillis(500);

    private final Ledger ledger;
    private final SourceSnapshot snapshot;
    private final Supplier<UUID> ids;
    private final Cancellation cancellation;
    private final Heartbeat heartbeat;
    private final PartitionExtract extract;
    private final String worker;
    private final Map<PartitionId, PartitionMeter> meters = new LinkedHashMap<>();
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    /** Completes, and is replaced, whenever a worker of this process is done with a partition. */
    private volatile CompletableFuture<@Nullable Void> partitionEnd = new CompletableFuture<>();

    ExtractWorkers(
            Ledger ledger,
            SourceSnapshot snapshot,
            PartitionExtract extract,
            Supplier<UUID> ids,
            Cancellation cancellation,
            Heartbeat heartbeat,
            String worker) {
        this.ledger = ledger;
        this.snapshot = snapshot;
        this.extract = extract;
        this.ids = ids;
        this.cancellation = cancellation;
        this.heartbeat = heartbeat;
        this.worker = worker;
    }

    /** Prepares a meter for each partition; call before the work. */
    List<PartitionProgress> plan(List<PartitionId> partitions, long estimatedBytes) {
        long each = estimatedBytes / Math.max(1, partitions.size());
        for (PartitionId id : partitions) {
            meters.put(id, new PartitionMeter(id, each));
        }
        return progress();
    }

    /**
     * Works until every partition of the run arrived or the run ended, whoever reads them: what
     * another worker loses is read here.
     *
     * @throws WeirException the first failure of a worker, after all have stopped
     */
    void runToTheEnd(RunId runId, int workers, LoadListener listener) {
        run(runId, workers, listener, true);
    }

    /**
     * Works until nothing can be claimed.
     *
     * @throws WeirException the first failure of a worker, after all have stopped
     */
    void runWhatIsLeft(RunId runId, int workers, LoadListener listener) {
        run(runId, workers, listener, false);
    }

    private void run(RunId runId, int workers, LoadListener listener, boolean toTheEnd) {
        int threads = Math.min(workers, Math.max(1, meters.size()));
        CountDownLatch running = new CountDownLatch(threads);
        AtomicInteger names = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(
                threads, task -> new Thread(task, "weir-worker-" + names.getAndIncrement()));
        try {
            for (int i = 0; i < threads; i++) {
                int index = i;
                pool.execute(() -> work(runId, index, running, toTheEnd));
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

    private void work(RunId runId, int index, CountDownLatch running, boolean toTheEnd) {
        String name = worker + "/" + index;
        try {
            while (failure.get() == null && !cancellation.isRequested()) {
                CompletableFuture<?> next = partitionEnd;
                Optional<WorkOrder> order = ledger.claimNext(runId, ids.get(), name);
                if (order.isPresent()) {
                    extract(order.get(), index);
                } else if (!toTheEnd || !isExtracting(runId)) {
                    return;
                } else {
                    pause(next);
                }
            }
        } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
        } finally {
            running.countDown();
        }
    }

    private boolean isExtracting(RunId runId) {
        return ledger.heartbeatRun(runId, null).state() == RunState.EXTRACTING;
    }

    private void extract(WorkOrder order, int index) {
        PartitionMeter.Reading reading = meterOf(order).begin();
        heartbeat.add(order.claim(), reading);
        try {
            extract.extract(order, snapshot.reader(index), reading);
        } catch (WeirException e) {
            boolean told = e.code() == ErrorCode.INTERRUPTED && reading.isLost();
            // The partition has a new owner; this worker goes on with what it can claim.
            if (e.code() != ErrorCode.CLAIM_MISMATCH && !told) {
                throw e;
            }
        } finally {
            heartbeat.remove(order.claim());
            partitionEnded();
        }
    }

    private synchronized void partitionEnded() {
        CompletableFuture<@Nullable Void> ended = partitionEnd;
        partitionEnd = new CompletableFuture<>();
        ended.complete(null);
    }

    /** Until a partition ended here, or for as long as one elsewhere may stay unnoticed. */
    private static void pause(CompletableFuture<?> partitionEnd) {
        try {
            partitionEnd.get(CLAIM_PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return;
        } catch (ExecutionException e) {
            throw new IllegalStateException("Nobody lets it fail", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WeirException(
                    ErrorCode.INTERRUPTED, "Cannot wait for a partition: interrupted", e);
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
