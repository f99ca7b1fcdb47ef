package io.weir.flow.replicate;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.ledger.replica.ReplicaBooks;
import io.weir.ledger.replica.ReplicaBooks.Hold;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Keeps the claim of a job alive from a thread of its own, until it is lost or given back. */
final class JobLease implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JobLease.class);
    private static final Set<ErrorCode> LOST =
            Set.of(ErrorCode.REPLICATION_BUSY, ErrorCode.REPLICATION_PAUSED);
    private static final int SIGNS_IN_A_LEASE = 6;

    private final ReplicaBooks books;
    private final Hold hold;
    private final Duration lease;
    private final LagWatch watch;
    private final ScheduledExecutorService thread;
    private final ScheduledFuture<?> signs;
    private volatile @Nullable WeirException loss;

    private JobLease(ReplicaBooks books, Hold hold, Duration lease, LagWatch watch) {
        this.books = books;
        this.hold = hold;
        this.lease = lease;
        this.watch = watch;
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread created = new Thread(task, "weir-job-lease");
            created.setDaemon(true);
            return created;
        });
        long pause = Math.max(1, lease.dividedBy(SIGNS_IN_A_LEASE).toMillis());
        this.signs = thread.scheduleWithFixedDelay(this::sign, pause, pause, TimeUnit.MILLISECONDS);
    }

    /**
     * Begins.
     *
     * @param watch looks at each sign, so that a merge that takes too long is seen while it runs
     */
    static JobLease start(ReplicaBooks books, Hold hold, Duration lease, LagWatch watch) {
        return new JobLease(books, hold, lease, watch);
    }

    private void sign() {
        try {
            books.sign(hold, lease);
            watch.look(hold);
        } catch (WeirException e) {
            if (LOST.contains(e.code())) {
                loss = e;
                thread.shutdown();
            } else {
                LOG.atWarn()
                        .addKeyValue("code", e.code())
                        .log("Sign of life failed, trying again: " + e.text());
            }
        } catch (RuntimeException e) {
            // A bug in one sign must not end the signs for the life of the process.
            LOG.atError().setCause(e).log("Sign of life failed, trying again");
        }
    }

    Hold hold() {
        return hold;
    }

    /** Whether the job was paused or given to another process. */
    boolean isLost() {
        return loss != null;
    }

    /**
     * Goes on only as long as the job is ours.
     *
     * @throws WeirException {@link ErrorCode#REPLICATION_BUSY}, {@link
     *     ErrorCode#REPLICATION_PAUSED}
     */
    void check() {
        WeirException lost = loss;
        if (lost != null) {
            throw lost;
        }
    }

    @Override
    public void close() {
        signs.cancel(false);
        thread.shutdownNow();
        try {
            books.release(hold);
        } catch (WeirException e) {
            // The lease ends by itself.
            LOG.atDebug().addKeyValue("code", e.code()).log("Release failed: " + e.text());
        }
    }
}
