package io.weir.source;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

/** One reason why a table cannot be read as its spec says. */
public record Refusal(ErrorCode code, String message, String hint) {
    public Refusal(ErrorCode code, String message) {
        this(code, message, code.hint());
    }

    public WeirException exception() {
        return new WeirException(code, message, hint, null);
    }
}
