package io.weir.table;

import io.weir.core.publish.PublishAttempt;
import io.weir.core.row.Balance;

import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.UpdateProperties;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The words that Weir writes into snapshot summaries and table properties, and reads there. */
final class SnapshotSummary {
    static final String RUN = "weir.run";
    static final String EPOCH = "weir.epoch";
    static final String TOKEN = "weir.token";
    static final String FENCE_EPOCH = "weir.fence.epoch";
    static final String BALANCE_ROWS = "weir.balance.rows";
    static final String BALANCE_DIGEST = "weir.balance.digest";
    static final String BALANCE_SNAPSHOT = "weir.balance.snapshot";
    static final String REMOVED_ROWS = "weir.removed.rows";
    static final String REMOVED_DIGEST = "weir.removed.digest";
    static final String DELTA_ROWS = "weir.delta.rows";
    static final String DELTA_DIGEST = "weir.delta.digest";

    private static final int TOKEN_HASH_BYTES = 8;

    private SnapshotSummary() {}

    /** Property of the latest publish to a target. */
    static String publishKey(String target) {
        return "weir.publish." + target;
    }

    /** Property of the latest fence of a target. */
    static String fenceKey(String target) {
        return "weir.fence." + target;
    }

    /** Value of {@link #publishKey}. */
    static String publishValue(PublishAttempt attempt) {
        return attempt.runId() + ":" + attempt.epoch() + ":" + hash(attempt.token());
    }

    /** The epoch in a value of {@link #publishKey}; 0 if the text is none. */
    static long publishEpoch(@Nullable String value) {
        if (value == null) {
            return 0;
        }
        int from = value.indexOf(':') + 1;
        int to = value.indexOf(':', from);
        return from > 0 && to > from ? number(value.substring(from, to)) : 0;
    }

    /** The first bytes of the token's SHA-256: enough to recognise it, too little to use it. */
    static String hash(UUID token) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(token.toString().getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(digest, 0, TOKEN_HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    /** Signs a snapshot that an attempt makes. */
    static void sign(SnapshotUpdate<?> update, PublishAttempt attempt) {
        update.set(RUN, attempt.runId().toString());
        update.set(EPOCH, Long.toString(attempt.epoch()));
        update.set(TOKEN, hash(attempt.token()));
    }

    /** Writes what the snapshot takes away; what it adds stays the delta. */
    static void enterRemoved(SnapshotUpdate<?> update, Balance removed) {
        update.set(REMOVED_ROWS, Long.toString(removed.rows()));
        update.set(REMOVED_DIGEST, removed.digestText());
    }

    /** Writes the absolute balance and what the snapshot adds to it. */
    static void enter(SnapshotUpdate<?> update, Balance closing, Balance delta) {
        update.set(BALANCE_ROWS, Long.toString(closing.rows()));
        update.set(BALANCE_DIGEST, closing.digestText());
        update.set(DELTA_ROWS, Long.toString(delta.rows()));
        update.set(DELTA_DIGEST, delta.digestText());
    }

    /** Writes the absolute balance of a snapshot into the properties of the table. */
    static void enter(UpdateProperties properties, Balance closing, long snapshotId) {
        properties.set(BALANCE_ROWS, Long.toString(closing.rows()));
        properties.set(BALANCE_DIGEST, closing.digestText());
        properties.set(BALANCE_SNAPSHOT, Long.toString(snapshotId));
    }

    /** Whether the attempt made this snapshot. */
    static boolean isOf(Snapshot snapshot, PublishAttempt attempt) {
        Map<String, String> summary = snapshot.summary();
        return attempt.runId().toString().equals(summary.get(RUN))
                && Long.toString(attempt.epoch()).equals(summary.get(EPOCH))
                && hash(attempt.token()).equals(summary.get(TOKEN));
    }

    static boolean isFence(Snapshot snapshot) {
        return snapshot.summary().containsKey(FENCE_EPOCH);
    }

    /** The absolute balance in a summary or in table properties, if there is one. */
    static Optional<Balance> balance(Map<String, String> values) {
        String rows = values.get(BALANCE_ROWS);
        String digest = values.get(BALANCE_DIGEST);
        if (rows == null || digest == null) {
            return Optional.empty();
        }
        return Optional.of(Balance.of(number(rows), digest));
    }

    /** What a number in a property says; 0 where nothing is said. */
    static long number(@Nullable String text) {
        return text == null ? 0 : Long.parseLong(text);
    }
}
