package io.weir.ingest;

import io.weir.core.error.ErrorCode;

import org.jspecify.annotations.Nullable;

/** The table is not there, or takes no rows from Weir. */
public final class InvalidTable extends StreamingException {
    private static final long serialVersionUID = 1L;

    public InvalidTable(ErrorCode code, String message, @Nullable Throwable cause) {
        super(code, message, cause);
    }
}
