package io.weir.core.error;

/** What a caller can do about an error; exit codes and HTTP statuses follow from it. */
public enum ErrorKind {
    /** The caller can fix it. */
    INVALID(2, 422),
    /** There is no such thing. */
    NOT_FOUND(3, 404),
    /** True now, maybe not later: a state or a token moved. */
    CONFLICT(4, 409),
    /** Outside of Weir and likely to pass. */
    TRANSIENT(5, 503),
    /** Outside of Weir and will not pass by itself. */
    TERMINAL(6, 502),
    /** It may or may not have happened; only looking tells. */
    UNKNOWN_OUTCOME(7, 500),
    /** An invariant of ours broke. */
    BUG(70, 500);

    private final int exitCode;
    private final int httpStatus;

    ErrorKind(int exitCode, int httpStatus) {
        this.exitCode = exitCode;
        this.httpStatus = httpStatus;
    }

    public int exitCode() {
        return exitCode;
    }

    public int httpStatus() {
        return httpStatus;
    }
}
