package io.weir.ingest;

import io.weir.core.error.ErrorCode;

import org.jspecify.annotations.Nullable;

/**
 * A file or a stream failed; the open transaction is aborted, unless only the stream of the client
 * could not be read.
 */
public final class StreamingIOFailure extends StreamingException {
    private static final long serialVersionUID = 1L;

    public StreamingIOFailure(ErrorCode code, String message, @Nullable Throwable cause) {
        super(code, message, cause);
    }
}
