package io.weir.capture;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * The changes of a database, transaction after transaction in the order of their commits. For one
 * thread. Transactions of any size pass in bounded memory: the source keeps what was not yet read.
 *
 * <p>After an end of any kind, a kill included, the next stream on the slot begins with the first
 * transaction that was not confirmed; confirmed ones may come again if the confirmation was lost.
 */
public interface ChangeStream extends AutoCloseable {
    /** In the details of an error: the one table that it concerns; others can be read on. */
    String TABLE = "table";

    /** In the details of an error: the key of the row, {@code id=42}. */
    String KEY = "key";

    /** In the details of an error: what had to be there. */
    String EXPECTED = "expected";

    /** In the details of an error: what is there. */
    String FOUND = "found";

    /**
     * The next event.
     *
     * @return null if none came in time; that is no sign of a fault
     * @throws io.weir.core.error.WeirException {@code SOURCE_VALUE_UNREPRESENTABLE} for a value
     *     that cannot be held, {@code CAPTURE_SCHEMA_CHANGED}, {@code CAPTURE_IDENTITY_UNFIT},
     *     {@code CAPTURE_STREAM_BROKEN} if the stream contradicts itself, {@code CAPTURE_SLOT_LOST}
     *     and {@code CAPTURE_FAILED} as the source says. Then nothing more comes: the slot stays
     *     where it was confirmed last
     */
    @Nullable
    StreamEvent next(Duration patience);

    /**
     * Lets the source forget everything up to a commit: to be called only after the caller has made
     * it durable.
     *
     * @param commit that {@link #next} returned
     */
    void confirm(StreamEvent.Commit commit);

    /** Ends the stream; the slot stays. */
    @Override
    void close();
}
