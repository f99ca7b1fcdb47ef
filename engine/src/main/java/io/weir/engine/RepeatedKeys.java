package io.weir.engine;

import io.weir.core.row.CanonicalType;
import io.weir.core.row.Column;

import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBResultSet;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Finds keys of one whole number that come more than once, one bit for a value. */
final class RepeatedKeys {
    private static final int BATCH_ROWS = 65_536;
    private static final int REPEATED_MAX = 1_000_000;

    private final MergeSession session;
    private final Column key;
    private final KeyBits bits;

    private RepeatedKeys(MergeSession session, Column key, KeyBits bits) {
        this.session = session;
        this.key = key;
        this.bits = bits;
    }

    /** Empty if the key is not one whole number. */
    static Optional<RepeatedKeys> of(MergeSession session, MergeInput input) {
        KeyBits bits = KeyBits.of(input.rows());
        if (bits == null || input.key().get(0).canonicalType() != CanonicalType.INTEGER) {
            return Optional.empty();
        }
        return Optional.of(new RepeatedKeys(session, input.key().get(0), bits));
    }

    /**
     * The keys that come more than once.
     *
     * @param keys a query of one column
     * @return empty if the values are spread too far, or too many come again
     */
    Optional<Set<Long>> in(String keys) throws SQLException, IOException {
        Set<Long> repeated = new HashSet<>();
        IntegerScan scan = new IntegerScan(key, false);
        session.execute("SET SESSION jdbc_stream_results = true");
        try (Statement statement = session.connection().createStatement();
                DuckDBResultSet result = (DuckDBResultSet) statement.executeQuery(keys);
                ArrowReader batches =
                        (ArrowReader) result.arrowExportStream(session.allocator(), BATCH_ROWS)) {
            while (batches.loadNextBatch()) {
                int rows = batches.getVectorSchemaRoot().getRowCount();
                scan.load(batches.getVectorSchemaRoot().getVector(0), rows);
                bits.add(scan, rows, repeated::add);
                if (bits.duplicates().isEmpty() || repeated.size() > REPEATED_MAX) {
                    return Optional.empty();
                }
            }
            return Optional.of(repeated);
        } finally {
            session.execute("SET SESSION jdbc_stream_results = false");
        }
    }
}
