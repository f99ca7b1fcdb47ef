package io.weir.engine;

import io.weir.core.row.Column;
import io.weir.core.row.RowPositions;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/** Looks at the key of every row that the table will have after a window. */
final class KeyCount {
    private static final int INSERT_ROWS = 10_000;
    private static final long KEYS_AT_A_TIME = 4_000_000;

    private final MergeSession session;
    private final MergeInput input;
    private final MergeLocation location;

    /** Counts when {@code coming} and {@code removed} are known. */
    KeyCount(MergeSession session, MergeInput input, MergeLocation location) {
        this.session = session;
        this.input = input;
        this.location = location;
    }

    /** The first key that two rows would have: by bits where that can be, else by groups. */
    Optional<MergeResult.Broken> twice() throws SQLException, IOException {
        String keys = MergeChanges.keys(input);
        session.execute("CREATE TEMP TABLE suspects AS SELECT " + keys + " FROM coming LIMIT 0");
        if (!suspectsByBits()) {
            suspectsInParts();
        }
        if (session.number("SELECT count(*) FROM suspects") == 0) {
            return Optional.empty();
        }
        location.findKeys("seen", "(SELECT * FROM suspects)", false);
        List<List<@Nullable Object>> found = session.rows("SELECT "
                + MergeChanges.keyText(input, "") + ", n FROM (SELECT " + keys
                + ", count(*) AS n FROM (SELECT " + keys
                + " FROM seen ANTI JOIN removed USING (file, pos) UNION ALL SELECT " + keys
                + " FROM coming) GROUP BY " + keys + " HAVING count(*) > 1) ORDER BY " + keys
                + " LIMIT 1");
        if (found.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new MergeResult.Broken(
                MergeResult.Kind.KEY_TWICE,
                String.valueOf(found.get(0).get(0)),
                "one row",
                found.get(0).get(1) + " rows",
                0,
                0));
    }

    /** Looks at each row that the table will have, and at nothing else. */
    private boolean suspectsByBits() throws SQLException, IOException {
        Optional<RepeatedKeys> bits = RepeatedKeys.of(session, input);
        if (bits.isEmpty()) {
            return false;
        }
        RepeatedKeys repeated = bits.get();
        List<Column> key = input.key();
        List<RowPositions> removed = location.removed();
        for (int i = 0; i < input.files().size(); i++) {
            MergeFile file = input.files().get(i);
            BitSet gone = new BitSet();
            set(gone, file.deleted());
            set(gone, removed.get(i));
            String query = "SELECT " + SliceScanner.field(key.get(0)) + ", pos FROM ("
                    + location.one(i, key) + ") s";
            if (!repeated.take(query, gone)) {
                return false;
            }
        }
        if (!repeated.take("SELECT k0, 0::BIGINT AS pos FROM coming", new BitSet())) {
            return false;
        }
        Iterator<Long> keys = repeated.repeated().iterator();
        while (keys.hasNext()) {
            StringJoiner values = new StringJoiner("), (", "(", ")");
            for (int i = 0; i < INSERT_ROWS && keys.hasNext(); i++) {
                values.add(keys.next().toString());
            }
            session.execute("INSERT INTO suspects VALUES " + values);
        }
        return true;
    }

    private static void set(BitSet bits, RowPositions positions) {
        for (int rank = 0; rank < positions.size(); rank++) {
            bits.set(Math.toIntExact(positions.get(rank)));
        }
    }

    /**
     * Some keys at a time: all of them at once may not fit into memory. Rows that are no longer in
     * the table are told apart only where a key comes more than once.
     */
    private void suspectsInParts() throws SQLException {
        List<Column> key = input.key();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < key.size(); i++) {
            names.add(DuckdbSql.scanName(key.get(i)) + " AS k" + i);
        }
        String keys = MergeChanges.keys(input);
        String all = "SELECT " + String.join(", ", names) + " FROM (" + location.all(key)
                + ") UNION ALL SELECT " + keys + " FROM coming";
        long rows = input.files().stream().mapToLong(MergeFile::rows).sum();
        long parts = rows / KEYS_AT_A_TIME + 1;
        for (long part = 0; part < parts; part++) {
            String mine = parts == 1 ? "" : " WHERE hash(" + keys + ") % " + parts + " = " + part;
            session.execute("INSERT INTO suspects SELECT " + keys + " FROM (" + all + ")" + mine
                    + " GROUP BY " + keys + " HAVING count(*) > 1");
        }
    }
}
