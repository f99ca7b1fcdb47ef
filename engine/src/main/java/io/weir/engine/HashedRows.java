package io.weir.engine;

import io.weir.core.row.Balance;
import io.weir.core.row.BalanceSum;
import io.weir.core.row.CanonicalRow;
import io.weir.core.row.Column;
import io.weir.core.row.RowDigest;

import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Computes the digest of rows from their values, and compares it with the one that is stored beside
 * them. Not thread-safe.
 */
final class HashedRows {
    private static final int BATCH_ROWS = 16_384;

    private final List<Column> columns;
    private final ColumnScan[] scans;
    private final ColumnScan extra;
    private final CanonicalRow canonical = new CanonicalRow();
    private final RowDigest digest = new RowDigest();
    private final BalanceSum sum = new BalanceSum();
    private long differing;

    /**
     * Reads rows of these columns.
     *
     * @param extra one more column: the stored digest, or a number of the row
     */
    HashedRows(List<Column> columns, Column extra) {
        this.columns = columns.stream()
                .sorted(Comparator.comparingInt(Column::fieldId))
                .toList();
        this.scans = this.columns.stream()
                .map(column -> ColumnScan.of(column, false))
                .toArray(ColumnScan[]::new);
        this.extra = ColumnScan.of(extra, false);
    }

    /** What is selected from something whose columns are called {@link DuckdbSql#scanName}. */
    String fields(String extraField) {
        return columns.stream().map(SliceScanner::field).collect(Collectors.joining(", ")) + ", "
                + extraField;
    }

    /** Rows whose stored digest is another than that of their values. */
    long differing() {
        return differing;
    }

    /** The balance of all rows, from their values; their stored digests are compared. */
    Balance check(MergeSession session, String query) throws SQLException, IOException {
        sum.reset();
        differing = 0;
        read(session, query, row -> {
            sum.add(digest.high(), digest.low());
            boolean same = extra.objectOrNull(row) instanceof UUID stored
                    && stored.getMostSignificantBits() == digest.high()
                    && stored.getLeastSignificantBits() == digest.low();
            differing += same ? 0 : 1;
        });
        return sum.balance();
    }

    /** Takes the digest of a row. */
    interface Taker {
        /** A row whose extra column has this value. */
        void take(@Nullable Object extraValue, UUID digest);
    }

    /** Hands over the digest of each row. */
    void each(MergeSession session, String query, Taker taker) throws SQLException, IOException {
        read(
                session,
                query,
                row -> taker.take(extra.objectOrNull(row), new UUID(digest.high(), digest.low())));
    }

    private interface RowTaker {
        void take(int row);
    }

    private void read(MergeSession session, String query, RowTaker taker)
            throws SQLException, IOException {
        session.each(query, BATCH_ROWS, (vectors, rows) -> {
            batch(vectors, rows, taker);
            return true;
        });
    }

    private void batch(List<FieldVector> vectors, int rows, RowTaker taker) {
        for (int i = 0; i < scans.length; i++) {
            scans[i].load(vectors.get(i), rows);
        }
        extra.load(vectors.get(scans.length), rows);
        for (int row = 0; row < rows; row++) {
            canonical.reset();
            for (ColumnScan scan : scans) {
                scan.write(row, canonical);
            }
            digest.compute(canonical);
            taker.take(row);
        }
    }
}
