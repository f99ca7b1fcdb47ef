package io.weir.ingest;

import io.weir.core.error.ErrorCode;

import org.jspecify.annotations.Nullable;

/** A transaction cannot begin, or its commit was refused or has no known outcome. */
public class TransactionError extends StreamingException {
    private static final long serialVersionUID = 1L;

    public TransactionError(ErrorCode code, String message, @Nullable Throwable cause) {
        super(code, message, cause);
    }
}
