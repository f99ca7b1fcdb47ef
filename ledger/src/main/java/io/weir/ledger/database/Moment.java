package io.weir.ledger.database;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** What the last statement that looked at the clock of a transaction saw. */
final class Moment {
    private @Nullable Instant now;
    private @Nullable String transactionId;

    void set(Instant time, @Nullable String transaction) {
        now = time;
        transactionId = transaction;
    }

    /** The time, once; whoever asks again has to look again. */
    @Nullable
    Instant take() {
        Instant time = now;
        now = null;
        return time;
    }

    /** Null if nothing was locked or written when the clock was read. */
    @Nullable
    String transactionId() {
        return transactionId;
    }
}
