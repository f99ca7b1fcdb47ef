package io.weir.engine;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.route.PartitionBy;
import io.weir.core.route.Route;
import io.weir.core.row.Balance;
import io.weir.core.row.BalanceSum;
import io.weir.core.row.CanonicalRow;
import io.weir.core.row.CanonicalType;
import io.weir.core.row.Column;
import io.weir.core.row.RowDigest;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBResultSet;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * Digests and totals the rows of slices, one slice after the other. This is the encoder of files:
 * it knows only values that it has read back, and shares nothing with the encoder at the source but
 * the specification. Not thread-safe; every thread has one.
 */
final class SliceScanner {
    private final List<Column> columns;
    private final List<ColumnScan> scans;
    private final CanonicalRow canonical = new CanonicalRow();
    private final RowDigest digest = new RowDigest();
    private final BalanceSum sum = new BalanceSum();
    private final @Nullable RouteCheck routes;
    private final @Nullable KeyBits keys;
    private final @Nullable IntegerScan key;

    /**
     * Takes the columns in ascending order of field id.
     *
     * @param totalled names of the columns whose totals are asked for
     * @param keys takes every key; null if nobody asks
     */
    SliceScanner(
            List<Column> columns,
            Set<String> totalled,
            PartitionBy partitionBy,
            @Nullable KeyBits keys) {
        this.columns = columns;
        this.scans = columns.stream()
                .map(column -> ColumnScan.of(column, totalled.contains(column.name())))
                .toList();
        this.keys = keys;
        this.key = keys == null ? null : keyOf(scans, keys.fieldId());
        this.routes = partitionBy.isPartitioned() ? new RouteCheck(partitionBy, scans) : null;
    }

    private static IntegerScan keyOf(List<ColumnScan> scans, int fieldId) {
        return scans.stream()
                .filter(scan -> scan.fieldId() == fieldId)
                .map(IntegerScan.class::cast)
                .findFirst()
                .orElseThrow();
    }

    List<ColumnScan> scans() {
        return scans;
    }

    /**
     * The balance of a slice.
     *
     * @param route that every row of the file should have
     * @param cancelled ends the scan early, with a balance that nobody looks at
     */
    Balance scan(
            DuckDBConnection connection,
            BufferAllocator allocator,
            FileSlice slice,
            Route route,
            AtomicBoolean cancelled) {
        sum.reset();
        if (routes != null) {
            routes.expect(route);
        }
        String query = query(slice);
        try (Statement statement = connection.createStatement();
                DuckDBResultSet result = (DuckDBResultSet) statement.executeQuery(query);
                ArrowReader batches =
                        (ArrowReader) result.arrowExportStream(allocator, slice.batchRows())) {
            while (!cancelled.get() && batches.loadNextBatch()) {
                digest(batches.getVectorSchemaRoot());
            }
        } catch (SQLException | IOException e) {
            throw DuckdbErrors.read(cause(connection, query, e), slice.layout().file());
        }
        Balance balance = sum.balance();
        if (!cancelled.get() && balance.rows() != slice.rows()) {
            throw new WeirException(
                    ErrorCode.FILE_UNREADABLE,
                    "Cannot read file " + slice.layout().file()
                            + ": it holds other rows than its footer says (expected="
                            + slice.rows() + ", found=" + balance.rows() + ")");
        }
        return balance;
    }

    /** Rows of the slice scanned last that have another route; 0 if there are no routes. */
    long misplacedRows() {
        return routes == null ? 0 : routes.misplacedRows();
    }

    /** Opens a connection whose results arrive batch by batch instead of as a whole. */
    static DuckDBConnection connect(EmbeddedDatabase database) throws SQLException {
        DuckDBConnection connection = database.connect();
        try {
            execute(connection, "SET SESSION jdbc_stream_results = true");
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /**
     * When a scan fails before its first batch, the driver only says that there is no result. The
     * same scan as an aggregate, not streamed, says why.
     */
    private static Exception cause(DuckDBConnection connection, String query, Exception thrown) {
        String message = thrown.getMessage();
        if (message == null || !message.contains("Invalid result set")) {
            return thrown;
        }
        try {
            execute(connection, "SET SESSION jdbc_stream_results = false");
            execute(connection, "SELECT count(columns(*)) FROM (" + query + ")");
            return thrown;
        } catch (SQLException e) {
            return e;
        }
    }

    private static void execute(DuckDBConnection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String query(FileSlice slice) {
        String fields = columns.stream().map(SliceScanner::field).collect(Collectors.joining(", "));
        String sql = "SELECT " + fields + " FROM "
                + DuckdbSql.scan(DuckdbSql.pattern(slice.layout().file()), columns);
        if (slice.isWholeFile()) {
            return sql;
        }
        return sql + " WHERE file_row_number >= " + slice.fromRow() + " AND file_row_number < "
                + slice.toRow();
    }

    /** Arrow would get a UUID as text. */
    static String field(Column column) {
        String name = DuckdbSql.scanName(column);
        return column.canonicalType() == CanonicalType.UUID ? name + "::BLOB" : name;
    }

    private void digest(VectorSchemaRoot batch) {
        int rows = batch.getRowCount();
        List<FieldVector> vectors = batch.getFieldVectors();
        ColumnScan[] fields = scans.toArray(new ColumnScan[0]);
        for (int i = 0; i < fields.length; i++) {
            fields[i].load(vectors.get(i), rows);
        }
        for (int row = 0; row < rows; row++) {
            canonical.reset();
            for (ColumnScan field : fields) {
                field.write(row, canonical);
            }
            digest.compute(canonical);
            sum.add(digest.high(), digest.low());
        }
        if (routes != null) {
            routes.check(rows);
        }
        if (keys != null && key != null) {
            keys.add(key, rows);
        }
    }
}
