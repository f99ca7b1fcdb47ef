package io.weir.flow.replicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.route.PartitionBy;
import io.weir.core.run.Operator;
import io.weir.flow.load.Cancellation;
import io.weir.flow.load.LoadFlow;
import io.weir.flow.load.LoadJob;
import io.weir.flow.load.LoadListener;
import io.weir.flow.load.LoadSettings;
import io.weir.ledger.replica.LogPlace;
import io.weir.source.Source;
import io.weir.source.SourceConfig;
import io.weir.source.Sources;
import io.weir.source.TableSpec;
import io.weir.table.LocalFileIO;

import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.SnapshotChanges;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Goal: a table begins with the rows that its log goes on from, or does not begin. */
class OutsideBeginningTest {
    private static final Operator ADA = new Operator("ada", "looked at it");

    @TempDir
    private static Path directory;

    private static OutsideHouse house;

    @BeforeAll
    static void open() {
        house = new OutsideHouse(directory);
    }

    @AfterAll
    static void close() {
        house.close();
    }

    /** Fills the target of a shelf as {@code weir load} does; a row is {@code (1, 'anna', 5)}. */
    private static void load(OutsideHouse.Shelf shelf, String businessKey, String... rows) {
        house.books.execute(
                "create table if not exists " + shelf.name
                        + " (id int primary key, name text, qty int)",
                "truncate " + shelf.name,
                "insert into " + shelf.name + " values " + String.join(", ", rows));
        try (Source source = Sources.open(new SourceConfig(
                "seed", house.books.url(), house.books.user(), house.books.password()))) {
            new LoadFlow(
                            house.ledger,
                            house.ledger,
                            house.catalog,
                            house.engine,
                            LoadSettings.of("test", 2),
                            UUID::randomUUID,
                            new Cancellation())
                    .load(
                            source,
                            List.of(LoadJob.replica(
                                    "full-" + shelf.name,
                                    "seed",
                                    TableSpec.of("public." + shelf.name),
                                    "sales." + shelf.name,
                                    PartitionBy.NOTHING)),
                            businessKey,
                            new LoadListener() {});
        }
    }

    @Test
    void rowsAtAKnownPlaceGoOnFromThere() {
        OutsideHouse.Shelf shelf = house.shelf().from(new LogPlace(20, "20"));
        load(shelf, "full", "(1, 'anna', 6)", "(2, 'bert', 7)");
        shelf.write("a.parquet", "20 u 1 anna 5 > 1 anna 6", "30 u 1 anna 6 > 1 anna 7");
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("1 anna 7", "2 bert 7");
        assertThat(shelf.balances()).isTrue();

        // The log holds only what came behind the load: a rebuild needs another load.
        house.ledger.replicas().rebuild(shelf.name, "public." + shelf.name, ADA);
        assertThat(shelf.stopped(ErrorCode.CONFIG_INVALID))
                .contains("its rows were not loaded since");
        load(shelf, "again", "(1, 'anna', 6)", "(2, 'bert', 8)");
        house.ledger.replicas().resumed(shelf.name, "public." + shelf.name, ADA);
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("1 anna 7", "2 bert 8");
    }

    @Test
    void rowsAtSomePlaceOfTheLogAreFoundInIt() {
        OutsideHouse.Shelf shelf = house.shelf().from(null);
        load(shelf, "full", "(1, 'anna', 6)", "(2, 'bert', 7)");
        shelf.write("a.parquet", "10 u 1 anna 5 > 1 anna 6", "30 u 1 anna 6 > 1 anna 7");
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("1 anna 7", "2 bert 7");

        OutsideHouse.Shelf wrong = house.shelf().from(null);
        load(wrong, "full", "(1, 'anna', 9)");
        wrong.write("a.parquet", "10 u 1 anna 5 > 1 anna 6", "30 u 1 anna 6 > 1 anna 7");
        assertThat(wrong.stopped(ErrorCode.MERGE_CHAIN_BROKEN)).contains("id=1");
        assertThat(wrong.rows()).containsExactly("1 anna 9");
    }

    @Test
    void theLogAloneIsRefusedForATargetWithRows() {
        OutsideHouse.Shelf shelf = house.shelf();
        load(shelf, "full", "(1, 'anna', 6)");
        shelf.write("a.parquet", "10 c ~ > 1 anna 5");
        assertThat(shelf.stopped(ErrorCode.CONFIG_INVALID)).contains("it has rows already");
        assertThat(shelf.rows()).containsExactly("1 anna 6");
    }

    @Test
    void aKeyIsThatOfTheTable() {
        OutsideHouse.Shelf shelf = house.shelf().key("name").from(null);
        load(shelf, "full", "(1, 'anna', 6)");
        shelf.write("a.parquet", "10 c ~ > 1 anna 5");
        assertThat(shelf.stopped(ErrorCode.LOG_UNFIT)).contains("(table=id, job=name)");
    }

    @Test
    void aRebuildTakesThePlaceOfRowsThatSomebodyElseWrote() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5", "20 u 1 anna 5 > 1 anna 6");
        shelf.verified();
        appendForeign(shelf);
        shelf.write("b.parquet", "30 c ~ > 2 bert 7");
        assertThat(shelf.stopped(ErrorCode.TABLE_FOREIGN_WRITE))
                .contains("weir rebuild sales." + shelf.name);
        house.ledger.replicas().rebuild(shelf.name, "public." + shelf.name, ADA);
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("1 anna 6", "2 bert 7");
        assertThat(shelf.balances()).isTrue();
        assertThat(shelf.logged("ordinal || ' ' || op"))
                .containsExactly("-1 truncate", "1 insert", "1 update", "1 insert");
    }

    private static void appendForeign(OutsideHouse.Shelf shelf) {
        JdbcCatalog foreign = new JdbcCatalog();
        foreign.initialize(
                "weir",
                Map.of(
                        "uri", house.lake.catalogUrl(),
                        "jdbc.user", house.books.user(),
                        "jdbc.password", house.books.password(),
                        "jdbc.schema-version", "V1",
                        "warehouse", house.lake.warehouse(),
                        "io-impl", LocalFileIO.class.getName()));
        Table target = foreign.loadTable(TableIdentifier.parse("sales." + shelf.name));
        DataFile file = SnapshotChanges.builderFor(target)
                .snapshot(target.currentSnapshot())
                .build()
                .addedDataFiles()
                .iterator()
                .next();
        try {
            Files.copy(
                    LocalFileIO.pathOf(file.location()),
                    LocalFileIO.pathOf(file.location() + ".copy"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        target.newFastAppend()
                .appendFile(DataFiles.builder(target.spec())
                        .copy(file)
                        .withPath(file.location() + ".copy")
                        .build())
                .commit();
        foreign.close();
    }

    /** Nobody tells that a table without changes has none, so each has an end of its own. */
    @Test
    void tablesOfAJobEndWhereTheirLogsEnd() {
        OutsideHouse.Shelf one = house.shelf();
        OutsideHouse.Shelf other = house.shelf();
        OutsideJob both = new OutsideJob(
                one.name,
                List.of(one.job().tables().get(0), other.job().tables().get(0)),
                Duration.ofHours(1),
                one.job().merge(),
                Initial.LOG_ONLY,
                null);
        one.write("a.parquet", "10 c ~ > 1 anna 5");
        other.write("a.parquet", "99 c ~ > 1 anna 5");
        ReplicateReport report = house.flow().once(both, new ReplicateListener() {});
        assertThat(report.isVerified()).isTrue();
        assertThat(one.place()).isEqualTo(new LogPlace(10, "10"));
        assertThat(other.place()).isEqualTo(new LogPlace(99, "99"));
        assertThat(house.ledger.replicas().lastCut(one.name)).isEmpty();
        // What is behind the end of the one is not late because the other is further.
        one.write("b.parquet", "50 u 1 anna 5 > 1 anna 6");
        other.write("b.parquet", "98 c ~ > 2 bert 5");
        assertThat(house.flow().once(both, new ReplicateListener() {}).isVerified())
                .isFalse();
        assertThat(one.rows()).containsExactly("1 anna 6");
        assertThat(other.replica().stop())
                .extracting(stop -> stop == null ? "" : stop.code())
                .isEqualTo("LOG_FILE_LATE");
    }
}
