package io.weir.flow.load;

import io.weir.table.LocalFileIO;

import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.jdbc.JdbcCatalog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Iceberg alone, beside the house: finds its tables by the catalog and reads them. */
final class Witness implements AutoCloseable {
    private final JdbcCatalog catalog = new JdbcCatalog();

    Witness(LoadHouse house, Path lake) {
        catalog.initialize(
                "weir",
                Map.of(
                        "uri", house.books.url() + "?currentSchema=weir_catalog",
                        "jdbc.user", house.books.user(),
                        "jdbc.password", house.books.password(),
                        "jdbc.schema-version", "V1",
                        "warehouse", LocalFileIO.locationOf(lake),
                        "io-impl", LocalFileIO.class.getName()));
    }

    Table table(String target) {
        return catalog.loadTable(TableIdentifier.parse(target));
    }

    /** The live files that could hold rows for which an expression is true. */
    List<DataFile> files(String target, Expression filter) {
        List<DataFile> files = new ArrayList<>();
        try (CloseableIterable<FileScanTask> tasks =
                table(target).newScan().filter(filter).planFiles()) {
            tasks.forEach(task -> files.add(task.file()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    List<DataFile> files(String target) {
        return files(target, Expressions.alwaysTrue());
    }

    Set<String> paths(String target, Expression filter) {
        Set<String> paths = new TreeSet<>();
        files(target, filter).forEach(file -> paths.add(file.location()));
        return paths;
    }

    /** The ids of the rows for which an expression is true, each as often as it is there. */
    List<Long> ids(String target, Expression filter) {
        List<Long> ids = new ArrayList<>();
        try (CloseableIterable<Record> records =
                IcebergGenerics.read(table(target)).where(filter).build()) {
            records.forEach(record -> ids.add((Long) record.getField("id")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ids.sort(null);
        return ids;
    }

    /** The rows, each as text, that Iceberg would put into another partition than their file's. */
    List<String> misplaced(String target) {
        Table table = table(target);
        PartitionKey computed = new PartitionKey(table.spec(), table.schema());
        InternalRecordWrapper wrapper = new InternalRecordWrapper(table.schema().asStruct());
        List<String> misplaced = new ArrayList<>();
        for (DataFile file : files(target)) {
            // The one file that the generic reader would read for its own path.
            for (Record record : records(table, file)) {
                computed.partition(wrapper.wrap(record));
                for (int i = 0; i < computed.size(); i++) {
                    Object stored = file.partition().get(i, Object.class);
                    if (!String.valueOf(stored)
                            .equals(String.valueOf(computed.get(i, Object.class)))) {
                        misplaced.add(record + " in " + file.partition());
                    }
                }
            }
        }
        return misplaced;
    }

    private static List<Record> records(Table table, DataFile file) {
        List<Record> records = new ArrayList<>();
        try (CloseableIterable<Record> read = org.apache.iceberg.parquet.Parquet.read(
                        table.io().newInputFile(file.location()))
                .project(table.schema())
                .createReaderFunc(message ->
                        org.apache.iceberg.data.parquet.GenericParquetReaders.buildReader(
                                table.schema(), message))
                .build()) {
            read.forEach(record -> records.add(record.copy()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return records;
    }

    @Override
    public void close() {
        catalog.close();
    }
}
