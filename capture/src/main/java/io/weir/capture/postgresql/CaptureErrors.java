package io.weir.capture.postgresql;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;

/** Why a stream ended, as a code. */
final class CaptureErrors {
    /** The only sign by which the engine tells a value that it cannot convert from other ends. */
    private static final String VALUE = "Failed to properly convert data value";

    private static final String CONNECTION_CLASS = "08";
    private static final String SHUTDOWN_CLASS = "57P";
    private static final String IN_USE = "55006";
    private static final String PREREQUISITE = "55000";
    private static final String NO_OBJECT = "42704";

    private CaptureErrors() {}

    static WeirException ended(@Nullable Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof WeirException known) {
                return known.with(known.details());
            }
        }
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof SQLException sql && sql.getSQLState() != null) {
                return ofState(sql.getSQLState(), sql);
            }
        }
        String reason = deepest(failure);
        return new WeirException(
                reason.startsWith(VALUE)
                        ? ErrorCode.SOURCE_VALUE_UNREPRESENTABLE
                        : ErrorCode.CAPTURE_FAILED,
                "Cannot read the change stream: " + reason,
                failure);
    }

    private static WeirException ofState(String state, SQLException sql) {
        ErrorCode code = ErrorCode.CAPTURE_FAILED;
        if (state.startsWith(CONNECTION_CLASS) || state.startsWith(SHUTDOWN_CLASS)) {
            code = ErrorCode.SOURCE_CONNECTION_LOST;
        } else if (state.equals(IN_USE)) {
            code = ErrorCode.CAPTURE_SLOT_BUSY;
        } else if (state.equals(PREREQUISITE) || state.equals(NO_OBJECT)) {
            code = ErrorCode.CAPTURE_SLOT_LOST;
        }
        return new WeirException(
                code,
                "Cannot read the change stream: " + sql.getMessage() + " (sqlstate=" + state + ")",
                sql);
    }

    private static String deepest(@Nullable Throwable failure) {
        Throwable at = failure;
        while (at != null && at.getCause() != null) {
            at = at.getCause();
        }
        return at == null ? "it ended" : String.valueOf(at.getMessage());
    }

    static WeirException interrupted(InterruptedException cause) {
        return new WeirException(
                ErrorCode.INTERRUPTED,
                "Cannot read the change stream: the thread was interrupted",
                cause);
    }
}
