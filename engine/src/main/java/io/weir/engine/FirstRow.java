package io.weir.engine;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.route.PartitionBy;
import io.weir.core.route.PartitionField;
import io.weir.core.route.Route;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBResultSet;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;

/** Reads the first row of a file, to learn where a file belongs that another process wrote. */
final class FirstRow {
    private final EmbeddedDatabase database;
    private final BufferAllocator allocator;
    private final Path file;

    FirstRow(EmbeddedDatabase database, BufferAllocator allocator, Path file) {
        this.database = database;
        this.allocator = allocator;
        this.file = file;
    }

    Route route(RowSchema schema, PartitionBy partitionBy) {
        List<Column> columns = partitionBy.fields().stream()
                .map(PartitionField::column)
                .distinct()
                .map(schema::column)
                .toList();
        String query = "SELECT "
                + columns.stream().map(SliceScanner::field).collect(Collectors.joining(", "))
                + " FROM " + DuckdbSql.scan(DuckdbSql.pattern(file), columns) + " LIMIT 1";
        try (DuckDBConnection connection = database.connect()) {
            ParquetLayout.of(connection, file, columns);
            try (Statement statement = connection.createStatement();
                    DuckDBResultSet result = (DuckDBResultSet) statement.executeQuery(query);
                    ArrowReader batches = (ArrowReader) result.arrowExportStream(allocator, 1)) {
                if (!batches.loadNextBatch()) {
                    throw new WeirException(
                            ErrorCode.FILE_UNREADABLE,
                            "Cannot read file " + file + ": it holds no row");
                }
                return route(batches.getVectorSchemaRoot().getFieldVectors(), columns, partitionBy);
            }
        } catch (SQLException | IOException e) {
            throw DuckdbErrors.read(e, file);
        }
    }

    private static Route route(
            List<FieldVector> vectors, List<Column> columns, PartitionBy partitionBy) {
        List<ColumnScan> scans =
                columns.stream().map(column -> ColumnScan.of(column, false)).toList();
        for (int i = 0; i < scans.size(); i++) {
            scans.get(i).load(vectors.get(i), 1);
        }
        return new RouteCheck(partitionBy, scans).route(0);
    }
}
