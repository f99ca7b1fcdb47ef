package io.weir.ingest.row;

import org.jspecify.annotations.Nullable;

/** Why a record cannot become a row. Made only for bad records, so it may cost something. */
public final class RecordException extends Exception {
    private static final long serialVersionUID = 1L;

    private final @Nullable String column;
    private final @Nullable String value;
    private final String reason;

    /** The record as a whole is wrong. */
    public RecordException(String reason) {
        this(null, null, reason);
    }

    /** One value is wrong. */
    public RecordException(@Nullable String column, @Nullable String value, String reason) {
        super(reason, null, false, false);
        this.column = column;
        this.value = value;
        this.reason = reason;
    }

    public @Nullable String column() {
        return column;
    }

    public @Nullable String value() {
        return value;
    }

    public String reason() {
        return reason;
    }
}
