package io.weir.engine;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes one Parquet file: under a temporary name, made durable, then renamed. */
final class ParquetWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ParquetWriter.class);
    static final String STREAM = "incoming";
    // DuckDB's own vectors hold 2,048 rows; a row group is sixty of them.
    static final int ROW_GROUP_ROWS = 122_880;
    // Higher levels take half as long again and save a tenth of the bytes.
    private static final int ZSTD_LEVEL = 1;
    // Of a column with more values than this a dictionary saves little, and filling it costs.
    private static final int DICTIONARY_VALUES_MAX = 8_192;
    private static final long ROW_GROUP_BYTES_MAX = 128L << 20;
    private static final long ROW_GROUP_BYTES_MIN = 4L << 20;

    private final EmbeddedDatabase database;
    private final long rowGroupBytes;

    ParquetWriter(EmbeddedDatabase database, long memoryBytes, int threads) {
        this.database = database;
        // Every thread fills a row group of its own.
        long share = memoryBytes / (4L * threads);
        this.rowGroupBytes = Math.max(ROW_GROUP_BYTES_MIN, Math.min(ROW_GROUP_BYTES_MAX, share));
    }

    WrittenFile write(ArrowReader rows, RowSchema schema, Path file) {
        Path temporary = file.resolveSibling("." + file.getFileName() + ".tmp");
        boolean kept = false;
        try (GuardedReader guarded = new GuardedReader(rows, allocatorOf(rows))) {
            DurableFiles.createDirectories(DurableFiles.parentOf(file));
            Files.deleteIfExists(temporary);
            WrittenFile written = copy(guarded, schema, file, temporary);
            if (written.rows() > 0) {
                DurableFiles.publish(temporary, file);
                kept = true;
            }
            return written;
        } catch (IOException | SQLException e) {
            throw DuckdbErrors.write(e, file, usableBytes(file));
        } finally {
            if (!kept) {
                delete(temporary);
            }
        }
    }

    private WrittenFile copy(GuardedReader rows, RowSchema schema, Path file, Path temporary)
            throws IOException, SQLException {
        List<Integer> positions = positions(rows, schema, file);
        try (DuckDBConnection connection = database.connect();
                ArrowArrayStream stream = ArrowArrayStream.allocateNew(rows.allocator())) {
            Data.exportArrayStream(rows.allocator(), rows, stream);
            try {
                connection.registerArrowStream(STREAM, stream);
                WrittenFile written = run(connection, statement(schema, positions, temporary))
                        .toFile(schema, file);
                rows.throwFailure();
                verify(written, rows.rowCount(), schema);
                if (written.rows() == 0) {
                    return WrittenFile.nothing(file);
                }
                return withSplits(written, connection, temporary);
            } catch (SQLException e) {
                rows.throwFailure();
                throw e;
            } finally {
                stream.release();
            }
        }
    }

    /** Buffers can only be shared below one root, so the one of the caller's vectors is used. */
    static BufferAllocator allocatorOf(ArrowReader rows) throws IOException {
        List<FieldVector> vectors = rows.getVectorSchemaRoot().getFieldVectors();
        if (vectors.isEmpty()) {
            throw new IOException("the rows have no columns");
        }
        return vectors.get(0).getAllocator().getRoot();
    }

    static List<Integer> positions(GuardedReader rows, RowSchema schema, Path file)
            throws IOException {
        try {
            return ArrowColumns.positions(rows.getVectorSchemaRoot().getSchema(), schema);
        } catch (IllegalArgumentException e) {
            throw new WeirException(
                    ErrorCode.ENGINE_FAILED,
                    "Cannot write file " + file + ": " + e.getMessage(),
                    e);
        }
    }

    private String statement(RowSchema schema, List<Integer> positions, Path temporary) {
        int width = positions.stream().mapToInt(Integer::intValue).max().orElse(0) + 1;
        return statement(
                schema,
                positions,
                STREAM + " AS t(" + String.join(", ", names(width)) + ")",
                temporary);
    }

    /** What fields of a stream are called, by position: names of columns are the caller's. */
    static List<String> names(int width) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < width; i++) {
            names.add("c" + i);
        }
        return names;
    }

    /** Writes what is selected from something whose columns are called {@link #names}. */
    String statement(RowSchema schema, List<Integer> positions, String from, Path temporary) {
        List<Column> columns = schema.columns();
        List<String> selected = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            selected.add("c" + positions.get(i) + " AS "
                    + DuckdbSql.identifier(columns.get(i).name()));
        }
        return "COPY (SELECT " + String.join(", ", selected) + " FROM " + from + ") TO "
                + DuckdbSql.path(temporary)
                + " (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL "
                + ZSTD_LEVEL + ", DICTIONARY_SIZE_LIMIT " + DICTIONARY_VALUES_MAX
                + ", ROW_GROUP_SIZE " + ROW_GROUP_ROWS
                + ", ROW_GROUP_SIZE_BYTES " + rowGroupBytes + ", USE_TMP_FILE false, RETURN_STATS, "
                + DuckdbSql.fieldIds(columns) + ")";
    }

    static Copied run(DuckDBConnection connection, String copy) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(copy)) {
            if (!result.next()) {
                throw new SQLException("COPY returned no statistics");
            }
            return new Copied(
                    result.getLong("count"), result.getLong("file_size_bytes"), (Map<?, ?>)
                            result.getObject("column_statistics"));
        }
    }

    /** What DuckDB says it has written must be what it was given. */
    static void verify(WrittenFile written, long rowCount, RowSchema schema) {
        if (written.rows() != rowCount) {
            throw new WeirException(
                    ErrorCode.ENGINE_FAILED,
                    "Cannot write file " + written.path() + ": rows got lost (given=" + rowCount
                            + ", written=" + written.rows() + ")");
        }
        for (Column column : schema.columns()) {
            Long nulls = written.nullCounts().get(column.fieldId());
            if (column.required() && nulls != null && nulls > 0) {
                throw new WeirException(
                        ErrorCode.ENGINE_FAILED,
                        "Cannot write file " + written.path() + ": a required column has NULL"
                                + " (column=" + column.name() + ", nulls=" + nulls + ")");
            }
        }
    }

    static WrittenFile withSplits(WrittenFile written, DuckDBConnection connection, Path temporary)
            throws SQLException {
        List<Long> offsets = ParquetLayout.rowGroups(connection, temporary).stream()
                .map(ParquetLayout.RowGroup::offset)
                .toList();
        return new WrittenFile(
                written.path(),
                written.rows(),
                written.bytes(),
                written.columnSizes(),
                written.valueCounts(),
                written.nullCounts(),
                written.lowerBounds(),
                written.upperBounds(),
                offsets);
    }

    static long usableBytes(Path file) {
        try {
            return Files.getFileStore(DurableFiles.parentOf(file)).getUsableSpace();
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    static void delete(Path temporary) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            // Nobody reads temporary names; what made the write fail is the news.
            LOG.atWarn()
                    .addKeyValue("file", temporary)
                    .addKeyValue("reason", e.toString())
                    .log("Temporary file stays");
        }
    }

    /** The row that {@code RETURN_STATS} returns; statistics by quoted column name. */
    record Copied(long rows, long bytes, Map<?, ?> statistics) {
        WrittenFile toFile(RowSchema schema, Path file) {
            Map<Integer, Long> sizes = new HashMap<>();
            Map<Integer, Long> values = new HashMap<>();
            Map<Integer, Long> nulls = new HashMap<>();
            Map<Integer, ByteBuffer> lower = new HashMap<>();
            Map<Integer, ByteBuffer> upper = new HashMap<>();
            for (Column column : schema.columns()) {
                if (column.type().isStructType()) {
                    // Readers skip files by plain columns; a struct has no figures of its own.
                    continue;
                }
                Map<String, String> of = of(column);
                int id = column.fieldId();
                sizes.put(id, number(of, "column_size_bytes", column));
                values.put(id, number(of, "num_values", column));
                nulls.put(id, number(of, "null_count", column));
                ByteBuffer least = ColumnBounds.lower(column.type(), of);
                ByteBuffer greatest = ColumnBounds.upper(column.type(), of);
                if (least != null) {
                    lower.put(id, least);
                }
                if (greatest != null) {
                    upper.put(id, greatest);
                }
            }
            return new WrittenFile(
                    file, rows, bytes, sizes, values, nulls, lower, upper, List.of());
        }

        private Map<String, String> of(Column column) {
            Map<String, String> copy = new HashMap<>();
            if (statistics.get(DuckdbSql.identifier(column.name())) instanceof Map<?, ?> found) {
                found.forEach((key, value) -> copy.put(key.toString(), String.valueOf(value)));
            }
            return copy;
        }

        private static long number(Map<String, String> of, String key, Column column) {
            String text = of.get(key);
            if (text == null) {
                throw new WeirException(
                        ErrorCode.ENGINE_FAILED,
                        "Cannot read the statistics of column " + column.name() + ": no value ("
                                + "statistic=" + key + ")");
            }
            return Long.parseLong(text);
        }
    }
}
