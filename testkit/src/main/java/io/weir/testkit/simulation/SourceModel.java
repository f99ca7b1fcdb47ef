package io.weir.testkit.simulation;

import io.weir.core.row.Balance;
import io.weir.core.row.CanonicalRow;
import io.weir.core.row.CanonicalType;
import io.weir.core.row.RowDigest;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A database whose tables change all the time and whose snapshots live as long as a session that
 * exported them.
 */
final class SourceModel {
    private static final int TABLES = 3;
    private static final int ROWS_MAX = 12;

    private final World world;
    private final CanonicalRow canonical = new CanonicalRow();
    private final RowDigest digest = new RowDigest();
    private final Map<String, TreeMap<Long, Row>> tables = new TreeMap<>();
    private final Map<String, Session> sessions = new LinkedHashMap<>();
    private long values;
    private long exported;

    SourceModel(World world) {
        this.world = world;
        for (int i = 0; i < TABLES; i++) {
            TreeMap<Long, Row> rows = new TreeMap<>();
            tables.put("t" + i, rows);
            for (int row = world.random.between(3, ROWS_MAX); row > 0; row--) {
                put(rows, row);
            }
        }
    }

    /** One row and its digest. */
    record Row(long id, long value, Balance balance) {}

    /** All tables at one moment. */
    record Snapshot(Map<String, List<Row>> tables) {
        List<Row> rows(String table) {
            return tables.getOrDefault(table, List.of());
        }
    }

    private record Session(SimProcess process, Snapshot snapshot) {}

    static Balance balanceOf(List<Row> rows) {
        Balance sum = Balance.ZERO;
        for (Row row : rows) {
            sum = sum.plus(row.balance());
        }
        return sum;
    }

    /** Changes one row of one table. */
    void change() {
        TreeMap<Long, Row> rows = tables.get("t" + world.random.below(TABLES));
        long id = world.random.between(1, ROWS_MAX + 3);
        if (rows == null || (rows.size() > 3 && world.random.chance(0.3))) {
            if (rows != null) {
                rows.remove(id);
            }
        } else {
            put(rows, id);
        }
    }

    /** Takes a snapshot; answers with the token under which a session of the process exports it. */
    String open(SimProcess process) {
        Map<String, List<Row>> copy = new TreeMap<>();
        tables.forEach((name, rows) -> copy.put(name, new ArrayList<>(rows.values())));
        return export(process, new Snapshot(copy));
    }

    /** Exports what another session exported; empty if that one ended. */
    Optional<String> reexport(SimProcess process, String token) {
        return Optional.ofNullable(sessions.get(token))
                .map(session -> export(process, session.snapshot()));
    }

    @Nullable
    Snapshot snapshot(String token) {
        Session session = sessions.get(token);
        return session == null ? null : session.snapshot();
    }

    void end(String token) {
        sessions.remove(token);
    }

    void endSessionsOf(SimProcess process) {
        sessions.values().removeIf(session -> session.process() == process);
    }

    /** The same row with another value. */
    Row damaged(Row row) {
        return row(row.id(), row.value() + 1);
    }

    private String export(SimProcess process, Snapshot snapshot) {
        // Never the name of one that is gone: a holder of it may still be in the books.
        String token = "snapshot-" + ++exported;
        sessions.put(token, new Session(process, snapshot));
        return token;
    }

    private void put(Map<Long, Row> rows, long id) {
        rows.put(id, row(id, ++values * 10));
    }

    private Row row(long id, long value) {
        canonical.reset();
        canonical.putLong(1, CanonicalType.INTEGER, id);
        canonical.putLong(2, CanonicalType.INTEGER, value);
        digest.compute(canonical);
        return new Row(id, value, new Balance(1, digest.high(), digest.low()));
    }
}
