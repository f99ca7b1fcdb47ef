package io.weir.table;

import org.apache.iceberg.jdbc.JdbcClientPool;
import org.apache.iceberg.jdbc.UncheckedSQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;

/**
 * Connections to the catalog's database. Never runs an action twice: Iceberg's own pool repeats a
 * commit after a lost reply, finds its own commit in the way and deletes the manifests of what it
 * takes for a failure. A connection is tested before it is used again and closed after any failure.
 */
final class CatalogConnections extends JdbcClientPool {
    private static final Logger LOG = LoggerFactory.getLogger(CatalogConnections.class);
    private static final int IDLE_MAX = 4;
    private static final int TEST_SECONDS = 5;
    private static final String CONNECT_SECONDS = "10";
    private static final String ANSWER_SECONDS = "60";

    private final CatalogConfig config;

    private final BlockingDeque<Connection> idle = new LinkedBlockingDeque<>(IDLE_MAX);
    private volatile boolean ended;

    CatalogConnections(CatalogConfig config) {
        super(1, config.bareUrl(), Map.of());
        this.config = config;
    }

    /** A new connection of its own, in the catalog's schema. */
    static Connection connect(CatalogConfig config) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", config.user());
        String password = config.password();
        if (password != null) {
            properties.setProperty("password", password);
        }
        properties.setProperty("ApplicationName", "weir-catalog");
        properties.setProperty("connectTimeout", CONNECT_SECONDS);
        properties.setProperty("socketTimeout", ANSWER_SECONDS);
        properties.setProperty("tcpKeepAlive", "true");
        return DriverManager.getConnection(config.catalogUrl(), properties);
    }

    @Override
    public <R> R run(Action<R, Connection, SQLException> action)
            throws SQLException, InterruptedException {
        return run(action, false);
    }

    @Override
    public <R> R run(Action<R, Connection, SQLException> action, boolean retry)
            throws SQLException, InterruptedException {
        return run(action, take(true));
    }

    /**
     * The same for who can find out what became of a lost action, and asked something just now: the
     * connection is not tested.
     */
    <R> R runAtOnce(Action<R, Connection, SQLException> action)
            throws SQLException, InterruptedException {
        return run(action, take(false));
    }

    private <R> R run(Action<R, Connection, SQLException> action, Connection connection)
            throws SQLException, InterruptedException {
        boolean healthy = false;
        try {
            R result = action.run(connection);
            healthy = true;
            return result;
        } finally {
            if (healthy) {
                give(connection);
            } else {
                close(connection);
            }
        }
    }

    /** Asks without testing the connection first: a question may be asked again on a new one. */
    <R> R ask(Action<R, Connection, SQLException> question)
            throws SQLException, InterruptedException {
        Connection known = idle.poll();
        if (known == null) {
            return run(question);
        }
        try {
            R answer = question.run(known);
            give(known);
            return answer;
        } catch (SQLException e) {
            LOG.atDebug().setCause(e).log("Asked again on a new connection");
            close(known);
            return run(question);
        }
    }

    @Override
    protected Connection newClient() {
        try {
            return connect(config);
        } catch (SQLException e) {
            throw new UncheckedSQLException(e, "Cannot connect to the catalog");
        }
    }

    /** A connection that cannot be closed is of no further use either way. */
    @Override
    protected void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.atDebug().setCause(e).log("Connection to the catalog not closed");
        }
    }

    @Override
    public void close() {
        ended = true;
        for (Connection next = idle.poll(); next != null; next = idle.poll()) {
            close(next);
        }
    }

    private Connection take(boolean tested) throws SQLException {
        Connection connection = idle.poll();
        if (connection == null) {
            return newClient();
        }
        if (!tested || connection.isValid(TEST_SECONDS)) {
            return connection;
        }
        close(connection);
        return newClient();
    }

    private void give(Connection connection) {
        if (!idle.offerFirst(connection)) {
            close(connection);
        } else if (ended) {
            close();
        }
    }
}
