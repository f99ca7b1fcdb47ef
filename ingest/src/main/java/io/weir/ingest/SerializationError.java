package io.weir.ingest;

import io.weir.core.error.ErrorCode;

/** A record cannot become a row. Nothing of it was taken; the transaction stays open. */
public final class SerializationError extends StreamingException {
    private static final long serialVersionUID = 1L;

    private final transient RejectedRecord record;

    SerializationError(RejectedRecord record) {
        super(ErrorCode.RECORD_INVALID, record.text(), null);
        this.record = record;
    }

    /** The record and what is wrong with it. */
    public RejectedRecord record() {
        return record;
    }
}
