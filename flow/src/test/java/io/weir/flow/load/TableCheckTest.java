package io.weir.flow.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.ledger.RunDetail;
import io.weir.core.publish.PublishMode;
import io.weir.core.run.Chunk;
import io.weir.core.run.RunId;
import io.weir.flow.fsck.TableCheck;
import io.weir.ledger.fsck.Finding;
import io.weir.table.LocalFileIO;

import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** Published tables that were touched by others than Weir; all files and catalogs are real. */
class TableCheckTest {
    private static final String TABLE = "sales.orders";

    @TempDir
    Path directory;

    private LoadHouse house;
    private RunDetail run;

    @BeforeEach
    void load() {
        house = new LoadHouse(directory);
        house.shop.execute(
                "create table orders (id bigint primary key, note text)",
                "insert into orders select n, 'note ' || n from generate_series(1, 3000) as n");
        run = house.load(LoadHouse.job("orders", PublishMode.REPLACE), "monday");
    }

    @AfterEach
    void close() {
        house.close();
    }

    @Test
    void whatWasPublishedIsClean() {
        assertThat(violations()).isEmpty();
        assertThat(new TableCheck(house.ledger, house.catalog, house.engine).check())
                .extracting(Finding::id)
                .containsExactly("TABLE_BALANCE", "FILE_MISSING", "FILE_DIFFERS", "FOREIGN_WRITE");
        assertThat(house.ledger.fsck()).allMatch(Finding::isClean);
    }

    @Test
    void appendsAndReplacementsAreClean() {
        house.load(LoadHouse.job("orders", PublishMode.APPEND), "tuesday");
        assertThat(violations()).isEmpty();
        assertThat(house.query(TABLE, "select count(*) from " + TABLE)).isEqualTo("6000");

        house.load(LoadHouse.job("orders", PublishMode.REPLACE), "wednesday");
        house.shop.execute("create table empty (id bigint primary key)");
        house.load(LoadHouse.job("empty", PublishMode.REPLACE), "wednesday");

        assertThat(violations()).isEmpty();
        assertThat(house.ledger.fsck()).allMatch(Finding::isClean);
    }

    /** The commit happened, the reply and the process are gone. */
    @Test
    void aPublishThatTheLedgerHasNotHeardOfIsClean() {
        forgetPublish(run.run().id());

        assertThat(violations()).isEmpty();
    }

    @Test
    void aFlippedBitIsFound() throws IOException {
        Path file = file(0);
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 3] ^= 1;
        Files.write(file, bytes);

        Map<String, List<String>> violations = violations();

        assertThat(violations).containsKey("FILE_DIFFERS").doesNotContainKey("FOREIGN_WRITE");
        assertThat(violations.get("FILE_DIFFERS"))
                .singleElement()
                .asString()
                .startsWith("table=" + TABLE + " file=" + LocalFileIO.locationOf(file));
    }

    @Test
    void otherRowsUnderTheSameNameAreFound() throws IOException {
        Files.copy(file(1), file(0), java.nio.file.StandardCopyOption.REPLACE_EXISTING);

        Map<String, List<String>> violations = violations();

        Chunk chunk = run.chunks().get(0);
        assertThat(violations.get("FILE_DIFFERS"))
                .containsExactly("table=" + TABLE + " file=" + chunk.path() + " run_id="
                        + run.run().id() + " ledger=" + chunk.balance() + " measured="
                        + run.chunks().get(1).balance());
        assertThat(violations.get("TABLE_BALANCE"))
                .singleElement()
                .asString()
                .startsWith("table=" + TABLE + " table_says="
                        + run.run().extracted() + " ledger=" + run.run().extracted()
                        + " measured=");
        assertThat(violations).containsOnlyKeys("FILE_DIFFERS", "TABLE_BALANCE");
    }

    @Test
    void aMissingFileIsFound() throws IOException {
        Files.delete(file(0));

        assertThat(violations())
                .isEqualTo(Map.of(
                        "FILE_MISSING",
                        List.of("table=" + TABLE + " file="
                                + run.chunks().get(0).path())));
    }

    @Test
    void rowsOfAnotherWriterAreFound() throws Exception {
        Path copy = file(0).resolveSibling("copy.parquet");
        Files.copy(file(0), copy);
        withTable(table -> table.newAppend()
                .appendFile(data(table, copy, run.chunks().get(0).balance().rows()))
                .commit());

        Map<String, List<String>> violations = violations();

        assertThat(violations).containsOnlyKeys("FOREIGN_WRITE");
        assertThat(violations.get("FOREIGN_WRITE"))
                .anySatisfy(row -> assertThat(row).contains("another writer made a snapshot"))
                .contains("table=" + TABLE + " file=" + LocalFileIO.locationOf(copy)
                        + " violation=no published run wrote it");
    }

    /** A compaction by another engine moves rows between files and changes none. */
    @Test
    void otherFilesWithTheSameRowsAreClean() throws Exception {
        Path copy = file(0).resolveSibling("copy.parquet");
        Files.copy(file(0), copy);
        long rows = run.chunks().get(0).balance().rows();
        withTable(table -> table.newRewrite()
                .deleteFile(data(table, file(0), rows))
                .addFile(data(table, copy, rows))
                .commit());

        assertThat(violations()).isEmpty();
    }

    @Test
    void aTableThatWasRolledBackIsFound() throws Exception {
        RunDetail second = house.load(LoadHouse.job("orders", PublishMode.APPEND), "tuesday");
        long first = Objects.requireNonNull(run.run().publishedSnapshotId());
        withTable(table -> table.manageSnapshots().rollbackTo(first).commit());

        Map<String, List<String>> violations = violations();

        assertThat(violations).containsOnlyKeys("FOREIGN_WRITE", "TABLE_BALANCE");
        assertThat(violations.get("FOREIGN_WRITE"))
                .allMatch(row -> row.endsWith("it was published, but the table does not show it"))
                .hasSameSizeAs(second.chunks());
    }

    @Test
    void aDroppedTableIsFound() throws Exception {
        try (JdbcCatalog catalog = catalog()) {
            catalog.dropTable(TableIdentifier.parse(TABLE), false);
        }

        assertThat(violations())
                .isEqualTo(Map.of(
                        "FOREIGN_WRITE",
                        List.of("table=" + TABLE + " violation=the catalog has no such table")));
    }

    /** What was found, by kind. */
    private Map<String, List<String>> violations() {
        Map<String, List<String>> violations = new LinkedHashMap<>();
        for (Finding finding : new TableCheck(house.ledger, house.catalog, house.engine).check()) {
            if (!finding.isClean()) {
                violations.put(finding.id(), finding.rows());
            }
        }
        return violations;
    }

    private Path file(int chunk) {
        return LocalFileIO.pathOf(Objects.requireNonNull(run.chunks().get(chunk).path()));
    }

    private void forgetPublish(RunId id) {
        house.books.execute(
                "update weir.run set state = 'PUBLISH_UNKNOWN', published_snapshot_id = null,"
                        + " published_at = null, confirmed_at = null, ended_at = null"
                        + " where id = '" + id + "'",
                "update weir.publish_attempt set state = 'UNKNOWN' where run_id = '" + id + "'");
    }

    private static DataFile data(Table table, Path file, long rows) {
        try {
            return DataFiles.builder(table.spec())
                    .withPath(LocalFileIO.locationOf(file))
                    .withFileSizeInBytes(Files.size(file))
                    .withRecordCount(rows)
                    .build();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void withTable(Consumer<Table> work) {
        try (JdbcCatalog catalog = catalog()) {
            work.accept(catalog.loadTable(TableIdentifier.parse(TABLE)));
        }
    }

    private JdbcCatalog catalog() {
        JdbcCatalog catalog = new JdbcCatalog();
        catalog.initialize(
                "weir",
                Map.of(
                        "uri", house.books.url() + "?currentSchema=weir_catalog",
                        "jdbc.user", house.books.user(),
                        "jdbc.password", house.books.password(),
                        "jdbc.schema-version", "V1",
                        "warehouse", LocalFileIO.locationOf(directory.resolve("lake")),
                        "io-impl", LocalFileIO.class.getName()));
        return catalog;
    }
}
