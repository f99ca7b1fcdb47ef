package io.weir.ledger.embedded;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The PostgreSQL server of a home. It belongs to nobody: commands attach to it, and it stops when
 * it was not used for a while.
 */
public final class EmbeddedServer {
    /** Milliseconds without clients after which the server stops; a setting like all others. */
    public static final String IDLE_SETTING = "weir.idle_after_ms";

    static final String IDLE_DEFAULT_MS = "60000";

    private static final Duration STOP_LIMIT = Duration.ofSeconds(90);
    private static final Duration KILL_LIMIT = Duration.ofSeconds(10);
    private static final Duration KEEPER_LIMIT = Duration.ofSeconds(10);
    private static final int CONNECT_SECONDS = 20;
    private static final Pattern SETTING = Pattern.compile("[a-z][a-z0-9_.]*");
    private static final Pattern DATABASE = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,62}");

    /** Not to be changed: durability, and who can reach the server. */
    private static final Set<String> FIXED = Set.of(
            "fsync",
            "full_page_writes",
            "synchronous_commit",
            "listen_addresses",
            "port",
            "unix_socket_directories",
            "unix_socket_permissions",
            "password_encryption",
            "data_directory",
            "hba_file");

    private static final String DATABASE_EXISTS = """
            select 1 from pg_database where datname = ?
            """;

    private final ServerHome home;
    private final int port;
    private final String password;

    private EmbeddedServer(ServerHome home, int port, String password) {
        this.home = home;
        this.port = port;
        this.password = password;
    }

    /**
     * Starts the server of a home or attaches to it if it runs.
     *
     * @param home a directory of its own, made if missing
     * @param settings of postgresql.conf, used only if this call starts the server
     * @throws WeirException {@link ErrorCode#EMBEDDED_SERVER_FAILED}
     */
    public static EmbeddedServer attach(Path home, Map<String, String> settings) {
        checkSettings(settings);
        ServerHome files = ServerHome.create(home);
        return HomeLock.holding(files, () -> attachLocked(files, settings));
    }

    private static EmbeddedServer attachLocked(ServerHome home, Map<String, String> settings) {
        Postmaster postmaster = Postmaster.find(home).isPresent()
                ? ServerStart.awaitReady(home)
                : ServerStart.start(home, settings);
        EmbeddedServer server = new EmbeddedServer(home, postmaster.port(), home.password());
        server.checkAnswers();
        home.touchAttached();
        Keeper.ensure(home, postmaster);
        return server;
    }

    /** Whether the server of a home runs now. */
    public static boolean isRunning(Path home) {
        return Postmaster.find(ServerHome.at(home)).isPresent();
    }

    /**
     * Stops the server of a home; open transactions are rolled back, nothing committed is lost.
     *
     * @return whether there was one to stop
     * @throws WeirException {@link ErrorCode#EMBEDDED_SERVER_FAILED}
     */
    public static boolean stop(Path home) {
        if (!Files.isDirectory(home)) {
            return false;
        }
        ServerHome files = ServerHome.at(home);
        Optional<ProcessHandle> keeper = Keeper.find(files);
        boolean stopped = HomeLock.holding(files, () -> stopLocked(files));
        // Outside of the lock, which the keeper may be waiting for.
        keeper.ifPresent(EmbeddedServer::awaitEnd);
        return stopped;
    }

    /** Stops the server if it runs; the caller holds the lock. */
    static boolean stopLocked(ServerHome home) {
        Optional<Postmaster> found = Postmaster.find(home);
        if (found.isEmpty()) {
            return false;
        }
        Postmaster postmaster = found.get();
        interrupt(postmaster, home);
        boolean ended = Waiting.until(
                STOP_LIMIT, () -> Postmaster.command(postmaster.pid()).isEmpty());
        if (!ended) {
            throw ServerHome.failure(
                    "Cannot stop embedded PostgreSQL: it does not end (pid=" + postmaster.pid()
                            + ", waited=" + STOP_LIMIT + ")",
                    null);
        }
        return true;
    }

    /**
     * SIGINT is PostgreSQL's fast shutdown. It needs no right to read the data, so it does not
     * matter how the server was started.
     */
    private static void interrupt(Postmaster postmaster, ServerHome home) {
        List<String> command =
                List.of("sh", "-c", "kill -INT \"$1\"", "sh", Long.toString(postmaster.pid()));
        if (!Launch.PLAIN.run(command, home.commandLog(), KILL_LIMIT)) {
            throw ServerHome.failure(
                    "Cannot stop embedded PostgreSQL: "
                            + ServerHome.tail(home.commandLog(), 300) + " (pid="
                            + postmaster.pid() + ")",
                    null);
        }
    }

    /** JDBC URL of a database of this server. */
    public String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    public String user() {
        return ServerHome.USER;
    }

    public String password() {
        return password;
    }

    /**
     * Creates a database if the server does not have it.
     *
     * @param name letters, digits, underscore and hyphen; case matters
     */
    public void createDatabase(String name) {
        if (!DATABASE.matcher(name).matches()) {
            throw ServerHome.failure(
                    "Cannot create database " + name + ": letters, digits, _ and - only", null);
        }
        try (Connection connection = connect(home, port)) {
            if (!exists(connection, name)) {
                create(connection, name);
            }
        } catch (SQLException e) {
            throw ServerHome.failure("Cannot create database " + name, e);
        }
    }

    static Connection connect(ServerHome home, int port) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", ServerHome.USER);
        properties.setProperty("password", home.password());
        properties.setProperty("connectTimeout", Integer.toString(CONNECT_SECONDS));
        properties.setProperty("loginTimeout", Integer.toString(CONNECT_SECONDS));
        properties.setProperty("ApplicationName", "weir");
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + port + "/postgres", properties);
    }

    private void checkAnswers() {
        try (Connection connection = connect(home, port);
                Statement statement = connection.createStatement()) {
            statement.execute("select 1");
        } catch (SQLException e) {
            throw ServerHome.failure(
                    "Cannot use embedded PostgreSQL in " + home.root() + " (port=" + port + ")", e);
        }
    }

    private static boolean exists(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(DATABASE_EXISTS)) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next();
            }
        }
    }

    private static void create(Connection connection, String name) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            // The name was checked: it has no quote.
            statement.execute("create database \"" + name + "\"");
        } catch (SQLException e) {
            if (!exists(connection, name)) {
                throw e;
            }
        }
    }

    private static void awaitEnd(ProcessHandle keeper) {
        if (!Waiting.until(KEEPER_LIMIT, () -> !Keeper.isKeeper(keeper.pid()))) {
            keeper.destroyForcibly();
        }
    }

    private static void checkSettings(Map<String, String> settings) {
        settings.forEach((name, value) -> {
            if (FIXED.contains(name)) {
                throw refused(name, value, "Weir relies on its own value");
            }
            if (!SETTING.matcher(name).matches() || value.contains("\n")) {
                throw refused(name, value, "not a setting of postgresql.conf");
            }
        });
    }

    private static WeirException refused(String name, String value, String reason) {
        return ServerHome.failure(
                "Cannot start embedded PostgreSQL with " + name + ": " + reason + " (value=" + value
                        + ")",
                null);
    }
}
