package io.weir.core.error;

import org.jspecify.annotations.Nullable;

/**
 * The only exception that Weir throws on purpose. The message follows one grammar, <em>Cannot verb
 * thing name: reason (fact=value, …)</em>, and never holds a secret.
 */
public final class WeirException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final String hint;

    public WeirException(ErrorCode code, String message) {
        this(code, message, code.hint(), null);
    }

    public WeirException(ErrorCode code, String message, @Nullable Throwable cause) {
        this(code, message, code.hint(), cause);
    }

    public WeirException(ErrorCode code, String message, String hint, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
        this.hint = hint;
    }

    public ErrorCode code() {
        return code;
    }

    public String hint() {
        return hint;
    }

    /** The message, never null, unlike {@link #getMessage()} in the eyes of a null checker. */
    public String text() {
        String message = getMessage();
        return message == null ? code.meaning() : message;
    }
}
