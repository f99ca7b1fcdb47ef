package io.weir.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Each manifest is read once, and what it says is what Iceberg says. */
class ManifestEntriesTest {
    private static final String TARGET = "sales.orders_log";

    @TempDir
    private Path warehouse;

    private LakeFixture lake;
    private LogTable log;
    private long epoch;

    @BeforeEach
    void open() {
        lake = new LakeFixture(warehouse);
        List<Column> columns = LakeFixture.COLUMNS.stream()
                .map(column -> column.withFieldId(1 + LakeFixture.COLUMNS.indexOf(column)))
                .toList();
        log = lake.catalog()
                .prepareLog(TARGET, "public.orders", new RowSchema(columns, LakeFixture.KEY));
        epoch = log.claim();
    }

    @AfterEach
    void close() {
        lake.close();
    }

    private static LogPosition position(int number) {
        return number == 0 ? LogPosition.NONE : new LogPosition(number, "place " + number);
    }

    private void append(int number) {
        String path = log.fileLocation(epoch, number);
        StagedFile file = StagedFile.of(path, 1, LakeFixture.write(path));
        log.append(epoch, position(number - 1), position(number), file);
    }

    private Table foreign() {
        return lake.foreignCatalog().loadTable(TableIdentifier.parse(TARGET));
    }

    private List<String> scanned() throws IOException {
        List<String> paths = new ArrayList<>();
        try (CloseableIterable<FileScanTask> tasks = foreign().newScan().planFiles()) {
            tasks.forEach(task -> paths.add(task.file().location()));
        }
        return paths;
    }

    private List<ManifestFile> manifests() {
        Table table = foreign();
        return table.currentSnapshot().dataManifests(table.io());
    }

    @Test
    void aManifestThatWasReadIsNotReadAgain() throws IOException {
        append(1);
        append(2);
        assertThat(log.files()).hasSize(2);
        for (ManifestFile manifest : manifests()) {
            Files.delete(LocalFileIO.pathOf(manifest.path()));
        }

        append(3);

        assertThat(log.files())
                .extracting(FileEntry::path)
                .containsExactlyInAnyOrder(
                        log.fileLocation(epoch, 1),
                        log.fileLocation(epoch, 2),
                        log.fileLocation(epoch, 3));
    }

    @Test
    void manifestsThatAreMergedSayTheSame() throws IOException {
        foreign()
                .updateProperties()
                .set(TableProperties.MANIFEST_MIN_MERGE_COUNT, "3")
                .commit();
        for (int number = 1; number <= 8; number++) {
            append(number);
            assertThat(log.files())
                    .as("after %s", number)
                    .extracting(FileEntry::path)
                    .containsExactlyInAnyOrderElementsOf(scanned())
                    .hasSize(number);
            assertThat(log.files(number - 1))
                    .as("behind %s", number - 1)
                    .extracting(FileEntry::path)
                    .contains(log.fileLocation(epoch, number));
        }
        assertThat(manifests()).hasSizeLessThan(8);
    }
}
