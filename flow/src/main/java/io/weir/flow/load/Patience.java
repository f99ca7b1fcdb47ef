package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Waits for what is out of reach and tries again. Only for calls that may be repeated.
 *
 * @param limit how long in all; then the last error is thrown
 */
public record Patience(Duration limit, Cancellation cancellation) {
    private static final Duration PAUSE_MIN = Duration.ofMillis(250);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(Patience.class);

    /** For a process that has nothing else to do: only a wish to stop ends the waiting. */
    public static Patience endless(Cancellation cancellation) {
        return new Patience(ChronoUnit.FOREVER.getDuration(), cancellation);
    }

    /**
     * Calls until it succeeds or fails otherwise.
     *
     * @param awaited errors that pass by themselves
     * @throws WeirException as the call; {@link ErrorCode#INTERRUPTED} if a stop is wished
     */
    public <T> T call(String doing, Set<ErrorCode> awaited, Supplier<T> call) {
        Duration left = limit;
        Duration pause = PAUSE_MIN;
        while (true) {
            try {
                return call.get();
            } catch (WeirException e) {
                if (!awaited.contains(e.code()) || left.isNegative() || left.isZero()) {
                    throw e;
                }
                LOG.atWarn()
                        .addKeyValue("code", e.code())
                        .log("Waiting to {}: {}", doing, e.text());
            }
            if (cancellation.await(pause)) {
                cancellation.check(doing);
            }
            left = left.minus(pause);
            Duration doubled = pause.multipliedBy(2);
            pause = doubled.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : doubled;
        }
    }
}
