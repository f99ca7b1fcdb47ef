package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.Delivery;
import io.weir.core.ledger.Ledger;
import io.weir.core.run.Dispatch;
import io.weir.ledger.loop.Receiver;
import io.weir.table.LakeCatalog;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Takes steps from the outbox and does them in threads of its own, so many at a time. */
final class StepReceiver implements Receiver, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StepReceiver.class);

    private static final long CLOSE_SECONDS = 60;

    private final Ledger ledger;
    private final LakeCatalog catalog;
    private final RunSteps steps;
    private final Semaphore slots;
    private final ExecutorService threads;

    StepReceiver(Ledger ledger, LakeCatalog catalog, RunSteps steps, int slots) {
        this.ledger = ledger;
        this.catalog = catalog;
        this.steps = steps;
        this.slots = new Semaphore(slots);
        AtomicInteger number = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(
                slots, task -> new Thread(task, "weir-step-" + number.incrementAndGet()));
    }

    @Override
    public Delivery deliver(Dispatch dispatch) {
        String target = ledger.detail(dispatch.runId()).run().target();
        try {
            catalog.load(target);
        } catch (WeirException e) {
            // Another lake, or one that is out of reach from here.
            return e.code() == ErrorCode.TARGET_TABLE_NOT_FOUND
                    ? Delivery.declined(e.text())
                    : Delivery.postponed(e.text());
        }
        if (!slots.tryAcquire()) {
            return Delivery.declined("every step slot of this worker is in use");
        }
        try {
            threads.execute(() -> perform(dispatch));
            return Delivery.ACCEPTED;
        } catch (RejectedExecutionException e) {
            slots.release();
            return Delivery.declined("this worker is stopping");
        }
    }

    private void perform(Dispatch dispatch) {
        try {
            steps.perform(dispatch);
        } catch (WeirException e) {
            LOG.atWarn()
                    .addKeyValue("runId", dispatch.runId())
                    .addKeyValue("code", e.code())
                    .log("{} of run {}: {}", dispatch.kind(), dispatch.runId(), e.text());
        } finally {
            slots.release();
        }
    }

    /** Lets the steps under way end; takes no further one. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.atWarn().log("Steps are still under way; others take them up");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
