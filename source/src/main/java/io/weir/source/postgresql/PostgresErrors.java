package io.weir.source.postgresql;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import org.postgresql.util.ServerErrorMessage;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;

/**
 * Turns what driver and server say into codes, by SQLSTATE and type, never by text, because the
 * server may speak any language. Of a failed connection only the server's own words are kept: the
 * driver's may repeat the URL.
 */
final class PostgresErrors {
    /** The SQLSTATE of a statement that a cancel request ended. */
    static final String CANCELED = "57014";

    private static final String ROW_SECURITY_CHECK = "check_enable_rls";

    private PostgresErrors() {}

    /** No connection came about. */
    static WeirException connecting(Endpoint endpoint, SQLException error) {
        ErrorCode code = connectCode(state(error));
        String hint = state(error).equals("53300")
                ? "Raise max_connections of the server, or read with fewer readers."
                : code.hint();
        return new WeirException(
                code,
                "Cannot connect to source " + endpoint.source() + ": " + connectReason(error) + " ("
                        + endpoint.facts() + ")",
                hint,
                error);
    }

    private static ErrorCode connectCode(String state) {
        return switch (state) {
            // 08004: the server wants a password and there is none, or a method nobody knows.
            case "28000", "28P01", "08004" -> ErrorCode.SOURCE_AUTHENTICATION_FAILED;
            case "3D000" -> ErrorCode.CONFIG_INVALID;
            case "42501" -> ErrorCode.SOURCE_PRIVILEGE_MISSING;
            case "22023" -> ErrorCode.SOURCE_QUERY_FAILED;
            default -> ErrorCode.SOURCE_UNREACHABLE;
        };
    }

    private static String connectReason(SQLException error) {
        @Nullable ServerErrorMessage server = server(error);
        if (server != null) {
            return text(server);
        }
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnknownHostException) {
                return "the host is not known";
            }
            if (cause instanceof SocketTimeoutException) {
                return "the server did not answer in time";
            }
            if (cause instanceof NoRouteToHostException) {
                return "there is no route to the host";
            }
            if (cause instanceof ConnectException) {
                return "the connection was refused";
            }
        }
        return switch (state(error)) {
            case "08004" -> "the server asks for a password or a method that is not given";
            case "08P01" -> "the server does not speak the protocol of PostgreSQL";
            default -> "the connection broke off (sqlstate=" + state(error) + ")";
        };
    }

    /** A statement failed while something was done. */
    static WeirException during(Activity activity, SQLException error) {
        ErrorCode code = code(activity, error);
        String hint = code.hint();
        if (code == ErrorCode.SOURCE_PRIVILEGE_MISSING) {
            hint = activity.grantHint();
        }
        return new WeirException(
                code, "Cannot " + activity.action() + ": " + reason(error), hint, error);
    }

    private static ErrorCode code(Activity activity, SQLException error) {
        String state = state(error);
        if (activity.needsSnapshot() && isSnapshotGone(state)) {
            return ErrorCode.SOURCE_SNAPSHOT_EXPIRED;
        }
        if (state.startsWith("08")) {
            return ErrorCode.SOURCE_CONNECTION_LOST;
        }
        return switch (state) {
            // Terminated, crashed, starting up, idle too long, transaction too long.
            case "57P01", "57P02", "57P03", "57P05", "25P03", "25P04" ->
                ErrorCode.SOURCE_CONNECTION_LOST;
            // Snapshot too old; a standby had to remove rows that the snapshot needs.
            case "72000", "40001" -> ErrorCode.SOURCE_SNAPSHOT_EXPIRED;
            case "42501" ->
                isRowSecurity(error)
                        ? ErrorCode.SOURCE_ROWS_HIDDEN
                        : ErrorCode.SOURCE_PRIVILEGE_MISSING;
            // Bytes that are no UTF-8 in a database that does not check, or have no character
            // there.
            case "22021", "22P05" -> ErrorCode.SOURCE_VALUE_UNREPRESENTABLE;
            case "42P01", "3F000" -> ErrorCode.SOURCE_TABLE_NOT_FOUND;
            case "42703" -> ErrorCode.SOURCE_COLUMN_NOT_FOUND;
            case "55P03", "40P01" -> ErrorCode.SOURCE_LOCKED;
            default -> ErrorCode.SOURCE_QUERY_FAILED;
        };
    }

    /**
     * Bad identifier, unknown since 17, its holder ended, not supported here; a transaction that
     * failed holds nothing.
     */
    private static boolean isSnapshotGone(String state) {
        return switch (state) {
            case "22023", "42704", "55000", "0A000", "25P02" -> true;
            default -> false;
        };
    }

    private static boolean isRowSecurity(SQLException error) {
        @Nullable ServerErrorMessage server = server(error);
        return server != null && ROW_SECURITY_CHECK.equals(server.getRoutine());
    }

    private static String reason(SQLException error) {
        @Nullable ServerErrorMessage server = server(error);
        String state = " (sqlstate=" + state(error) + ")";
        if (server != null) {
            return text(server) + state;
        }
        return (state(error).startsWith("08")
                        ? "the connection to the server broke"
                        : "the driver failed, " + error.getMessage())
                + state;
    }

    private static String text(ServerErrorMessage server) {
        @Nullable String message = server.getMessage();
        return message == null ? "the server gave no reason" : message;
    }

    private static @Nullable ServerErrorMessage server(SQLException error) {
        return error instanceof PSQLException postgres ? postgres.getServerErrorMessage() : null;
    }

    static String state(SQLException error) {
        @Nullable String state = error.getSQLState();
        if (state == null) {
            return "none";
        }
        // The driver has no state for an answer that it cannot understand.
        return state.isEmpty() ? PSQLState.PROTOCOL_VIOLATION.getState() : state;
    }
}
