package io.weir.ingest;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Runs something later; the only thing here that time passes for. */
interface Timer {
    /** Runs an action once, unless it is cancelled first. */
    Pending after(Duration delay, Runnable action);

    /** What is to run. */
    interface Pending {
        Pending NONE = () -> {};

        void cancel();
    }

    /** A few daemon threads for all connections of the process: commits must not hold up signs. */
    static Timer ofProcess() {
        return (delay, action) -> {
            Future<?> future =
                    OfProcess.EXECUTOR.schedule(action, delay.toMillis(), TimeUnit.MILLISECONDS);
            return () -> future.cancel(false);
        };
    }

    /** Started by the first connection that needs it. */
    final class OfProcess {
        private static final int THREADS_COUNT = 4;
        private static final ScheduledExecutorService EXECUTOR =
                Executors.newScheduledThreadPool(THREADS_COUNT, action -> {
                    Thread thread = new Thread(action, "weir-ingest-timer");
                    thread.setDaemon(true);
                    return thread;
                });

        private OfProcess() {}
    }
}
