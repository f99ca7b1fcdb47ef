package io.weir.flow.replicate;

import io.weir.table.CatalogConfig;
import io.weir.table.LocalFileIO;
import io.weir.testkit.postgresql.TestDatabase;

import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.SnapshotChanges;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.encryption.EncryptedFiles;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.parquet.Parquet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Another engine that writes to the tables of a house: Iceberg's own API, nothing of ours. */
final class ForeignEngine implements AutoCloseable {
    private final JdbcCatalog catalog = new JdbcCatalog();

    ForeignEngine(CatalogConfig lake, TestDatabase books) {
        catalog.initialize(
                "weir",
                Map.of(
                        "uri", lake.catalogUrl(),
                        "jdbc.user", books.user(),
                        "jdbc.password", books.password(),
                        "jdbc.schema-version", "V1",
                        "warehouse", lake.warehouse(),
                        "io-impl", LocalFileIO.class.getName()));
    }

    Table table(String name) {
        return catalog.loadTable(TableIdentifier.parse(name));
    }

    /** Appends a copy of a file. */
    void appendCopy(String name) {
        Table target = table(name);
        DataFile file = SnapshotChanges.builderFor(target)
                .snapshot(target.currentSnapshot())
                .build()
                .addedDataFiles()
                .iterator()
                .next();
        target.newFastAppend()
                .appendFile(DataFiles.builder(target.spec())
                        .copy(file)
                        .withPath(file.location() + ".copy")
                        .build())
                .commit();
    }

    /** Puts rows into one file, in the place of all files that there are. */
    void compact(String name, UnaryOperator<List<Record>> kept) {
        Table table = table(name);
        List<Record> records = new ArrayList<>();
        RewriteFiles rewrite =
                table.newRewrite().validateFromSnapshot(table.currentSnapshot().snapshotId());
        try (CloseableIterable<Record> rows = IcebergGenerics.read(table).build();
                CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
            rows.forEach(row -> records.add(row.copy()));
            tasks.forEach(task -> {
                rewrite.deleteFile(task.file());
                task.deletes().forEach(rewrite::deleteFile);
            });
            rewrite.addFile(write(table, kept.apply(records))).commit();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static DataFile write(Table table, List<Record> records) throws IOException {
        String path = table.location() + "/data/" + UUID.randomUUID() + ".parquet";
        DataWriter<Record> writer = Parquet.writeData(
                        EncryptedFiles.plainAsEncryptedOutput(table.io().newOutputFile(path)))
                .schema(table.schema())
                .withSpec(table.spec())
                .createWriterFunc(GenericParquetWriter::create)
                .build();
        try (writer) {
            records.forEach(writer::write);
        }
        return writer.toDataFile();
    }

    @Override
    public void close() {
        catalog.close();
    }
}
