package io.weir.engine;

import io.weir.core.row.Balance;
import io.weir.core.row.Column;
import io.weir.core.row.RowPositions;
import io.weir.core.row.RowSchema;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
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

    HashedMeasure measure(@Nullable List<RowPositions> rows) throws SQLException, IOException {
        Balance sum = Balance.ZERO;
        long differing = 0;
        for (int i = 0; i < files.size(); i++) {
            MergeFile file = files.get(i);
            RowPositions listed = rows == null ? file.deleted() : rows.get(i);
            if (rows != null && listed.isEmpty()) {
                continue;
            }
            Balance found = hashed.check(session, query(file.path(), listed, rows != null));
            if (rows != null && found.rows() != listed.size()) {
                throw new SQLException("File " + file.path() + " lacks rows (expected="
                        + listed.size() + ", found=" + found.rows() + ")");
            }
            sum = sum.plus(found);
            differing += hashed.differing();
        }
        return new HashedMeasure(sum, differing);
    }

    private String query(Path file, RowPositions listed, boolean only)
            throws SQLException, IOException {
        String sql = "SELECT " + hashed.fields(SliceScanner.field(rowHash)) + " FROM ("
                + columns.scan(file, stored, "") + ") s";
        if (listed.isEmpty()) {
            return sql;
        }
        session.execute("DROP TABLE IF EXISTS listed");
        try (PositionRows positions = new PositionRows(session.allocator(), List.of(listed))) {
            session.load("listed", "file, pos", positions);
        }
        return sql + " " + (only ? "SEMI" : "ANTI") + " JOIN listed ON s.pos = listed.pos";
    }
}
