package io.weir.engine;

import io.weir.core.row.Balance;
import io.weir.core.row.Column;
import io.weir.core.row.RowPositions;
import io.weir.core.row.RowSchema;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Digests rows of files anew, file by file: only one of them is looked up at a time. */
final class HashedMeasurement {
    private final MergeSession session;
    private final List<MergeFile> files;
    private final List<Column> stored;
    private final HashedRows hashed;
    private final Column rowHash;
    private final FileColumns columns;

    HashedMeasurement(MergeSession session, List<MergeFile> files, RowSchema rows, Column rowHash)
            throws SQLException {
        this.session = session;
        this.files = files;
        this.rowHash = rowHash;
        this.columns =
                FileColumns.of(session, files.stream().map(MergeFile::path).toList());
        this.stored = new ArrayList<>(rows.columns());
        stored.add(rowHash);
        this.hashed = new HashedRows(rows.columns(), rowHash);
    }

    /**
     * Measures file by file.
     *
     * @param rows which rows of each file; null for all that are not deleted
     */
    List<HashedMeasure> measure(List<@Nullable RowPositions> rows)
            throws SQLException, IOException {
        List<HashedMeasure> measures = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            measures.add(measure(files.get(i), rows.get(i)));
        }
        return measures;
    }

    private HashedMeasure measure(MergeFile file, @Nullable RowPositions wanted)
            throws SQLException, IOException {
        if (wanted != null && wanted.isEmpty()) {
            return new HashedMeasure(Balance.ZERO, 0);
        }
        Balance found = hashed.check(session, query(file, wanted));
        if (wanted != null && found.rows() != wanted.size()) {
            throw new SQLException("File " + file.path() + " lacks rows (expected=" + wanted.size()
                    + ", found=" + found.rows() + ")");
        }
        return new HashedMeasure(found, hashed.differing());
    }

    private String query(MergeFile file, @Nullable RowPositions wanted)
            throws SQLException, IOException {
        RowPositions listed = wanted == null ? file.deleted() : wanted;
        String scan = columns.scan(file.path(), stored);
        String fields = "SELECT " + hashed.fields(SliceScanner.field(rowHash)) + " FROM (";
        if (listed.isEmpty()) {
            return fields + scan + ") s";
        }
        session.execute("DROP TABLE IF EXISTS listed");
        try (PositionRows positions = new PositionRows(session.allocator(), List.of(listed))) {
            session.load("listed", "file, pos", positions);
        }
        if (wanted == null) {
            return fields + scan + ") s ANTI JOIN listed ON s.pos = listed.pos";
        }
        // The bounds spare the engine all row groups that hold none of these rows.
        return fields + "SELECT * FROM (" + scan + ") WHERE pos BETWEEN " + wanted.get(0) + " AND "
                + wanted.get(wanted.size() - 1) + ") s SEMI JOIN listed ON s.pos = listed.pos";
    }
}
