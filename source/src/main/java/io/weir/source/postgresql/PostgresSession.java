package io.weir.source.postgresql;

import io.weir.source.SourceConfig;

import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;
import org.postgresql.copy.CopyOut;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * One connection with every setting that could change what is read or end it early. Nothing of the
 * role, the database or this machine shows through: zone, styles, encoding, timeouts.
 */
final class PostgresSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresSession.class);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LOGIN_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration NO_TIMEOUT = Duration.ZERO;

    private static final String SETTINGS = """
            set timezone = 'UTC';
            set datestyle = 'ISO, YMD';
            set intervalstyle = 'iso_8601';
            set extra_float_digits = 3;
            set bytea_output = 'hex';
            set client_encoding = 'UTF8';
            set row_security = off;
            set statement_timeout = 0;
            set idle_in_transaction_session_timeout = 0;
            set default_transaction_read_only = on;
            set application_name = 'weir';
            """;

    /** Settings that not every version has. */
    private static final String NEWER_SETTINGS = """
            select set_config(name, '0', false)
            from pg_settings
            where name in ('idle_session_timeout', 'transaction_timeout')
            """;

    private final Endpoint endpoint;
    private final Connection connection;

    private PostgresSession(Endpoint endpoint, Connection connection) {
        this.endpoint = endpoint;
        this.connection = connection;
    }

    /**
     * Connects, outside of a transaction.
     *
     * @param lockTimeout how long a statement waits for a lock
     */
    static PostgresSession open(SourceConfig config, Duration lockTimeout) {
        Endpoint endpoint = Endpoint.of(config);
        Connection connection;
        try {
            connection = connect(config);
        } catch (SQLException e) {
            throw PostgresErrors.connecting(endpoint, e);
        }
        PostgresSession session = new PostgresSession(endpoint, connection);
        Activity setting = Activity.of("set up a session of source " + config.name());
        boolean ready = false;
        try {
            session.execute(
                    SETTINGS + "set lock_timeout = " + lockTimeout.toMillis() + ";", setting);
            session.query(NEWER_SETTINGS, setting, row -> row.getString(1));
            ready = true;
        } finally {
            if (!ready) {
                session.close();
            }
        }
        return session;
    }

    private static Connection connect(SourceConfig config) throws SQLException {
        Properties properties = new Properties();
        PGProperty.USER.set(properties, config.user());
        if (config.password() != null) {
            PGProperty.PASSWORD.set(properties, config.password());
        }
        PGProperty.CONNECT_TIMEOUT.set(properties, (int) CONNECT_TIMEOUT.toSeconds());
        PGProperty.SOCKET_TIMEOUT.set(properties, (int) LOGIN_TIMEOUT.toSeconds());
        PGProperty.TCP_KEEP_ALIVE.set(properties, true);
        PGProperty.APPLICATION_NAME.set(properties, "weir");
        @Nullable Connection connection = new Driver().connect(config.url(), properties);
        if (connection == null) {
            throw new SQLException("The driver does not know the URL", "08001");
        }
        // A login must be quick, a scan need not be; keepalive finds a server that is gone.
        silenceMax(connection, NO_TIMEOUT);
        return connection;
    }

    private static void silenceMax(Connection connection, Duration timeout) throws SQLException {
        long millis = Math.min(timeout.toMillis(), Integer.MAX_VALUE);
        connection.setNetworkTimeout(Runnable::run, (int) millis);
    }

    /**
     * How long the server may send nothing while something is waited for.
     *
     * @param timeout zero: forever
     */
    void silenceMax(Duration timeout, Activity activity) {
        try {
            silenceMax(connection, timeout);
        } catch (SQLException e) {
            throw PostgresErrors.during(activity, e);
        }
    }

    /** Whether the server still answers, and the transaction has not failed. */
    void check(Activity activity) {
        silenceMax(CHECK_TIMEOUT, activity);
        execute("select", activity);
        silenceMax(NO_TIMEOUT, activity);
    }

    Endpoint endpoint() {
        return endpoint;
    }

    /** Runs statements without results. */
    void execute(String sql, Activity activity) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw PostgresErrors.during(activity, e);
        }
    }

    /** Asks the server, over a connection of its own, to end what this session is running. */
    void cancel(Activity activity) {
        try {
            connection.unwrap(PGConnection.class).cancelQuery();
        } catch (SQLException e) {
            throw PostgresErrors.during(activity, e);
        }
    }

    /**
     * Runs statements after a cancel request, which may have come too late for what it was meant
     * for and hit these instead. One round trip later it has arrived.
     */
    void executeAfterCancel(String sql, Activity activity) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            if (!PostgresErrors.state(e).equals(PostgresErrors.CANCELED)) {
                throw PostgresErrors.during(activity, e);
            }
            execute(sql, activity);
        }
    }

    /** Makes one object of each row. */
    @FunctionalInterface
    interface RowMapper<T> {
        T map(ResultSet row) throws SQLException;
    }

    <T> List<T> query(String sql, Activity activity, RowMapper<T> mapper, Object... parameters) {
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
            throw PostgresErrors.during(activity, e);
        }
    }

    CopyOut copyOut(String sql, Activity activity) {
        try {
            return connection.unwrap(PGConnection.class).getCopyAPI().copyOut(sql);
        } catch (SQLException e) {
            throw PostgresErrors.during(activity, e);
        }
    }

    /** Ends the connection, whatever it is doing; the server rolls back. */
    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            // The connection is gone either way, and so is what it held.
            LOG.atDebug().addKeyValue("source", endpoint.source()).setCause(e).log("Close failed");
        }
    }
}
