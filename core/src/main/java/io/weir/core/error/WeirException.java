package io.weir.core.error;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/**
 * The only exception that Weir throws on purpose. The message follows one grammar, <em>Cannot verb
 * thing name: reason (fact=value, …)</em>, and never holds a secret.
 */
public final class WeirException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final String hint;
    private final transient Map<String, Object> details;

    public WeirException(ErrorCode code, String message) {
        this(code, message, code.hint(), null);
    }

    public WeirException(ErrorCode code, String message, @Nullable Throwable cause) {
        this(code, message, code.hint(), cause);
    }

    public WeirException(ErrorCode code, String message, String hint, @Nullable Throwable cause) {
        this(code, message, hint, cause, Map.of());
    }

    private WeirException(
            ErrorCode code,
            String message,
            String hint,
            @Nullable Throwable cause,
            Map<String, Object> details) {
        super(message, cause);
        this.code = code;
        this.hint = hint;
        this.details = details;
    }

    /**
     * An error whose facts a program reads.
     *
     * @param details texts, numbers, booleans and lists of texts by name
     */
    public static WeirException of(ErrorCode code, String message, Map<String, Object> details) {
        return new WeirException(code, message, code.hint(), null, Map.copyOf(details));
    }

    /** The same error with facts that a program reads; this one is its cause. */
    public WeirException with(Map<String, Object> facts) {
        return new WeirException(code, text(), hint, this, Map.copyOf(facts));
    }

    public ErrorCode code() {
        return code;
    }

    public String hint() {
        return hint;
    }

    /** Facts for programs; empty where the message is all there is. */
    public Map<String, Object> details() {
        return details;
    }

    /** The message, never null, unlike {@link #getMessage()} in the eyes of a null checker. */
    public String text() {
        String message = getMessage();
        return message == null ? code.meaning() : message;
    }
}
