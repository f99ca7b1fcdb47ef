package io.weir.flow.replicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.capture.ChangeOp;
import io.weir.capture.ChangeStream;
import io.weir.capture.StreamEvent;
import io.weir.core.run.Position;
import io.weir.ledger.replica.LogPlace;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Queue;

class TimeInLogTest {
    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
    private static final LogPlace BEGIN = new LogPlace(5, "0/5");

    /** A log of transactions; nothing is confirmed. */
    private static final class Transactions implements ChangeStream {
        private final Queue<StreamEvent> events = new ArrayDeque<>();

        Transactions with(long place, @Nullable Instant time) {
            events.add(new StreamEvent.Begin("t" + place));
            if (time != null) {
                events.add(new StreamEvent.Change(
                        "public.t", 1, time.toEpochMilli() * 1000, ChangeOp.DELETE, null, null));
            }
            events.add(
                    new StreamEvent.Commit("t" + place, new Position("lsn", "0/" + place), place));
            return this;
        }

        @Override
        public @Nullable StreamEvent next(Duration patience) {
            return events.remove();
        }

        @Override
        public void confirm(StreamEvent.Commit commit) {
            throw new AssertionError("The source must not forget what is only looked at");
        }

        @Override
        public void close() {}
    }

    private static LogPlace place(Transactions log) {
        return TimeInLog.lastBefore(log, BEGIN, NOON, 100);
    }

    private static Instant before(long seconds) {
        return NOON.minusSeconds(seconds);
    }

    @Test
    void itIsBeforeTheFirstTransactionOfTheLastMinute() {
        assertThat(place(new Transactions()
                        .with(10, before(300))
                        .with(20, before(60))
                        .with(30, before(59))
                        .with(40, before(200))))
                .isEqualTo(new LogPlace(20, "0/20"));
    }

    @Test
    void itIsTheBeginIfEverythingIsLater() {
        assertThat(place(new Transactions().with(10, NOON))).isEqualTo(BEGIN);
    }

    /** Others' transactions have no changes here and tell no time. */
    @Test
    void itIsTheLastOneBeforeTheMarkIfNothingIsLater() {
        assertThat(place(new Transactions().with(10, before(300)).with(90, null).with(101, null)))
                .isEqualTo(new LogPlace(90, "0/90"));
    }
}
