package io.weir.ingest;

import io.weir.core.error.ErrorCode;

import org.jspecify.annotations.Nullable;

/** Rows of one transaction belong to more partitions than may be open at once. */
public final class PartitionCreationFailed extends StreamingException {
    private static final long serialVersionUID = 1L;

    public PartitionCreationFailed(ErrorCode code, String message, @Nullable Throwable cause) {
        super(code, message, cause);
    }
}
