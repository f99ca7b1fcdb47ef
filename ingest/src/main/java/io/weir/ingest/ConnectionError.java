package io.weir.ingest;

import io.weir.core.error.ErrorCode;

import org.jspecify.annotations.Nullable;

/** A connection cannot be made: wrong settings, or nobody answers. */
public final class ConnectionError extends StreamingException {
    private static final long serialVersionUID = 1L;

    public ConnectionError(ErrorCode code, String message, @Nullable Throwable cause) {
        super(code, message, cause);
    }
}
