package io.weir.ledger.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.IMetricsTracker;
import com.zaxxer.hikari.metrics.MetricsTrackerFactory;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.ledger.access.AccessBooks;
import io.weir.ledger.alert.AlertBooks;
import io.weir.ledger.books.Transactions;
import io.weir.ledger.fsck.Finding;
import io.weir.ledger.lineage.LineageBooks;
import io.weir.ledger.outside.OutsideTransactions;
import io.weir.ledger.replica.ReplicaBooks;
import io.weir.ledger.watch.LedgerWatch;
import io.weir.ledger.watch.WatchBooks;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** The migrated database and a small pool of connections to it. */
public final class Database implements AutoCloseable {
    private static final int VERSION_MIN = 13;
    private static final int CONNECT_SECONDS = 10;
    private static final int SOCKET_SECONDS = 120;
    private static final Pattern SECONDS = Pattern.compile("[1-9][0-9]{0,5}");
    private static final String PARAMETER_UNUSABLE = "22023";
    private static final int POOL_WAIT_MS = 30_000;
    private static final int VALIDATION_MS = 5_000;
    private static final int LOCK_MS = 30_000;
    private static final int STATEMENT_MS = 60_000;
    private static final int SIGN_CONNECTIONS = 3;

    /** Migrations wait for each other; the number is arbitrary but must never change. */
    private static final String MIGRATION_LOCK = """
            select pg_advisory_lock(7305436211981001)
            """;

    private static final String MIGRATION_WAIT = """
            set lock_timeout = '120s'
            """;

    private static final String READ_ONLY = """
            set transaction read only;
            set local enable_seqscan = on;
            set local enable_hashjoin = on;
            set local enable_mergejoin = on
            """;

    private final HikariDataSource pool;
    private final HikariDataSource signPool;
    private final Jdbi jdbi;
    private final Jdbi signJdbi;
    private final Watched watch;

    private Database(HikariDataSource pool, HikariDataSource signPool, Watched watch) {
        this.watch = watch;
        this.pool = pool;
        this.signPool = signPool;
        this.jdbi = jdbi(pool);
        this.signJdbi = jdbi(signPool);
    }

    /** From now on somebody is told how the database does. */
    public void watch(LedgerWatch watcher) {
        watch.by = watcher;
    }

    private LedgerWatch watcher() {
        return watch.by;
    }

    /**
     * What somebody sees who watches the ledger.
     *
     * @param lease of a claim of a run of our own
     */
    public WatchBooks watched(Duration lease) {
        return new PostgresWatchBooks(new PostgresTransactions(jdbi, this::watcher), lease);
    }

    /**
     * Checks the server, migrates the schema {@code weir} and opens the pools.
     *
     * @param lease how long a process may be silent
     * @throws WeirException {@link ErrorCode#LEDGER_UNREACHABLE}, {@link ErrorCode#LEDGER_INVALID}
     */
    public static Database open(
            String url,
            String user,
            @Nullable String password,
            int connectionsMax,
            Duration lease) {
        PGSimpleDataSource source = source(url, user, password);
        String action = "open ledger " + withoutParameters(url);
        try (Connection connection = connect(action, source)) {
            checkVersion(action, connection);
            lock(connection);
            migrate(action, source);
        } catch (SQLException e) {
            throw PostgresErrors.translate(action, e);
        }
        SignBounds bounds = SignBounds.of(lease);
        PGSimpleDataSource signs = source(url, user, password);
        signs.setConnectTimeout(bounds.socketSeconds());
        signs.setLoginTimeout(bounds.socketSeconds());
        signs.setSocketTimeout(bounds.socketSeconds());
        signs.setApplicationName("weir-signs");
        Watched watch = new Watched();
        HikariDataSource pool =
                pool(source, "weir-ledger", connectionsMax, POOL_WAIT_MS, LOCK_MS, STATEMENT_MS);
        pool.setMetricsTrackerFactory(waits(watch));
        int millis = bounds.statementMillis();
        return new Database(
                pool, pool(signs, "weir-signs", SIGN_CONNECTIONS, millis, millis, millis), watch);
    }

    private static MetricsTrackerFactory waits(Watched watch) {
        return (name, figures) -> new IMetricsTracker() {
            @Override
            public void recordConnectionAcquiredNanos(long nanos) {
                watch.by.waited(Duration.ofNanos(nanos));
            }
        };
    }

    /**
     * How long a sign of life may take. One that hangs is given up early enough for the next ones,
     * on other connections, to arrive before the lease ends.
     */
    private record SignBounds(int statementMillis, int socketSeconds) {
        private static final int SIGNS_IN_A_LEASE = 6;
        private static final int MILLIS_MIN = 1_000;

        static SignBounds of(Duration lease) {
            long share = lease.dividedBy(SIGNS_IN_A_LEASE).toMillis();
            int millis = (int) Math.min(STATEMENT_MS, Math.max(MILLIS_MIN, share));
            // A second more than the server has: then it can say what it waited for.
            int seconds = Math.toIntExact(Duration.ofMillis(millis).toSeconds());
            return new SignBounds(millis, seconds + 1);
        }
    }

    /** Who is told; there before the pools are. */
    private static final class Watched {
        private volatile LedgerWatch by = LedgerWatch.NOBODY;
    }

    /** Each in a connection of its own; safe for use by many threads. */
    public Transactions transactions() {
        return new PostgresTransactions(jdbi, this::watcher);
    }

    /** The same for signs of life: connections of their own that hang for a part of a lease. */
    public Transactions signs() {
        return new PostgresTransactions(signJdbi, this::watcher);
    }

    /** Tokens and the journal of the API. */
    public AccessBooks access() {
        return new PostgresAccessBooks(new PostgresTransactions(jdbi, this::watcher));
    }

    /** How far the lineage of each run was told. */
    public LineageBooks lineage() {
        return new PostgresLineageBooks(new PostgresTransactions(jdbi, this::watcher));
    }

    /** How far the alerts of each job were told. */
    public AlertBooks alerts() {
        return new PostgresAlertBooks(new PostgresTransactions(jdbi, this::watcher));
    }

    /** The tables of replication. */
    public ReplicaBooks replicas() {
        return new PostgresReplicaBooks(new PostgresTransactions(jdbi, this::watcher));
    }

    /** The same for the tables of outside runs. */
    public OutsideTransactions outside() {
        return new PostgresOutsideTransactions(new PostgresTransactions(jdbi, this::watcher));
    }

    /**
     * Asks every invariant at one state of the books; changes nothing.
     *
     * @param claimsMax how often a partition may be claimed
     */
    public List<Finding> fsck(int claimsMax) {
        return new PostgresTransactions(jdbi, this::watcher)
                .inTransaction(
                        "check the invariants of the ledger",
                        TransactionIsolationLevel.REPEATABLE_READ,
                        handle -> {
                            handle.execute(READ_ONLY);
                            return PostgresFsck.of(handle, claimsMax);
                        });
    }

    Jdbi jdbi() {
        return jdbi;
    }

    @Override
    public void close() {
        pool.close();
        signPool.close();
    }

    private static Jdbi jdbi(HikariDataSource pool) {
        Jdbi jdbi = Jdbi.create(pool);
        jdbi.registerArrayType(String.class, "text");
        jdbi.registerArrayType(UUID.class, "uuid");
        return jdbi;
    }

    /** A URL may carry a password among its parameters; messages never do. */
    static String withoutParameters(String url) {
        int end = url.indexOf('?');
        String plain = end < 0 ? url : url.substring(0, end);
        int host = plain.indexOf("//");
        int at = plain.lastIndexOf('@');
        return host >= 0 && at > host
                ? plain.substring(0, host + 2) + plain.substring(at + 1)
                : plain;
    }

    private static Connection connect(String action, PGSimpleDataSource source)
            throws SQLException {
        try {
            return source.getConnection();
        } catch (SQLException e) {
            if (PARAMETER_UNUSABLE.equals(e.getSQLState())) {
                throw new WeirException(
                        ErrorCode.LEDGER_INVALID,
                        "Cannot " + action + ": a parameter of its URL cannot be used ("
                                + e.getMessage() + ")",
                        e);
            }
            throw e;
        }
    }

    private static PGSimpleDataSource source(String url, String user, @Nullable String password) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        try {
            source.setURL(url);
        } catch (IllegalArgumentException e) {
            // The cause would repeat the URL with its parameters.
            throw new WeirException(
                    ErrorCode.LEDGER_INVALID,
                    "Cannot open ledger " + withoutParameters(url)
                            + ": not a PostgreSQL URL (form=jdbc:postgresql://host:port/database)");
        }
        source.setUser(user);
        source.setPassword(password);
        source.setConnectTimeout(CONNECT_SECONDS);
        source.setLoginTimeout(CONNECT_SECONDS);
        source.setSocketTimeout(socketSeconds(url, source));
        source.setTcpKeepAlive(true);
        source.setApplicationName("weir-ledger");
        return source;
    }

    private static int socketSeconds(String url, PGSimpleDataSource source) {
        String seconds = source.getProperty(PGProperty.SOCKET_TIMEOUT);
        if (seconds == null || seconds.equals(PGProperty.SOCKET_TIMEOUT.getDefaultValue())) {
            // The driver would wait for ever.
            return SOCKET_SECONDS;
        }
        if (!SECONDS.matcher(seconds).matches()) {
            throw new WeirException(
                    ErrorCode.LEDGER_INVALID,
                    "Cannot open ledger " + withoutParameters(url) + ": socketTimeout in its URL"
                            + " is not a number of seconds (socketTimeout=" + seconds
                            + ", form=1 to 999999)");
        }
        return Integer.parseInt(seconds);
    }

    private static void checkVersion(String action, Connection connection) throws SQLException {
        int version = connection.getMetaData().getDatabaseMajorVersion();
        if (version < VERSION_MIN) {
            throw tooOld(action, version);
        }
    }

    static WeirException tooOld(String action, int version) {
        return new WeirException(
                ErrorCode.LEDGER_INVALID,
                "Cannot " + action + ": the server is too old (version=" + version + ", required="
                        + VERSION_MIN + ")");
    }

    /** The session that holds the lock gives it back when it closes. */
    private static void lock(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(MIGRATION_WAIT);
            try (ResultSet rows = statement.executeQuery(MIGRATION_LOCK)) {
                rows.next();
            }
        }
    }

    private static void migrate(String action, PGSimpleDataSource source) {
        try {
            Flyway.configure()
                    .dataSource(source)
                    .schemas("weir")
                    .table("migration")
                    .locations("classpath:db/migration/weir")
                    // A ledger written by a newer Weir is not touched by an older one.
                    .ignoreMigrationPatterns(new String[0])
                    .load()
                    .migrate();
        } catch (FlywayException e) {
            Optional<SQLException> cause = PostgresErrors.find(e);
            if (cause.isPresent()) {
                throw PostgresErrors.translate(action, cause.get());
            }
            throw new WeirException(
                    ErrorCode.LEDGER_INVALID,
                    "Cannot " + action + ": its schema does not fit this version of Weir ("
                            + e.getMessage() + ")",
                    e);
        }
    }

    private static HikariDataSource pool(
            PGSimpleDataSource source,
            String name,
            int connectionsMax,
            int waitMillis,
            int lockMillis,
            int statementMillis) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setPoolName(name);
        config.setMaximumPoolSize(connectionsMax);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(waitMillis);
        config.setValidationTimeout(Math.min(waitMillis, VALIDATION_MS));
        config.setConnectionInitSql(bounds(lockMillis, statementMillis));
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    /**
     * No statement of ours may hang for ever, nor a transaction whose process was paused. All of
     * them find few rows by a key: a plan made while a table was small must not read it all later.
     */
    private static String bounds(int lockMillis, int statementMillis) {
        return String.format(Locale.ROOT, """
                set session characteristics as transaction isolation level read committed;
                set enable_seqscan = off;
                set enable_hashjoin = off;
                set enable_mergejoin = off;
                set plan_cache_mode = force_generic_plan;
                set lock_timeout = '%dms';
                set statement_timeout = '%dms';
                set idle_in_transaction_session_timeout = '60s'
                """, lockMillis, statementMillis);
    }
}
