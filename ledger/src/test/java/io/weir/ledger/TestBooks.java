package io.weir.ledger;

import io.weir.ledger.embedded.EmbeddedServer;

import org.jdbi.v3.core.Jdbi;

import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;

/**
 * One embedded server and one ledger database per test JVM. Tests share them; each uses a job and a
 * target of its own.
 */
public final class TestBooks {
    /** Kept between test runs, so that only the first one unpacks and initialises. */
    public static final Path HOME = Path.of("target", "postgres");

    private static final EmbeddedServer SERVER =
            EmbeddedServer.attach(HOME, Map.of("max_connections", "200"));
    private static final String DATABASE = newDatabase();
    private static final PostgresLedger LEDGER = open(LedgerSettings.DEFAULTS);

    private TestBooks() {}

    public static EmbeddedServer server() {
        return SERVER;
    }

    public static PostgresLedger ledger() {
        return LEDGER;
    }

    /** Another ledger over the same database, as another process would have it. */
    public static PostgresLedger open(LedgerSettings settings) {
        return PostgresLedger.open(
                SERVER.url(DATABASE), SERVER.user(), SERVER.password(), settings);
    }

    /** An empty database on the server. */
    public static String newDatabase() {
        String name = "t_" + UUID.randomUUID();
        SERVER.createDatabase(name);
        return name;
    }

    public static Jdbi jdbi() {
        return jdbi(DATABASE);
    }

    public static Jdbi jdbi(String database) {
        return Jdbi.create(SERVER.url(database), SERVER.user(), SERVER.password());
    }

    /** Tests do not wait for leases: they move their end into the past. */
    public static void endLease(String table, String where, Object id) {
        endLease(jdbi(), table, where, id);
    }

    static void endLease(Jdbi jdbi, String table, String where, Object id) {
        jdbi.useHandle(handle -> handle.createUpdate("update weir." + table
                        + " set lease_until = clock_timestamp()"
                        + " where " + where + " = ?"
                        + " and lease_until is not null")
                .bind(0, id)
                .execute());
    }
}
