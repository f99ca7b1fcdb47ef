package io.weir.engine;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Works out what comes in and goes out of a table without a key, where equal rows may repeat: how
 * many copies of each digest there must have been, and how many more or less there are afterwards.
 */
final class MultisetMerge {
    private final MergeSession session;
    private final MergeInput input;
    private final MergeChanges changes;
    private final MergeLocation location;

    MultisetMerge(
            MergeSession session, MergeInput input, MergeChanges changes, MergeLocation location) {
        this.session = session;
        this.input = input;
        this.changes = changes;
        this.location = location;
    }

    /** Makes {@code added} and {@code removed}, or tells why the window does not fit. */
    Optional<MergeResult.Broken> work() throws SQLException, IOException {
        Optional<MergeResult.Broken> partial = changes.partial();
        if (partial.isPresent()) {
            return partial;
        }
        boolean emptied = changes.truncates() > 0;
        session.execute("""
                CREATE TEMP TABLE copies AS
                SELECT h, seg, sum(n)::BIGINT AS net, greatest(0, -min(running))::BIGINT AS needed,
                    min_by(place, (place, ordinal)) AS fp, min_by(ordinal, (place, ordinal)) AS fo
                FROM (
                    SELECT *, sum(n) OVER (PARTITION BY h, seg ORDER BY place, ordinal, n
                        ROWS UNBOUNDED PRECEDING) AS running
                    FROM (
                        SELECT b AS h, seg, place, ordinal, -1 AS n FROM events WHERE b IS NOT NULL
                        UNION ALL
                        SELECT a, seg, place, ordinal, 1 FROM events WHERE a IS NOT NULL))
                GROUP BY h, seg
                """);
        location.findDigests("SELECT h FROM copies WHERE seg = 0 AND needed > 0");
        Optional<MergeResult.Broken> missing = missing();
        if (missing.isPresent()) {
            return missing;
        }
        session.execute("CREATE TEMP TABLE removed AS SELECT file, pos, h FROM (SELECT hits.*, net,"
                + " row_number() OVER (PARTITION BY hits.h ORDER BY file, pos) AS rank FROM hits"
                + " JOIN copies USING (h) WHERE seg = 0 AND net < 0) WHERE rank <= -net AND "
                + !emptied);
        String values = input.rows().columns().stream()
                .map(DuckdbSql::scanName)
                .collect(Collectors.joining(", "));
        session.execute("CREATE TEMP TABLE added AS SELECT " + values
                + ", a AS h, 0::INTEGER AS route FROM (FROM (SELECT DISTINCT ON (a) place, ordinal,"
                + " a, net FROM events JOIN copies ON a = copies.h AND copies.seg = events.seg"
                + " WHERE net > 0 AND events.seg = " + changes.truncates()
                + ") JOIN images USING (place, ordinal)) u, range(u.net) WHERE true");
        session.execute("CREATE TEMP VIEW coming AS SELECT h FROM added");
        return Optional.empty();
    }

    private Optional<MergeResult.Broken> missing() throws SQLException {
        List<List<@Nullable Object>> rows = session.rows("""
                SELECT h, needed, coalesce(n, 0), fp, fo
                FROM copies LEFT JOIN (SELECT h, count(*) AS n FROM hits GROUP BY h) USING (h)
                WHERE needed > CASE WHEN seg = 0 THEN coalesce(n, 0) ELSE 0 END
                ORDER BY fp, fo LIMIT 1
                """);
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        List<@Nullable Object> row = rows.get(0);
        return Optional.of(new MergeResult.Broken(
                MergeResult.Kind.ROW_NOT_AS_BEFORE,
                "",
                row.get(1) + " of " + shown(row.get(0)),
                row.get(2) + " of it",
                MergeChanges.number(row.get(3)),
                MergeChanges.number(row.get(4))));
    }

    private String shown(@Nullable Object digest) {
        return digest instanceof UUID known
                ? new BrokenRows(session, input, changes, location).row(known, "row " + known)
                : "a row";
    }
}
