package io.weir.table;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Runs tasks where they are handed over. Iceberg asks a pool of its own every ten milliseconds
 * whether it is done, and a small commit takes no longer than that; and that pool refuses work as
 * soon as the process is asked to end.
 */
final class CallerExecutor extends AbstractExecutorService {
    static final ExecutorService INSTANCE = new CallerExecutor();

    private CallerExecutor() {}

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return false;
    }
}
