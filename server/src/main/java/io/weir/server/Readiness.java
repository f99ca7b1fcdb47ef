package io.weir.server;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Whether the ledger answers soon. A look that hangs is not joined by further ones: whoever asks
 * meanwhile waits for the same.
 */
final class Readiness implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMillis(1_500);

    private final Runnable look;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread made = new Thread(task, "weir-server-ready");
        made.setDaemon(true);
        return made;
    });
    private @Nullable Future<?> current;

    Readiness(Runnable look) {
        this.look = look;
    }

    /**
     * Returns if the ledger answered.
     *
     * @throws WeirException {@link ErrorCode#LEDGER_UNREACHABLE} after at most two seconds
     */
    void check() {
        try {
            running().get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new WeirException(
                    ErrorCode.LEDGER_UNREACHABLE,
                    "Cannot say that the server is ready: the ledger does not answer (limit="
                            + LIMIT.toMillis() + " ms)",
                    e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof WeirException known) {
                throw known;
            }
            throw new IllegalStateException("Cannot look at the ledger", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }

    private synchronized Future<?> running() {
        Future<?> known = current;
        if (known == null || known.isDone()) {
            known = thread.submit(look);
            current = known;
        }
        return known;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
