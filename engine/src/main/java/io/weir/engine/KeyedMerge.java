package io.weir.engine;

import io.weir.core.row.Column;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Works out what goes out of a table with a key, {@code removed}, and what comes in: {@code added}
 * with its values, {@code coming} without.
 */
final class KeyedMerge {
    private final MergeSession session;
    private final MergeInput input;
    private final MergeChanges changes;
    private final MergeLocation location;

    KeyedMerge(
            MergeSession session, MergeInput input, MergeChanges changes, MergeLocation location) {
        this.session = session;
        this.input = input;
        this.changes = changes;
        this.location = location;
    }

    /** Makes the two tables, or tells why the window does not fit. */
    Optional<MergeResult.Broken> work() throws SQLException, IOException {
        boolean emptied = changes.truncates() > 0;
        if (input.strategy() == MergeStrategy.ROW_HASH) {
            Optional<MergeResult.Broken> partial = changes.partial();
            if (partial.isPresent()) {
                return partial;
            }
        }
        Optional<MergeResult.Broken> broken =
                new MergeChains(session, input, changes.truncates()).follow();
        if (broken.isPresent()) {
            return broken;
        }
        location.findStored();
        broken = location.checkStored(emptied);
        if (broken.isPresent()) {
            return broken;
        }
        compare(emptied);
        broken = add(emptied);
        return broken.isPresent() ? broken : location.checkUnique(emptied);
    }

    /** Puts what the table has beside what the window ends with. */
    private void compare(boolean emptied) throws SQLException {
        session.execute("""
                CREATE TEMP TABLE changed AS
                SELECT %3$s, o.e, o.eh, o.ep, o.eo, t.h, t.file, t.pos
                FROM outcome o
                LEFT JOIN stored t ON %1$s
                WHERE o.tells AND (%2$s OR t.h IS DISTINCT FROM o.eh
                    OR (o.e IS NOT NULL AND o.eh IS NULL))
                """.formatted(
                        location.same("t", "o"), emptied, MergeChanges.keys(input, k -> "o." + k)));
        session.execute("CREATE TEMP TABLE removed AS SELECT file, pos, h FROM changed WHERE "
                + (emptied ? "false" : "file IS NOT NULL"));
    }

    private Optional<MergeResult.Broken> add(boolean emptied) throws SQLException, IOException {
        String keys = MergeChanges.keys(input, k -> "c." + k);
        String values = input.rows().columns().stream()
                .map(DuckdbSql::scanName)
                .collect(Collectors.joining(", "));
        // Values are read once: where the rows are written, unless they are needed before.
        boolean late = changes.tellsAllValues() && !input.partitionBy().isPartitioned();
        session.execute("CREATE TEMP " + (late ? "VIEW" : "TABLE") + " added AS SELECT " + keys
                + ", " + values + ", eh AS h, 0::INTEGER AS route, am FROM changed c JOIN images v"
                + " ON v.place = c.ep AND v.ordinal = c.eo WHERE c.e IS NOT NULL");
        session.execute("CREATE TEMP VIEW coming AS SELECT " + keys + ", "
                + (late ? "eh AS h FROM changed c WHERE e IS NOT NULL" : "h FROM added c"));
        boolean partial = !changes.tellsAllValues()
                && session.number("SELECT count(*) FROM added WHERE am IS NOT NULL") > 0;
        if (!partial) {
            return Optional.empty();
        }
        return new PartialRows(session, input, changes, location).fill(emptied);
    }

    /** How many keys come in, change, go out. */
    List<Long> counts(boolean emptied) throws SQLException {
        if (emptied) {
            return List.of(session.number("SELECT count(*) FROM coming"), 0L, 0L);
        }
        return session
                .rows("SELECT count(*) FILTER (WHERE e IS NOT NULL AND h IS NULL),"
                        + " count(*) FILTER (WHERE e IS NOT NULL AND h IS NOT NULL),"
                        + " count(*) FILTER (WHERE e IS NULL AND h IS NOT NULL) FROM changed")
                .get(0)
                .stream()
                .map(MergeChanges::number)
                .toList();
    }

    static List<Column> columns(MergeInput input) {
        return input.rows().columns();
    }
}
