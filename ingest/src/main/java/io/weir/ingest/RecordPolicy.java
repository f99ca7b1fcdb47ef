package io.weir.ingest;

import org.jspecify.annotations.Nullable;

import java.io.IOException;

/** What happens to a record with a value that its column cannot hold. */
public final class RecordPolicy {
    private enum Kind {
        REJECT,
        NULL,
        DEAD_LETTER
    }

    private static final RecordPolicy REJECT = new RecordPolicy(Kind.REJECT, null);
    private static final RecordPolicy NULL = new RecordPolicy(Kind.NULL, null);

    private final Kind kind;
    private final @Nullable DeadLetters letters;

    private RecordPolicy(Kind kind, @Nullable DeadLetters letters) {
        this.kind = kind;
        this.letters = letters;
    }

    /** Takes rejected records; each is handed over once, also if its transaction is aborted. */
    @FunctionalInterface
    public interface DeadLetters {
        void accept(RejectedRecord record) throws IOException;
    }

    /** The call fails with {@link SerializationError}; the transaction stays open. */
    public static RecordPolicy reject() {
        return REJECT;
    }

    /**
     * A value that cannot be read becomes NULL and is counted. Records that are wrong as a whole,
     * and values of required columns, are rejected.
     */
    public static RecordPolicy nullValues() {
        return NULL;
    }

    /** The record goes to a place of its own, the call succeeds. */
    public static RecordPolicy deadLetter(DeadLetters letters) {
        return new RecordPolicy(Kind.DEAD_LETTER, letters);
    }

    boolean nullsValues() {
        return kind == Kind.NULL;
    }

    /** Fails or hands over. */
    void reject(RejectedRecord record) throws StreamingException {
        if (letters == null) {
            throw new SerializationError(record);
        }
        try {
            letters.accept(record);
        } catch (IOException e) {
            throw new StreamingIOFailure(
                    io.weir.core.error.ErrorCode.DISK_FULL,
                    "Cannot keep rejected record " + record.number() + ": " + e.getMessage(),
                    e);
        }
    }
}
