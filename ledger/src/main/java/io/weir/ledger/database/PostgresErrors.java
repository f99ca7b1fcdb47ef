package io.weir.ledger.database;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.ledger.books.Constraint;

import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Turns what the driver throws into codes, by SQLSTATE and name of constraint. */
final class PostgresErrors {
    private static final String UNIQUE_VIOLATION = "23505";
    private static final Set<String> RETRIED = Set.of("40001", "40P01");

    private static final Map<String, ErrorCode> STATES = Map.of(
            "28P01", ErrorCode.LEDGER_INVALID,
            "28000", ErrorCode.LEDGER_INVALID,
            "3D000", ErrorCode.LEDGER_INVALID,
            "42501", ErrorCode.LEDGER_INVALID,
            "40001", ErrorCode.LEDGER_UNREACHABLE,
            "40P01", ErrorCode.LEDGER_UNREACHABLE,
            "25006", ErrorCode.LEDGER_UNREACHABLE,
            "55P03", ErrorCode.LEDGER_UNREACHABLE);

    /** Connection lost, resources used up, server going down. */
    private static final Set<String> UNREACHABLE_CLASSES = Set.of("08", "53", "57");

    private PostgresErrors() {}

    /** Whether the same transaction may succeed when it is run again. */
    static boolean isRetried(SQLException error) {
        String state = error.getSQLState();
        if (state == null) {
            return false;
        }
        return RETRIED.contains(state)
                || (state.equals(UNIQUE_VIOLATION)
                        && constraint(error).map(Constraint::isRetried).orElse(false));
    }

    /**
     * The exception to throw instead.
     *
     * @param action what could not be done, such as {@code open ledger host/weir}
     */
    static WeirException translate(String action, SQLException error) {
        return new WeirException(
                code(error),
                "Cannot " + action + ": " + firstLine(error) + " (sqlstate=" + error.getSQLState()
                        + ")",
                error);
    }

    /** The nearest error of the driver in a chain of causes. */
    static Optional<SQLException> find(Throwable error) {
        Throwable cause = error;
        while (cause != null) {
            if (cause instanceof SQLException sql) {
                return Optional.of(sql);
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }

    static ErrorCode code(SQLException error) {
        String state = error.getSQLState();
        // The driver gives no state, or an empty one, where it could not understand the server.
        if (error instanceof SQLTransientConnectionException || state == null || state.isEmpty()) {
            return ErrorCode.LEDGER_UNREACHABLE;
        }
        if (state.equals(UNIQUE_VIOLATION)) {
            return constraint(error).map(Constraint::code).orElse(ErrorCode.LEDGER_INVARIANT);
        }
        if (UNREACHABLE_CLASSES.contains(state.substring(0, Math.min(2, state.length())))) {
            return ErrorCode.LEDGER_UNREACHABLE;
        }
        return STATES.getOrDefault(state, ErrorCode.LEDGER_INVARIANT);
    }

    private static Optional<Constraint> constraint(SQLException error) {
        if (error instanceof PSQLException server) {
            ServerErrorMessage message = server.getServerErrorMessage();
            String name = message == null ? null : message.getConstraint();
            return name == null ? Optional.empty() : Constraint.named(name);
        }
        return Optional.empty();
    }

    private static String firstLine(SQLException error) {
        String message = error.getMessage();
        if (message == null) {
            return error.getClass().getSimpleName();
        }
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }
}
