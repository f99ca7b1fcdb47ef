package io.weir.flow.replicate;

import io.weir.core.error.ErrorCode;
import io.weir.core.route.PartitionBy;
import io.weir.core.row.Balance;
import io.weir.core.row.RowPositions;
import io.weir.engine.Engine;
import io.weir.engine.EngineConfig;
import io.weir.engine.MergeStrategy;
import io.weir.engine.OutsideColumns;
import io.weir.engine.QueryTable;
import io.weir.flow.load.Cancellation;
import io.weir.flow.load.LoadSettings;
import io.weir.flow.merge.WindowMerge;
import io.weir.flow.outsidelog.OutsideLog;
import io.weir.ledger.LedgerSettings;
import io.weir.ledger.PostgresLedger;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Replica;
import io.weir.table.CatalogConfig;
import io.weir.table.LakeCatalog;
import io.weir.table.LocalFileIO;
import io.weir.table.LogTable;
import io.weir.table.ReplicaTable;
import io.weir.testkit.postgresql.TestDatabase;
import io.weir.testkit.postgresql.TestPostgres;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** A ledger and a lake, both real, without any source: changes come from files. */
final class OutsideHouse implements AutoCloseable {
    private static final long ENGINE_BYTES = 512L << 20;
    private static final long FREE_BYTES = 1L << 40;
    private static final AtomicInteger SHELVES = new AtomicInteger();

    final PostgresLedger ledger;
    final LakeCatalog catalog;
    final Engine engine;
    final TestDatabase books;
    final CatalogConfig lake;
    private final Path directory;

    OutsideHouse(Path directory) {
        this(TestPostgres.shared().createDatabase(), directory);
    }

    /** What is there already: for programs that share a house. */
    OutsideHouse(TestDatabase books, Path directory) {
        this.books = books;
        this.directory = directory;
        this.ledger = PostgresLedger.open(
                books.url(),
                books.user(),
                books.password(),
                LedgerSettings.DEFAULTS.withGrace(Duration.ZERO));
        this.lake = new CatalogConfig(
                "weir",
                books.url(),
                books.user(),
                books.password(),
                LocalFileIO.locationOf(directory.resolve("lake")));
        this.catalog = LakeCatalog.open(lake);
        this.engine = Engine.open(new EngineConfig(ENGINE_BYTES, 2, directory.resolve("tmp")));
    }

    ReplicateFlow flow() {
        return flow(new Cancellation());
    }

    ReplicateFlow flow(Cancellation stop) {
        return new ReplicateFlow(
                ledger,
                ledger,
                ledger.replicas(),
                catalog,
                engine,
                new ReplicateSettings(
                        LoadSettings.of("test", 2),
                        2,
                        () -> FREE_BYTES,
                        directory.resolve("buffers"),
                        100_000),
                UUID::randomUUID,
                () -> 0,
                InstantSource.system(),
                stop);
    }

    Shelf shelf() {
        return new Shelf("log" + SHELVES.incrementAndGet());
    }

    /** Everybody who held a job is taken for dead. */
    void endLeases() {
        books.execute("update weir.replication set lease_until = clock_timestamp()"
                + " - interval '1 second' where lease_until is not null");
    }

    @Override
    public void close() {
        engine.close();
        catalog.close();
        ledger.close();
    }

    /** One outside log, and a job that merges it. Rows are {@code id name qty}. */
    final class Shelf {
        static final String STRUCT = "STRUCT(id INTEGER, name VARCHAR, qty INTEGER)";

        final String name;
        final Path files;
        private OutsideColumns columns =
                new OutsideColumns("op", "before", "after", "lsn", null, null, null);
        private List<String> key = List.of("id");
        private List<String> exclude = List.of();
        private boolean complete = true;
        private MergeStrategy merge = MergeStrategy.ROW_HASH;
        private Initial initial = Initial.LOG_ONLY;
        private @Nullable LogPlace asOf;
        private Duration every = Duration.ofHours(1);

        Shelf(String name) {
            this.name = name;
            this.files = directory.resolve("outside").resolve(name);
            try {
                Files.createDirectories(files);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        Shelf with(OutsideColumns other) {
            columns = other;
            return this;
        }

        Shelf numbered() {
            return with(new OutsideColumns("op", "before", "after", "lsn", "nr", null, null));
        }

        Shelf key(String... names) {
            key = List.of(names);
            return this;
        }

        Shelf without(String... names) {
            exclude = List.of(names);
            return this;
        }

        Shelf incomplete() {
            complete = false;
            return this;
        }

        Shelf by(MergeStrategy wanted) {
            merge = wanted;
            return this;
        }

        Shelf from(@Nullable LogPlace place) {
            initial = Initial.FROM_TABLE;
            asOf = place;
            return this;
        }

        Shelf continuous() {
            every = Duration.ZERO;
            return this;
        }

        OutsideJob job() {
            return new OutsideJob(
                    name,
                    List.of(new OutsideTable(
                            "public." + name,
                            new OutsideLog(files, columns, key, exclude, complete),
                            "sales." + name,
                            PartitionBy.NOTHING)),
                    every,
                    merge,
                    initial,
                    asOf);
        }

        ReplicateReport once() {
            return once(new ReplicateListener() {});
        }

        ReplicateReport once(ReplicateListener listener) {
            return flow().once(job(), listener);
        }

        /** A window that is expected to prove everything. */
        void verified() {
            ReplicateReport report = once();
            if (!report.isVerified()) {
                throw new AssertionError(report.replicas());
            }
        }

        /** The stop that a window ends in. */
        String stopped(ErrorCode code) {
            once();
            Replica replica = replica();
            if (replica.stop() == null || !replica.stop().code().equals(code.name())) {
                throw new AssertionError(replica);
            }
            return replica.stop().message() + "\n" + replica.stop().command();
        }

        /** Up to where the target is proven. */
        LogPlace place() {
            return Objects.requireNonNull(replica().verified());
        }

        Replica replica() {
            return ledger.replicas().replica("sales." + name);
        }

        /** Writes changes such as {@code 10 u 1 anna 5 > 1 anna 6} to a file; {@code ~} is NULL. */
        void write(String file, String... changes) {
            StringBuilder sql = new StringBuilder();
            int number = 0;
            for (String change : changes) {
                String[] words = change.split(" ", 3);
                String[] images = (words.length < 3 ? "~ > ~" : words[2]).split(" > ", 2);
                sql.append(sql.isEmpty() ? "" : " UNION ALL ")
                        .append("SELECT '" + words[1] + "' AS op, " + struct(images[0])
                                + " AS before, " + struct(images[1]) + " AS after, " + words[0]
                                + "::BIGINT AS lsn, " + number++ + " AS nr");
            }
            copy(file, sql.toString());
        }

        private String struct(String image) {
            if (image.equals("~")) {
                return "NULL::" + STRUCT;
            }
            String[] words = image.split(" ", -1);
            return "{'id': " + word(words[0]) + ", 'name': "
                    + (words[1].equals("~") ? "NULL" : "'" + words[1] + "'") + ", 'qty': "
                    + word(words[2]) + "}::" + STRUCT;
        }

        private String word(String text) {
            return text.equals("~") ? "NULL" : text;
        }

        /** Writes what a query of DuckDB gives. */
        void copy(String file, String sql) {
            Path path = files.resolve(file);
            try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                    Statement statement = connection.createStatement()) {
                Files.createDirectories(path.getParent());
                statement.execute("COPY (" + sql + ") TO '" + path + "' (FORMAT parquet)");
            } catch (SQLException | IOException e) {
                throw new IllegalStateException(e);
            }
        }

        /** The rows that readers see, in the order of their text; {@code ~} is NULL. */
        List<String> rows() {
            return rows("SELECT * FROM sales." + name);
        }

        List<String> rows(String sql) {
            ReplicaTable target = catalog.replica("sales." + name);
            QueryTable table = new QueryTable(
                    target.rows(),
                    target.filesOf(target.lake().currentSnapshotId()).stream()
                            .map(file -> new QueryTable.File(
                                    LocalFileIO.pathOf(file.file().path()), file.deleted()))
                            .toList());
            return engine.query(sql, Map.of(target.target(), table)).rows().stream()
                    .map(row -> row.stream()
                            .map(value -> value == null ? "~" : value)
                            .collect(Collectors.joining(" ")))
                    .sorted()
                    .toList();
        }

        /** What an expression says of each change in our own log, in order. */
        List<String> logged(String expression) {
            LogTable log = catalog.prepareLog(
                    LogKeeping.nameOf(replica()),
                    "public." + name,
                    catalog.replica("sales." + name).rows());
            QueryTable table = new QueryTable(
                    log.schema(),
                    log.files().stream()
                            .map(file -> new QueryTable.File(
                                    LocalFileIO.pathOf(file.path()), RowPositions.NONE))
                            .toList());
            return engine
                    .query(
                            "SELECT " + expression + " FROM log ORDER BY place, ordinal",
                            Map.of("log", table))
                    .rows()
                    .stream()
                    .map(row -> String.valueOf(row.get(0)))
                    .toList();
        }

        /** Whether the target says of itself what its rows add up to. */
        boolean balances() {
            ReplicaTable target = catalog.replica("sales." + name);
            Balance measured = new WindowMerge(engine)
                    .measure(target, target.state().snapshotId())
                    .balance();
            return target.state().balance().equals(measured);
        }

        long snapshot() {
            return catalog.replica("sales." + name).lake().currentSnapshotId();
        }
    }
}
