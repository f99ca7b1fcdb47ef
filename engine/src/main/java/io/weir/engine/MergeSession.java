package io.weir.engine;

import io.weir.core.row.Balance;

import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBResultSet;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** One connection to a database of its own, in which a window is worked out in temporary tables. */
final class MergeSession {
    private final DuckDBConnection connection;
    private final BufferAllocator allocator;

    MergeSession(DuckDBConnection connection, BufferAllocator allocator) {
        this.connection = connection;
        this.allocator = allocator;
    }

    DuckDBConnection connection() {
        return connection;
    }

    BufferAllocator allocator() {
        return allocator;
    }

    void execute(String sql) throws SQLException {
        // A statement is closed by an error, so each has its own.
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The number that a query returns. */
    long number(String sql) throws SQLException {
        List<List<@Nullable Object>> rows = rows(sql);
        return rows.get(0).get(0) instanceof Number number ? number.longValue() : 0;
    }

    /** Every row of a query that returns few. */
    List<List<@Nullable Object>> rows(String sql) throws SQLException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int width = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<@Nullable Object> row = new ArrayList<>(width);
                for (int i = 1; i <= width; i++) {
                    row.add(result.getObject(i));
                }
                rows.add(row);
            }
        }
        return rows;
    }

    /** Takes a batch of rows. */
    @FunctionalInterface
    interface Batch {
        /**
         * Takes the rows of a batch; afterwards they are gone.
         *
         * @return whether more are wanted
         */
        boolean take(List<FieldVector> columns, int rows) throws IOException;
    }

    /**
     * Hands over the rows of a query batch by batch.
     *
     * @return whether all of them were wanted
     */
    boolean each(String query, int batchRows, Batch taker) throws SQLException, IOException {
        execute("SET SESSION jdbc_stream_results = true");
        try (Statement statement = connection.createStatement();
                DuckDBResultSet result = (DuckDBResultSet) statement.executeQuery(query);
                ArrowReader batches =
                        (ArrowReader) result.arrowExportStream(allocator, batchRows)) {
            while (batches.loadNextBatch()) {
                VectorSchemaRoot batch = batches.getVectorSchemaRoot();
                if (!taker.take(batch.getFieldVectors(), batch.getRowCount())) {
                    return false;
                }
            }
            return true;
        } finally {
            execute("SET SESSION jdbc_stream_results = false");
        }
    }

    /** Makes a table of the rows of a stream; its columns are called as given. */
    void load(String table, String columns, ArrowReader rows) throws SQLException {
        try (ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
            Data.exportArrayStream(allocator, rows, stream);
            try {
                connection.registerArrowStream("incoming_" + table, stream);
                execute("CREATE TEMP TABLE " + table + " AS SELECT * FROM incoming_" + table
                        + " AS t(" + columns + ")");
            } finally {
                stream.release();
            }
        }
    }

    /**
     * The balance of the digests in a column. A sum of 128-bit numbers would be rounded, so each
     * half is summed for itself.
     */
    Balance balance(String digest, String from) throws SQLException {
        List<@Nullable Object> row = rows("""
                select count(%1$s), coalesce(sum((%1$s::uhugeint >> 64)::hugeint), 0)::varchar,
                    coalesce(sum((%1$s::uhugeint & 18446744073709551615)::hugeint), 0)::varchar
                from %2$s
                """.formatted(digest, from)).get(0);
        BigInteger high = new BigInteger(String.valueOf(row.get(1)));
        BigInteger low = new BigInteger(String.valueOf(row.get(2)));
        long count = row.get(0) instanceof Number number ? number.longValue() : 0;
        return Balance.of(count, high.shiftLeft(Long.SIZE).add(low));
    }
}
