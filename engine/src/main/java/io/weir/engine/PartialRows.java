package io.weir.engine;

import io.weir.core.row.Column;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Completes rows whose last change does not tell every value: from an earlier change of the window,
 * else from the row that the table has.
 */
final class PartialRows {
    private final MergeSession session;
    private final MergeInput input;
    private final MergeChanges changes;
    private final MergeLocation location;

    PartialRows(
            MergeSession session, MergeInput input, MergeChanges changes, MergeLocation location) {
        this.session = session;
        this.input = input;
        this.changes = changes;
        this.location = location;
    }

    Optional<MergeResult.Broken> fill(boolean emptied) throws SQLException, IOException {
        String keys = MergeChanges.keys(input);
        List<Column> columns = KeyedMerge.columns(input);
        // A value in a struct is there even where it is NULL.
        List<String> latest = new ArrayList<>();
        for (Column column : columns) {
            String name = DuckdbSql.scanName(column);
            latest.add("max_by({v: " + name + "}, (place, ordinal, part)) FILTER (WHERE"
                    + " am IS NULL OR NOT " + MergeChanges.isMissing("am", column) + ") AS "
                    + name);
        }
        session.execute("CREATE TEMP TABLE latest AS SELECT " + keys + ", "
                + String.join(", ", latest)
                + " FROM (FROM events JOIN images USING (place, ordinal)) events SEMI JOIN"
                + " (SELECT * FROM added WHERE am IS NOT NULL) USING (" + keys + ")"
                + " WHERE op <> 'delete' AND seg = " + changes.truncates() + " AND "
                + behindDelete()
                + " GROUP BY " + keys);
        stored(columns, emptied);
        String lacking = lacking(columns);
        List<List<@Nullable Object>> rows = session.rows("SELECT "
                + MergeChanges.keyText(input, "l.")
                + ", c.ep, c.eo FROM latest l JOIN changed c ON "
                + location.same("l", "c") + " LEFT JOIN kept t ON " + location.same("t", "l")
                + " WHERE t.k0 IS NULL AND (" + lacking + ") ORDER BY c.ep, c.eo LIMIT 1");
        if (!rows.isEmpty()) {
            return Optional.of(new MergeResult.Broken(
                    MergeResult.Kind.IMAGE_PARTIAL,
                    String.valueOf(rows.get(0).get(0)),
                    "every value of the row",
                    "a part, and no row to take the others from",
                    MergeChanges.number(rows.get(0).get(1)),
                    MergeChanges.number(rows.get(0).get(2))));
        }
        List<String> sets = new ArrayList<>();
        for (Column column : columns) {
            String name = DuckdbSql.scanName(column);
            sets.add(name + " = q." + name);
        }
        List<String> filled = new ArrayList<>();
        for (Column column : columns) {
            String name = DuckdbSql.scanName(column);
            filled.add("CASE WHEN l." + name + " IS NULL THEN t." + name + " ELSE l." + name
                    + ".v END AS " + name);
        }
        session.execute("UPDATE added SET " + String.join(", ", sets) + " FROM (SELECT "
                + MergeChanges.keys(input, k -> "l." + k) + ", " + String.join(", ", filled)
                + " FROM latest l LEFT JOIN kept t ON " + location.same("t", "l") + ") q WHERE "
                + location.same("q", "added"));
        changes.digest("added", "added", "h", "am IS NOT NULL");
        dropUnchanged(emptied);
        return Optional.empty();
    }

    /** What was there before a delete says nothing of the row that came after it. */
    private String behindDelete() {
        return "NOT EXISTS (SELECT 1 FROM events d WHERE d.op = 'delete' AND "
                + location.same("d", "events")
                + " AND (d.place, d.ordinal, d.part)"
                + " > (events.place, events.ordinal, events.part))";
    }

    private void stored(List<Column> columns, boolean emptied) throws SQLException {
        List<String> names = new ArrayList<>();
        for (Column column : columns) {
            names.add("s." + DuckdbSql.scanName(column));
        }
        session.execute("CREATE TEMP TABLE kept AS SELECT "
                + MergeChanges.keys(input, k -> "c." + k) + ", " + String.join(", ", names)
                + " FROM (" + location.all(columns) + ") s JOIN (SELECT changed.* FROM changed SEMI"
                + " JOIN (SELECT * FROM added WHERE am IS NOT NULL) w ON "
                + location.same("changed", "w") + " WHERE "
                + (emptied ? "false" : "file IS NOT NULL")
                + ") c ON s.file = c.file AND s.pos = c.pos");
    }

    private static String lacking(List<Column> columns) {
        List<String> lacking = new ArrayList<>();
        for (Column column : columns) {
            lacking.add("l." + DuckdbSql.scanName(column) + " IS NULL");
        }
        return String.join(" OR ", lacking);
    }

    /** A completed row may be the very one that the table has. */
    private void dropUnchanged(boolean emptied) throws SQLException {
        if (emptied) {
            return;
        }
        String same = "SELECT c.file, c.pos, " + MergeChanges.keys(input, k -> "c." + k)
                + " FROM changed c JOIN added a ON " + location.same("a", "c")
                + " WHERE a.am IS NOT NULL AND a.h = c.h";
        session.execute("CREATE TEMP TABLE unchanged AS " + same);
        session.execute("DELETE FROM removed USING unchanged u WHERE removed.file = u.file"
                + " AND removed.pos = u.pos");
        session.execute("DELETE FROM added USING unchanged u WHERE " + location.same("added", "u"));
        session.execute(
                "DELETE FROM changed USING unchanged u WHERE " + location.same("changed", "u"));
    }
}
