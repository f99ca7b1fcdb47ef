package io.weir.engine;

import io.weir.core.route.Route;
import io.weir.core.route.RowRouter;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes the rows of {@code added}, which {@code coming} counts, as one file for each route,
 * durable before this returns.
 */
final class AddedFiles {
    private static final int BATCH_ROWS = 16_384;
    private static final int INSERT_ROWS = 1_000;

    private final MergeSession session;
    private final MergeInput input;
    private final ParquetWriter writer;

    AddedFiles(MergeSession session, MergeInput input, ParquetWriter writer) {
        this.session = session;
        this.input = input;
        this.writer = writer;
    }

    List<MergeResult.Appended> write(Path parent) throws SQLException, IOException {
        long rows = session.number("SELECT count(*) FROM coming");
        if (rows == 0) {
            return List.of();
        }
        List<Route> routes = input.partitionBy().isPartitioned() ? route() : List.of(Route.NONE);
        Map<Path, Path> filesByTemporary = new LinkedHashMap<>();
        List<MergeResult.Appended> appended = new ArrayList<>();
        try {
            // Files that were staged before must stay as they are.
            Path directory = DurableFiles.createNumbered(parent);
            long written = 0;
            for (int number = 0; number < routes.size(); number++) {
                Path file = directory.resolve(String.format(Locale.ROOT, "%06d.parquet", number));
                Path temporary = file.resolveSibling("." + file.getFileName() + ".tmp");
                filesByTemporary.put(temporary, file);
                Files.deleteIfExists(temporary);
                WrittenFile one = write(file, temporary, number);
                written += one.rows();
                appended.add(new MergeResult.Appended(one, routes.get(number)));
            }
            if (written != rows) {
                throw new SQLException(
                        "Rows got lost (given=" + rows + ", written=" + written + ")");
            }
            DurableFiles.publishAll(filesByTemporary);
            filesByTemporary.clear();
            return appended;
        } finally {
            filesByTemporary.keySet().forEach(ParquetWriter::delete);
        }
    }

    private WrittenFile write(Path file, Path temporary, int number) throws SQLException {
        RowSchema stored = input.stored();
        List<Integer> positions = new ArrayList<>();
        List<String> selected = new ArrayList<>();
        List<Column> columns = stored.columns();
        for (int i = 0; i < columns.size(); i++) {
            positions.add(i);
            boolean hash = i == columns.size() - 1;
            selected.add((hash ? "h" : DuckdbSql.scanName(columns.get(i))) + " AS c" + i);
        }
        String from = "(SELECT " + String.join(", ", selected) + " FROM added WHERE route = "
                + number + ")";
        WrittenFile written = ParquetWriter.run(
                        session.connection(), writer.statement(stored, positions, from, temporary))
                .toFile(stored, file);
        ParquetWriter.verify(written, written.rows(), stored);
        return written.rows() <= ParquetWriter.ROW_GROUP_ROWS
                ? written
                : ParquetWriter.withSplits(written, session.connection(), temporary);
    }

    /** Numbers the route of each row, by Iceberg's own functions. */
    private List<Route> route() throws SQLException, IOException {
        RowRouter router = new RowRouter(input.partitionBy(), input.rows());
        List<Column> columns = router.columns();
        ColumnScan[] scans = columns.stream()
                .map(column -> ColumnScan.of(column, false))
                .toArray(ColumnScan[]::new);
        List<String> fields = columns.stream().map(SliceScanner::field).toList();
        List<String> values = new ArrayList<>();
        session.each(
                "SELECT rowid, " + String.join(", ", fields) + " FROM added",
                BATCH_ROWS,
                (vectors, rows) -> {
                    number(vectors, rows, scans, router, values);
                    return true;
                });
        session.execute("CREATE TEMP TABLE routes (r BIGINT, n INTEGER)");
        for (int from = 0; from < values.size(); from += INSERT_ROWS) {
            session.execute("INSERT INTO routes VALUES "
                    + String.join(
                            ", ",
                            values.subList(from, Math.min(values.size(), from + INSERT_ROWS))));
        }
        session.execute("UPDATE added SET route = n FROM routes WHERE routes.r = added.rowid");
        return router.routes();
    }

    private static void number(
            List<FieldVector> vectors,
            int rows,
            ColumnScan[] scans,
            RowRouter router,
            List<String> values) {
        for (int i = 0; i < scans.length; i++) {
            scans[i].load(vectors.get(i + 1), rows);
        }
        @Nullable Object[] of = new @Nullable Object[scans.length];
        for (int row = 0; row < rows; row++) {
            for (int i = 0; i < scans.length; i++) {
                of[i] = scans[i].objectOrNull(row);
            }
            // The first column is the number of the row in the table.
            values.add("(" + vectors.get(0).getObject(row) + ", " + router.number(of) + ")");
        }
    }
}
