package io.weir.engine;

import io.weir.core.row.CanonicalType;
import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;

import org.apache.iceberg.types.Types;

import java.io.IOException;
import java.sql.SQLException;
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
        return session.each(query, BATCH_ROWS, (columns, rows) -> {
            keys.load(columns.get(0), rows);
            positions.load(columns.get(1), rows);
            bits.add(keys, rows, row -> !gone.get((int) positions.value(row)), repeated::add);
            return bits.duplicates().isPresent() && repeated.size() <= REPEATED_MAX;
        });
    }

    /** The keys that came more than once. */
    Set<Long> repeated() {
        return repeated;
    }
}
