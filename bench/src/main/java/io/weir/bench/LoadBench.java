package io.weir.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.ledger.RunDetail;
import io.weir.core.metric.MetricPlan;
import io.weir.core.publish.PublishMode;
import io.weir.engine.Engine;
import io.weir.engine.EngineConfig;
import io.weir.flow.load.Cancellation;
import io.weir.flow.load.LoadFlow;
import io.weir.flow.load.LoadJob;
import io.weir.flow.load.LoadListener;
import io.weir.flow.load.LoadSettings;
import io.weir.ledger.PostgresLedger;
import io.weir.ledger.embedded.EmbeddedServer;
import io.weir.source.Source;
import io.weir.source.SourceConfig;
import io.weir.source.Sources;
import io.weir.source.TableSpec;
import io.weir.table.CatalogConfig;
import io.weir.table.LakeCatalog;

import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Loads one wide-ish table (8 columns) and, in the same minute, copies it to nowhere through the
 * same driver: the floor that a reader of this source cannot go below. Source, ledger, lake and
 * engine share the machine. The source does not lose its durability for speed.
 */
final class LoadBench implements Bench {
    private static final int ROUNDS = 3;
    private static final long ROWS = 10_000_000;
    private static final long ROWS_QUICK = 1_000_000;
    private static final String DATABASE = "bench";

    private final Path directory;
    private final EmbeddedServer server;
    private final PostgresLedger ledger;
    private final LakeCatalog catalog;
    private final Engine engine;
    private final long rows;

    private LoadBench(Path directory, long rows) {
        this.directory = directory;
        this.rows = rows;
        this.server = EmbeddedServer.attach(directory.resolve("pg"), Map.of());
        server.createDatabase(DATABASE);
        this.ledger = PostgresLedger.open(server.url(DATABASE), server.user(), server.password());
        this.catalog = LakeCatalog.open(new CatalogConfig(
                "weir",
                server.url(DATABASE),
                server.user(),
                server.password(),
                "file://" + directory.resolve("lake")));
        int cores = Runtime.getRuntime().availableProcessors();
        this.engine = Engine.open(new EngineConfig(384L << 20, cores, directory.resolve("tmp")));
    }

    static LoadBench open(Path directory, boolean quick) {
        return new LoadBench(directory, quick ? ROWS_QUICK : ROWS);
    }

    @Override
    public ObjectNode run(Consumer<String> progress) throws Exception {
        progress.accept("filling " + rows + " rows");
        fill();
        List<Double> copy = new ArrayList<>();
        List<Double> verified = new ArrayList<>();
        List<Double> counted = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            copy.add(Clock.seconds(this::copyOut));
            verified.add(Clock.seconds(() -> load(MetricPlan.Verify.METRICS)));
            counted.add(Clock.seconds(() -> load(MetricPlan.Verify.COUNT)));
            progress.accept("round " + round + ": copy " + copy.get(round) + " s, verified "
                    + verified.get(round) + " s, count only " + counted.get(round) + " s");
        }
        ObjectNode json = Json.object().put("bench", "load");
        json.putObject("ratios")
                .put("verified_over_copy", Clock.median(verified) / Clock.median(copy))
                .put("counted_over_copy", Clock.median(counted) / Clock.median(copy));
        json.putObject("figures")
                .put("rows", rows)
                .put("copy_s", Clock.median(copy))
                .put("verified_s", Clock.median(verified))
                .put("counted_s", Clock.median(counted))
                .put("verified_rows_per_s", Math.round(rows / Clock.median(verified)));
        return json;
    }

    private void fill() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    create table public.orders (
                        id bigint primary key, customer_code text, order_ref text,
                        status_text text, amount numeric(18, 2), created_at timestamp,
                        quantity int, order_date date)
                    """);
            statement.execute("""
                    insert into public.orders
                    select n, 'customer-' || lpad((n::bigint * 7919 %% 100000)::text, 11, '0'),
                        md5(n::text)::varchar(20),
                        (array['status placed by web', 'status paid by card!',
                            'status shipped today', 'status delivered now',
                            'status was returned!', 'status is cancelled!'])[1 + n %% 6],
                        (n::bigint * 104729 %% 10000000) / 100.0,
                        timestamp '2024-01-01' + n * interval '6.007919 seconds',
                        n %% 100, date '2024-01-01' + (n %% 700)::int
                    from generate_series(1, %d) as n
                    """.formatted(rows));
            statement.execute("vacuum analyze public.orders");
            statement.execute("checkpoint");
        }
    }

    private void copyOut() throws SQLException {
        try (Connection connection = connect()) {
            CopyOut copy = connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyOut("copy public.orders to stdout (format binary)");
            long bytes = 0;
            for (byte[] row = copy.readFromCopy(); row != null; row = copy.readFromCopy()) {
                bytes += row.length;
            }
            if (bytes == 0) {
                throw new IllegalStateException("Nothing was copied");
            }
        }
    }

    private void load(MetricPlan.Verify verify) {
        LoadJob job = new LoadJob(
                "orders",
                "bench",
                TableSpec.of("public.orders"),
                "bench.orders",
                PublishMode.REPLACE,
                verify,
                false,
                LoadJob.PARTITION_BYTES_DEFAULT,
                LoadJob.CHUNK_BYTES_DEFAULT);
        LoadFlow flow = new LoadFlow(
                ledger,
                ledger,
                catalog,
                engine,
                LoadSettings.of("bench", Runtime.getRuntime().availableProcessors()),
                UUID::randomUUID,
                new Cancellation());
        try (Source source = Sources.open(new SourceConfig(
                "bench", server.url(DATABASE), server.user(), server.password()))) {
            String key = UUID.randomUUID().toString();
            RunDetail detail =
                    flow.load(source, List.of(job), key, new LoadListener() {}).get(0);
            if (detail.run().extracted().rows() != rows) {
                throw new IllegalStateException("Loaded " + detail.run().extracted());
            }
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(server.url(DATABASE), server.user(), server.password());
    }

    @Override
    public void close() {
        engine.close();
        catalog.close();
        ledger.close();
        EmbeddedServer.stop(directory.resolve("pg"));
    }
}
