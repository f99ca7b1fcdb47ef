package io.weir.flow.replicate;

import io.weir.capture.ChangeStream;
import io.weir.capture.StreamEvent;
import io.weir.ledger.replica.LogPlace;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Where in a log a time is. */
final class TimeInLog {
    /**
     * Commits are not in the order of their times, and a table that was read at a time may lack
     * what was committed shortly before. What lies between is found by the chains.
     */
    static final Duration MARGIN = Duration.ofMinutes(1);

    private static final Duration PATIENCE = Duration.ofMillis(100);

    private TimeInLog() {}

    /**
     * The place of the last transaction before the first one that was committed after a time, less
     * the margin. Reads, and confirms nothing.
     *
     * @param begin of the stream; the answer if its first transaction is later
     * @param end a mark of now, behind which nothing is read
     */
    static LogPlace lastBefore(ChangeStream stream, LogPlace begin, Instant time, long end) {
        long limit = ChronoUnit.MICROS.between(Instant.EPOCH, time.minus(MARGIN));
        LogPlace last = begin;
        boolean late = false;
        while (true) {
            StreamEvent event = stream.next(PATIENCE);
            if (event instanceof StreamEvent.Change change) {
                late |= change.commitMicros() > limit;
            } else if (event instanceof StreamEvent.Commit commit) {
                if (late || commit.place() > end) {
                    return last;
                }
                last = new LogPlace(commit.place(), commit.position().text());
            }
        }
    }
}
