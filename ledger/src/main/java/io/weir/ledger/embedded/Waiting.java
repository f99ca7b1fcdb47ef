package io.weir.ledger.embedded;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for what other processes do; there is nobody who would wake us. */
final class Waiting {
    private static final Duration STEP = Duration.ofMillis(20);

    private Waiting() {}

    /** Something that another process makes true. */
    @FunctionalInterface
    interface Condition {
        boolean holds() throws IOException;
    }

    /** Whether the condition came true within the limit. */
    static boolean until(Duration limit, Condition condition) {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            if (holds(condition)) {
                return true;
            }
            if (System.nanoTime() - end >= 0) {
                return false;
            }
            pause(STEP);
        }
    }

    static void pause(Duration length) {
        LockSupport.parkNanos(length.toNanos());
        if (Thread.currentThread().isInterrupted()) {
            throw new WeirException(
                    ErrorCode.INTERRUPTED,
                    "Cannot wait for embedded PostgreSQL: the command was asked to stop");
        }
    }

    private static boolean holds(Condition condition) {
        try {
            return condition.holds();
        } catch (IOException e) {
            throw ServerHome.failure("Cannot watch embedded PostgreSQL", e);
        }
    }
}
