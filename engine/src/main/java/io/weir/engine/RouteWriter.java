package io.weir.engine;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.route.RowRouter;
import io.weir.core.row.RowSchema;

import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.duckdb.DuckDBConnection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Writes one Parquet file for each route: takes the rows into a table of the engine, which spills
 * what does not fit into memory, in the order of their routes, so that each file reads its own rows
 * and hardly any other.
 */
final class RouteWriter {
    private static final String TABLE = "routed";

    private final EmbeddedDatabase database;
    private final ParquetWriter writer;

    RouteWriter(EmbeddedDatabase database, ParquetWriter writer) {
        this.database = database;
        this.writer = writer;
    }

    List<WrittenFile> write(ArrowReader rows, RowSchema schema, IntFunction<Path> fileOf) {
        Map<Path, Path> filesByTemporary = new LinkedHashMap<>();
        // Names the error, wherever it happens.
        Path first = fileOf.apply(0);
        try (GuardedReader guarded = new GuardedReader(rows, ParquetWriter.allocatorOf(rows));
                DuckDBConnection connection = database.connect()) {
            DurableFiles.createDirectories(DurableFiles.parentOf(first));
            List<Integer> positions = ParquetWriter.positions(guarded, schema, first);
            String route = take(connection, guarded, first);
            List<WrittenFile> files = new ArrayList<>();
            for (long count : counts(connection, route, guarded.rowCount(), first)) {
                int number = files.size();
                Path file = fileOf.apply(number);
                Path temporary = file.resolveSibling("." + file.getFileName() + ".tmp");
                filesByTemporary.put(temporary, file);
                Files.deleteIfExists(temporary);
                String from = TABLE + " WHERE " + route + " = " + number;
                WrittenFile written = ParquetWriter.run(
                                connection, writer.statement(schema, positions, from, temporary))
                        .toFile(schema, file);
                ParquetWriter.verify(written, count, schema);
                boolean small = written.rows() <= ParquetWriter.ROW_GROUP_ROWS;
                // Nobody splits a small file, and there may be thousands.
                files.add(
                        small ? written : ParquetWriter.withSplits(written, connection, temporary));
            }
            DurableFiles.publishAll(filesByTemporary);
            filesByTemporary.clear();
            return files;
        } catch (IOException | SQLException e) {
            throw DuckdbErrors.write(e, first, ParquetWriter.usableBytes(first));
        } finally {
            filesByTemporary.keySet().forEach(ParquetWriter::delete);
        }
    }

    /** Takes all rows in and returns what the table calls the number of the route. */
    private static String take(DuckDBConnection connection, GuardedReader rows, Path file)
            throws IOException, SQLException {
        List<String> names = ParquetWriter.names(width(rows, file));
        String route = names.get(names.size() - 1);
        try (ArrowArrayStream stream = ArrowArrayStream.allocateNew(rows.allocator())) {
            Data.exportArrayStream(rows.allocator(), rows, stream);
            try (Statement statement = connection.createStatement()) {
                connection.registerArrowStream(ParquetWriter.STREAM, stream);
                statement.execute("CREATE TEMP TABLE " + TABLE + " AS SELECT * FROM "
                        + ParquetWriter.STREAM + " AS t(" + String.join(", ", names)
                        + ") ORDER BY " + route);
                rows.throwFailure();
            } catch (SQLException e) {
                rows.throwFailure();
                throw e;
            } finally {
                stream.release();
            }
        }
        return route;
    }

    private static int width(GuardedReader rows, Path file) throws IOException {
        Schema schema = rows.getVectorSchemaRoot().getSchema();
        Field last = schema.getFields().get(schema.getFields().size() - 1);
        if (!last.getName().equals(RowRouter.FIELD)
                || !last.getType().equals(new ArrowType.Int(Integer.SIZE, true))) {
            throw new WeirException(
                    ErrorCode.ENGINE_FAILED,
                    "Cannot write file " + file + ": the rows have no route (last field=" + last
                            + ")");
        }
        return schema.getFields().size();
    }

    /** How many rows each route has, each at its number. */
    private static List<Long> counts(
            DuckDBConnection connection, String route, long rowCount, Path file)
            throws SQLException {
        String sql = "SELECT " + route + ", count(*) FROM " + TABLE + " GROUP BY " + route
                + " ORDER BY " + route;
        List<Long> counts = new ArrayList<>();
        long sum = 0;
        boolean gapless = true;
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                gapless &= result.getInt(1) == counts.size() && !result.wasNull();
                counts.add(result.getLong(2));
                sum += result.getLong(2);
            }
        }
        if (!gapless || sum != rowCount) {
            throw new WeirException(
                    ErrorCode.ENGINE_FAILED,
                    "Cannot write file " + file + ": routes or rows got lost (routes="
                            + counts.size() + ", given=" + rowCount + ", taken=" + sum + ")");
        }
        return counts;
    }
}
