package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A wish to stop that any thread may utter; work looks at it between two steps. */
public final class Cancellation {
    private final CountDownLatch requested = new CountDownLatch(1);

    public void request() {
        requested.countDown();
    }

    public boolean isRequested() {
        return requested.getCount() == 0;
    }

    /**
     * Waits for a pause, or until a stop is wished.
     *
     * @return whether a stop is wished
     * @throws WeirException {@link ErrorCode#INTERRUPTED} if the thread was interrupted
     */
    public boolean await(Duration pause) {
        try {
            return requested.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WeirException(ErrorCode.INTERRUPTED, "Cannot wait: interrupted", e);
        }
    }

    /**
     * Goes on unless a stop is wished.
     *
     * @throws WeirException {@link ErrorCode#INTERRUPTED}
     */
    void check(String doing) {
        if (isRequested()) {
            throw new WeirException(
                    ErrorCode.INTERRUPTED, "Cannot finish " + doing + ": asked to stop");
        }
    }
}
