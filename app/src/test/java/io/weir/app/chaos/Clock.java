package io.weir.app.chaos;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Time of the chaos: threads wait here, and all of them learn at once that it is over. */
final class Clock {
    private static final Duration LOOK = Duration.ofMillis(100);

    private final CountDownLatch over = new CountDownLatch(1);

    void end() {
        over.countDown();
    }

    boolean isOver() {
        return over.getCount() == 0;
    }

    /** Waits for a while or for the end; whether it is over. */
    boolean await(Duration pause) {
        try {
            return over.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Looks again and again until something holds; whether it did before the limit. */
    static boolean until(Duration limit, BooleanSupplier holds) {
        Clock pauses = new Clock();
        long end = System.nanoTime() + limit.toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            pauses.await(LOOK);
        }
        return true;
    }
}
