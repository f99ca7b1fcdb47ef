package io.weir.engine;

import io.weir.core.row.CanonicalType;
import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;

import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.iceberg.types.Types;
import org.duckdb.DuckDBResultSet;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Finds keys of one whole number that come more than once, one bit for a value. */
final class RepeatedKeys {
    private static final int BATCH_ROWS = 65_536;
    private static final int REPEATED_MAX = 1_000_000;

    private static final Column POSITION =
            new Column(1, "pos", "bigint", Types.LongType.get(), true, LossPolicy.FAIL);

    private final MergeSession session;
    private final Column key;
    private final KeyBits bits;
    private final Set<Long> repeated = new HashSet<>();

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
     * Takes the keys of rows.
     *
     * @param query of the key, and the position of the row within its file
     * @param gone positions of rows that are no longer there; they do not count
     * @return whether it could; not if the values are spread too far, or too many come again
     */
    boolean take(String query, BitSet gone) throws SQLException, IOException {
        IntegerScan keys = new IntegerScan(key, false);
        IntegerScan positions = new IntegerScan(POSITION, false);
        session.execute("SET SESSION jdbc_stream_results = true");
        try (Statement statement = session.connection().createStatement();
                DuckDBResultSet result = (DuckDBResultSet) statement.executeQuery(query);
                ArrowReader batches =
                        (ArrowReader) result.arrowExportStream(session.allocator(), BATCH_ROWS)) {
            while (batches.loadNextBatch()) {
                int rows = batches.getVectorSchemaRoot().getRowCount();
                keys.load(batches.getVectorSchemaRoot().getVector(0), rows);
                positions.load(batches.getVectorSchemaRoot().getVector(1), rows);
                bits.add(keys, rows, row -> !gone.get((int) positions.value(row)), repeated::add);
                if (bits.duplicates().isEmpty() || repeated.size() > REPEATED_MAX) {
                    return false;
                }
            }
            return true;
        } finally {
            session.execute("SET SESSION jdbc_stream_results = false");
        }
    }

    /** The keys that came more than once. */
    Set<Long> repeated() {
        return repeated;
    }
}
