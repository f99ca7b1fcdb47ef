package io.weir.testkit.postgresql;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The test server of this JVM. Its time zone is far from the JVM's on purpose. It trusts everybody
 * on loopback and loses data in a crash: for tests of the ledger's own server see that module.
 */
public final class TestPostgres {
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final EmbeddedPostgres server;

    private TestPostgres(EmbeddedPostgres server) {
        this.server = server;
    }

    /** Starts the server at the first call; it ends with the JVM. */
    public static TestPostgres shared() {
        return Holder.SHARED;
    }

    /** Starts a server of its own that a test may kill. */
    public static EmbeddedPostgres startOwn() {
        try {
            return EmbeddedPostgres.builder()
                    .setServerConfig("timezone", "Asia/Shanghai")
                    .setServerConfig("wal_level", "logical")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("max_connections", "200")
                    .setServerConfig("max_replication_slots", "64")
                    .setServerConfig("max_wal_senders", "64")
                    .setLocaleConfig("locale", "C.UTF-8")
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start the test server", e);
        }
    }

    /** An empty database under a new name. */
    public TestDatabase createDatabase() {
        String name = "test" + DATABASES.incrementAndGet();
        database("postgres").execute("create database " + name);
        return database(name);
    }

    private TestDatabase database(String name) {
        return new TestDatabase("127.0.0.1", server.getPort(), name, "postgres", "postgres");
    }

    private static final class Holder {
        private static final TestPostgres SHARED = new TestPostgres(startOwn());
    }
}
