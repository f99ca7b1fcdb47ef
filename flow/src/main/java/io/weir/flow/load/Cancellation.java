package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

/** A wish to stop that any thread may utter; work looks at it between two steps. */
public final class Cancellation {
    private volatile boolean requested;

    public void request() {
        requested = true;
    }

    public boolean isRequested() {
        return requested;
    }

    /**
     * Goes on unless a stop is wished.
     *
     * @throws WeirException {@link ErrorCode#INTERRUPTED}
     */
    void check(String doing) {
        if (requested) {
            throw new WeirException(
                    ErrorCode.INTERRUPTED, "Cannot finish " + doing + ": asked to stop");
        }
    }
}
