package io.weir.ingest;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.ErrorKind;
import io.weir.core.error.WeirException;

import org.jspecify.annotations.Nullable;

/** What every call of a connection throws; the types below it say what is affected. */
public class StreamingException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    public StreamingException(ErrorCode code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public final ErrorCode code() {
        return code;
    }

    /** What to do. */
    public final String hint() {
        return getCause() instanceof WeirException known ? known.hint() : code.hint();
    }

    /** Whether the same call may succeed later with nothing changed by the caller. */
    public final boolean isRetriable() {
        return code.kind() == ErrorKind.TRANSIENT
                || code.kind() == ErrorKind.UNKNOWN_OUTCOME
                || code == ErrorCode.TABLE_MOVED;
    }

    /** The error of a call on the table. */
    static StreamingException of(WeirException e) {
        return switch (e.code()) {
            case TARGET_TABLE_NOT_FOUND, TARGET_SCHEMA_MISMATCH, TABLE_FOREIGN_WRITE ->
                new InvalidTable(e.code(), e.text(), e);
            case DISK_FULL, FILE_UNREADABLE -> new StreamingIOFailure(e.code(), e.text(), e);
            default -> new TransactionError(e.code(), e.text(), e);
        };
    }
}
