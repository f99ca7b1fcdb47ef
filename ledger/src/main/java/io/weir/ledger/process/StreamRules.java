package io.weir.ledger.process;

import io.weir.core.run.StreamState;
import io.weir.core.run.StreamTransaction;

import java.time.Instant;

/** What becomes of an open transaction of a streaming connection. */
public final class StreamRules {
    private StreamRules() {}

    /** As it is at a time: OPEN ends with its lease, a commit on its way ends by itself. */
    public static StreamTransaction at(StreamTransaction row, Instant now) {
        boolean over = row.state() == StreamState.OPEN && !now.isBefore(row.leaseUntil());
        return over ? row.moved(StreamState.EXPIRED, row.records(), row.leaseUntil()) : row;
    }

    /** After a sign of its connection. */
    public static StreamTransaction prolonged(StreamTransaction row, long records, Instant now) {
        StreamTransaction seen = at(row, now);
        return seen.state().isAlive()
                ? seen.moved(seen.state(), records, now.plus(seen.timeout()))
                : seen;
    }

    /** After its connection said that it is going to commit. */
    public static StreamTransaction committing(StreamTransaction row, Instant now) {
        StreamTransaction seen = at(row, now);
        return seen.state().isAlive()
                ? seen.moved(StreamState.COMMITTING, seen.records(), now.plus(seen.timeout()))
                : seen;
    }
}
