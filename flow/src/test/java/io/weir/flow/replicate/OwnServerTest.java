package io.weir.flow.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.Operator;
import io.weir.flow.load.Cancellation;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaState;
import io.weir.ledger.replica.Stop;
import io.weir.testkit.postgresql.TestDatabase;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A source server that is stopped and started, or that gives up what a slot needs. */
class OwnServerTest {
    private static final Operator ANNA = new Operator("anna", "the slot is lost");
    private static final AtomicInteger DATABASES = new AtomicInteger();

    @TempDir
    private static Path data;

    private static EmbeddedPostgres server;

    @TempDir
    private Path directory;

    private ReplicaHouse house;

    @BeforeAll
    static void start() {
        server = started(0);
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    /** On the same files each time; port 0 is any. */
    private static EmbeddedPostgres started(int port) {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(data.resolve("pg"))
                .setCleanDataDirectory(false)
                .setServerConfig("wal_level", "logical")
                .setServerConfig("max_wal_size", "32MB")
                .setServerConfig("min_wal_size", "32MB")
                .setLocaleConfig("locale", "C.UTF-8");
        try {
            return port == 0 ? builder.start() : builder.setPort(port).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void restart() {
        int port = server.getPort();
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server = started(port);
    }

    private static TestDatabase database(String name) {
        return new TestDatabase("127.0.0.1", server.getPort(), name, "postgres", "postgres");
    }

    @BeforeEach
    void open() {
        String name = "own" + DATABASES.incrementAndGet();
        database("postgres").execute("create database " + name);
        house = new ReplicaHouse(database(name), directory);
        house.once();
    }

    @AfterEach
    void close() {
        house.close();
    }

    /** What was committed before and after the restart arrives once, without a new command. */
    @Test
    void aServerThatIsRestartedIsWaitedFor() {
        Cancellation stop = new Cancellation();
        List<ErrorCode> waited = new CopyOnWriteArrayList<>();
        AtomicBoolean restarted = new AtomicBoolean();
        house.source.execute("update orders set version = 5 where id <= 50");
        house.forever(house.continuous(), stop, new ReplicateListener() {
            @Override
            public void waiting(WeirException cause) {
                waited.add(cause.code());
            }

            @Override
            public void merged(Replica replica, TableResult result) {
                if (result.window() == null) {
                    return;
                }
                if (restarted.compareAndSet(false, true)) {
                    house.source.execute("update items set version = 6 where id <= 50");
                    restart();
                    house.source.execute("update customers set version = 7 where id <= 50");
                } else if (replica.table().equals("public.customers")) {
                    stop.request();
                }
            }
        });
        assertThat(waited)
                .isNotEmpty()
                .isSubsetOf(ErrorCode.SOURCE_CONNECTION_LOST, ErrorCode.SOURCE_UNREACHABLE);
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
        assertThat(house.query("select sum(version) from sales.items")).isEqualTo("300");
    }

    /** The source forgets what nobody read: nothing wrong is published, and rebuilding mends it. */
    @Test
    void aSlotThatTheServerInvalidatesEndsTheJobAndKeepsTheTables() {
        house.awaitFreeSlot();
        house.source.execute(
                "alter system set max_slot_wal_keep_size = '1MB'",
                "select pg_reload_conf()",
                "update orders set version = 5 where id <= 50",
                "select pg_switch_wal()",
                "create table filler as select i, repeat('x', 1000) as x"
                        + " from generate_series(1, 60000) i",
                "select pg_switch_wal()",
                "checkpoint",
                "checkpoint",
                "alter system reset max_slot_wal_keep_size",
                "select pg_reload_conf()");
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(house::once)
                    .isInstanceOfSatisfying(
                            WeirException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.CAPTURE_SLOT_LOST));
        }
        Stop stop = Objects.requireNonNull(house.replicas().replication("shop").stop());
        assertThat(stop.code()).isEqualTo("CAPTURE_SLOT_LOST");
        assertThat(stop.message()).contains("wal_status=lost");
        assertThat(stop.command()).contains("SELECT pg_drop_replication_slot('");
        assertThat(house.query("select max(version) from sales.orders")).isEqualTo("0");
        assertThat(house.replica("orders").state()).isEqualTo(ReplicaState.RUNNING);

        house.source.execute("select pg_drop_replication_slot('" + house.job().slot() + "')");
        for (String table : ReplicaHouse.TABLES) {
            house.replicas().rebuild("shop", "public." + table, ANNA);
        }
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.replicas().replication("shop").stop()).isNull();
        assertThat(house.different()).isEmpty();
    }
}
