package io.weir.table;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.jdbc.UncheckedInterruptedException;
import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;

/** Turns what Iceberg, its catalog and the local disk throw into codes, by type and SQLSTATE. */
final class IcebergErrors {
    private static final String CONNECTION_CLASS = "08";
    private static final String AUTHORIZATION_CLASS = "28";
    private static final String PRIVILEGE = "42501";
    private static final String NO_DATABASE = "3D000";

    /** Shut down, crashed, starting up, out of connections. */
    private static final Set<String> SERVER_AWAY = Set.of("57P01", "57P02", "57P03", "53300");

    private static final Set<String> DISK_FULL_TEXTS =
            Set.of("No space left on device", "Disk quota exceeded");

    private IcebergErrors() {}

    /**
     * The error of an action that failed.
     *
     * @param action "Cannot …", without a reason
     */
    static WeirException of(String action, Throwable thrown) {
        if (thrown instanceof WeirException known) {
            return known;
        }
        Optional<WeirException> full = diskFull(action, thrown);
        if (full.isPresent()) {
            return full.get();
        }
        SQLException sql = find(thrown, SQLException.class);
        if (sql != null) {
            return ofSql(action, sql, thrown);
        }
        ErrorCode code = codeOf(thrown);
        return new WeirException(code, action + ": " + reason(thrown), thrown);
    }

    private static ErrorCode codeOf(Throwable thrown) {
        if (thrown instanceof NoSuchTableException) {
            return ErrorCode.TARGET_TABLE_NOT_FOUND;
        }
        if (thrown instanceof CommitFailedException) {
            return ErrorCode.TABLE_MOVED;
        }
        if (thrown instanceof CommitStateUnknownException) {
            return ErrorCode.TABLE_COMMIT_UNKNOWN;
        }
        // Iceberg's pools end with the process, a moment before its work does.
        if (thrown instanceof UncheckedInterruptedException
                || find(thrown, RejectedExecutionException.class) != null) {
            return ErrorCode.INTERRUPTED;
        }
        boolean unreadable =
                thrown instanceof NotFoundException || find(thrown, EOFException.class) != null;
        if (unreadable) {
            return ErrorCode.FILE_UNREADABLE;
        }
        // Iceberg refuses through its preconditions, which throw the two general types.
        boolean refused = thrown instanceof ValidationException
                || thrown instanceof AlreadyExistsException
                || thrown instanceof UncheckedIOException
                || thrown instanceof InvalidPathException
                || thrown.getClass() == IllegalArgumentException.class
                || thrown.getClass() == IllegalStateException.class;
        return refused ? ErrorCode.TABLE_COMMIT_FAILED : ErrorCode.INTERNAL;
    }

    private static WeirException ofSql(String action, SQLException sql, Throwable thrown) {
        String state = sql.getSQLState();
        String stateText = state == null ? "none" : state;
        String message = action + ": " + reason(sql) + " (sqlstate=" + stateText + ")";
        if (state == null || state.equals(PRIVILEGE)) {
            return new WeirException(ErrorCode.TABLE_COMMIT_FAILED, message, thrown);
        }
        if (state.startsWith(AUTHORIZATION_CLASS) || state.equals(NO_DATABASE)) {
            return new WeirException(
                    ErrorCode.CATALOG_UNREACHABLE,
                    message,
                    "Check database, user and password of the catalog.",
                    thrown);
        }
        // The driver has no state for an answer that it cannot understand.
        boolean away = state.isEmpty()
                || state.startsWith(CONNECTION_CLASS)
                || SERVER_AWAY.contains(state);
        return new WeirException(
                away ? ErrorCode.CATALOG_UNREACHABLE : ErrorCode.TABLE_COMMIT_FAILED,
                message,
                thrown);
    }

    private static Optional<WeirException> diskFull(String action, Throwable thrown) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            String text = at.getMessage();
            boolean full = at instanceof IOException
                    && text != null
                    && DISK_FULL_TEXTS.stream().anyMatch(text::endsWith);
            if (full) {
                return Optional.of(
                        new WeirException(ErrorCode.DISK_FULL, action + ": " + text, thrown));
            }
        }
        return Optional.empty();
    }

    private static <T extends Throwable> @Nullable T find(Throwable thrown, Class<T> type) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (type.isInstance(at)) {
                return type.cast(at);
            }
        }
        return null;
    }

    private static String reason(Throwable thrown) {
        String text = thrown.getMessage();
        return text == null ? thrown.getClass().getSimpleName() : text;
    }
}
