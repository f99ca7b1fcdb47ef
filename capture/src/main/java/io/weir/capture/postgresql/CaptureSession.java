package io.weir.capture.postgresql;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.source.SourceConfig;

import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** One connection that asks the catalog of the source. */
final class CaptureSession implements AutoCloseable {
    private static final int CONNECT_SECONDS = 10;
    private static final int SOCKET_SECONDS = 60;
    private static final String CONNECTION_CLASS = "08";
    private static final String AUTHORIZATION_CLASS = "28";
    private static final String NO_DATABASE = "3D000";
    private static final String PRIVILEGE = "42501";

    private final SourceConfig config;
    private final Connection connection;

    private CaptureSession(SourceConfig config, Connection connection) {
        this.config = config;
        this.connection = connection;
    }

    static CaptureSession open(SourceConfig config) {
        Properties properties = new Properties();
        PGProperty.USER.set(properties, config.user());
        if (config.password() != null) {
            PGProperty.PASSWORD.set(properties, config.password());
        }
        PGProperty.CONNECT_TIMEOUT.set(properties, CONNECT_SECONDS);
        PGProperty.SOCKET_TIMEOUT.set(properties, SOCKET_SECONDS);
        PGProperty.APPLICATION_NAME.set(properties, "weir");
        try {
            @Nullable Connection connection = new Driver().connect(config.url(), properties);
            if (connection == null) {
                throw new SQLException("The driver does not know the URL", "08001");
            }
            return new CaptureSession(config, connection);
        } catch (SQLException e) {
            throw failure(config, e);
        }
    }

    /** Makes one object of each row. */
    @FunctionalInterface
    interface RowMapper<T> {
        T map(ResultSet row) throws SQLException;
    }

    <T> List<T> query(String sql, RowMapper<T> mapper, Object... parameters) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            List<T> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(mapper.map(rows));
                }
            }
            return found;
        } catch (SQLException e) {
            throw failure(config, e);
        }
    }

    static WeirException failure(SourceConfig config, SQLException e) {
        String state = e.getSQLState() == null ? "none" : e.getSQLState();
        ErrorCode code = ErrorCode.SOURCE_QUERY_FAILED;
        if (state.startsWith(CONNECTION_CLASS)) {
            code = ErrorCode.SOURCE_UNREACHABLE;
        } else if (state.startsWith(AUTHORIZATION_CLASS) || state.equals(NO_DATABASE)) {
            code = ErrorCode.SOURCE_AUTHENTICATION_FAILED;
        } else if (state.equals(PRIVILEGE)) {
            code = ErrorCode.SOURCE_PRIVILEGE_MISSING;
        }
        return new WeirException(
                code,
                "Cannot capture source " + config.name() + ": " + e.getMessage() + " (sqlstate="
                        + state + ")",
                e);
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw failure(config, e);
        }
    }
}
