package io.weir.flow.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.RunFilter;
import io.weir.core.publish.PublishMode;
import io.weir.core.run.Partition;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.ledger.embedded.EmbeddedServer;
import io.weir.testkit.postgresql.TestDatabase;
import io.weir.testkit.postgresql.TestPostgres;
import io.weir.testkit.proxy.FaultProxy;
import io.weir.testkit.proxy.Latency;
import io.weir.testkit.proxy.Protocol;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The server of the ledger and the catalog dies, or ends sessions, under a load. */
class KilledLedgerTest {
    private static final LoadJob ORDERS = LoadHouse.job("orders", PublishMode.APPEND);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Map<String, String> LASTING =
            Map.of(EmbeddedServer.IDLE_SETTING, "600000");

    @TempDir
    Path directory;

    private static void fill(LoadHouse house) {
        house.shop.execute(
                "create table orders (id bigint primary key, amount numeric(12, 2))",
                "insert into orders select n, n from generate_series(1, 20000) as n");
    }

    private static void assertExact(LoadHouse house, RunDetail detail) {
        assertThat(detail.run().state()).isEqualTo(RunState.SUCCESS);
        assertThat(detail.partitions()).extracting(Partition::epoch).containsOnly(1L);
        assertThat(house.ledger.runs(new RunFilter("orders", false, 10))).hasSize(1);
        assertThat(house.rows("sales.orders")).isEqualTo("20000");
    }

    /** Once while partitions are read, once between the audit and the publish. */
    private static LoadListener twice(Runnable fault) {
        return new LoadListener() {
            @Override
            public void planned(Run run, List<PartitionProgress> partitions) {
                fault.run();
            }

            @Override
            public void audited(Run run) {
                fault.run();
            }
        };
    }

    // F21
    @Test
    void aLoadOutlivesTheServerOfItsBooks() {
        Path home = directory.resolve("pg");
        EmbeddedServer server = EmbeddedServer.attach(home, LASTING);
        try {
            server.createDatabase("books");
            URI uri = URI.create(server.url("books").substring("jdbc:".length()));
            TestDatabase books = new TestDatabase(
                    uri.getHost(), uri.getPort(), "books", server.user(), server.password());
            try (LoadHouse house = new LoadHouse(
                    directory, directory.resolve("lake"), books, books.url(), books.url())) {
                fill(house);

                RunDetail detail = house.load(ORDERS, "monday", twice(() -> {
                    kill(home);
                    EmbeddedServer.attach(home, LASTING);
                }));

                assertExact(house, detail);
            }
        } finally {
            EmbeddedServer.stop(home);
        }
    }

    private static void kill(Path home) {
        try {
            long pid = Long.parseLong(
                    Files.readAllLines(home.resolve("data").resolve("postmaster.pid"))
                            .get(0)
                            .strip());
            ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
            assertThat(postmaster.destroyForcibly()).isTrue();
            await().atMost(PATIENCE).until(() -> !postmaster.isAlive());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // F22
    @Test
    void aLoadOutlivesTheEndOfAllItsSessions() {
        try (LoadHouse house = new LoadHouse(directory)) {
            fill(house);

            RunDetail detail = house.load(
                    ORDERS,
                    "monday",
                    twice(() -> house.books.execute("select pg_terminate_backend(pid)"
                            + " from pg_stat_activity where datname = current_database()"
                            + " and application_name in ('weir-ledger', 'weir-catalog')")));

            assertExact(house, detail);
        }
    }

    // F32
    @Test
    void aSlowLineToTheLedgerLosesNoClaim() {
        TestDatabase books = TestPostgres.shared().createDatabase();
        try (FaultProxy line = FaultProxy.start(Protocol.POSTGRESQL, books.host(), books.port());
                LoadHouse house = new LoadHouse(
                        directory,
                        directory.resolve("lake"),
                        books,
                        LoadHouse.through(line, books),
                        books.url())) {
            fill(house);
            line.delay(new Latency(Duration.ofMillis(2), Duration.ofMillis(4), 200_000, 7));

            assertExact(house, house.load(ORDERS, "monday"));
        }
    }
}
