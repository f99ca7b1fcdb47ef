package io.weir.flow.replicate;

import io.weir.capture.ChangeStream;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.flow.changelog.ChangeLogs;
import io.weir.ledger.replica.LogPlace;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Keeps the change logs in a thread of its own. */
final class CaptureLoop implements AutoCloseable {
    private static final Duration GLANCE = Duration.ofMillis(200);

    private final ChangeStream stream;
    private final ChangeLogs logs;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private final Thread thread;
    private LogPlace reached = LogPlace.START;
    private @Nullable WeirException failure;
    private boolean over;
    private volatile boolean stopping;

    private CaptureLoop(ChangeStream stream, ChangeLogs logs) {
        this.stream = stream;
        this.logs = logs;
        this.thread = new Thread(this::run, "weir-change-logs");
        thread.setDaemon(true);
    }

    /**
     * Takes over stream and logs; both are closed with it.
     *
     * @param first is told of the loop before anything is read
     */
    static CaptureLoop start(ChangeStream stream, ChangeLogs logs, Consumer<CaptureLoop> first) {
        CaptureLoop loop = new CaptureLoop(stream, logs);
        first.accept(loop);
        loop.thread.start();
        return loop;
    }

    private void run() {
        WeirException wrong = null;
        try {
            logs.run(() -> stopping);
        } catch (WeirException e) {
            wrong = e;
        } catch (RuntimeException e) {
            wrong = new WeirException(ErrorCode.INTERNAL, "Cannot keep the change logs: " + e, e);
        } finally {
            lock.lock();
            try {
                failure = wrong;
                over = true;
                moved.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** All logs hold every change up to a place; called by the thread that keeps them. */
    void reached(LogPlace place) {
        lock.lock();
        try {
            reached = place;
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Up to where all logs hold every change, since this loop began. */
    LogPlace reached() {
        lock.lock();
        try {
            return reached;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until the logs are behind a mark.
     *
     * @param lease is looked at while waiting
     * @throws WeirException why the logs are kept no longer
     */
    LogPlace awaitBehind(long mark, Runnable lease) {
        lock.lock();
        try {
            while (reached.place() <= mark) {
                check();
                if (!moved.await(GLANCE.toMillis(), TimeUnit.MILLISECONDS)) {
                    lease.run();
                }
            }
            return reached;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WeirException(ErrorCode.INTERRUPTED, "Cannot wait: interrupted", e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether the logs are still kept.
     *
     * @throws WeirException why they are not
     */
    void check() {
        lock.lock();
        try {
            if (failure != null) {
                throw failure;
            }
            if (over) {
                throw new WeirException(
                        ErrorCode.CAPTURE_FAILED, "Cannot keep the change logs: they were closed");
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        stopping = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        logs.close();
        stream.close();
    }
}
