package io.weir.ingest;

import io.weir.core.error.ErrorCode;

import org.jspecify.annotations.Nullable;

/** A call that the state of the transaction does not allow. */
public final class InvalidTransactionState extends TransactionError {
    private static final long serialVersionUID = 1L;

    public InvalidTransactionState(ErrorCode code, String message, @Nullable Throwable cause) {
        super(code, message, cause);
    }
}
