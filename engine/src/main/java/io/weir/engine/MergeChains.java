package io.weir.engine;

import io.weir.core.chain.Break;
import io.weir.core.chain.Chain;
import io.weir.core.chain.StateChain;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Follows the changes of every key. Where each change starts from what the one before it left, the
 * engine sees that by itself; the few other keys, whose rows pass each other within a transaction,
 * go through {@link StateChain}.
 *
 * <p>Leaves a table {@code outcome}, one row for each key: {@code tells}, the state {@code s} that
 * it starts from and {@code e} that it ends with, the change {@code ep, eo, epart} that made the
 * latter and the digest {@code eh} that it tells, the first change {@code fp, fo}. And {@code
 * states} if any of them may be in the table.
 */
final class MergeChains {
    /** Stands for any row where changes tell no digests. */
    private static final UUID SOME = new UUID(0, 1);

    private final MergeSession session;
    private final MergeInput input;
    private final long truncates;
    private final String keys;
    private MergeResult.@Nullable Broken first;

    MergeChains(MergeSession session, MergeInput input, long truncates) {
        this.session = session;
        this.input = input;
        this.truncates = truncates;
        this.keys = MergeChanges.keys(input);
    }

    private boolean byDigest() {
        return input.strategy() == MergeStrategy.ROW_HASH;
    }

    /** Makes the tables, or tells the first change that is out of its chain. */
    Optional<MergeResult.Broken> follow() throws SQLException {
        String before = byDigest() ? "b" : "CASE WHEN op <> 'insert' THEN '" + SOME + "'::UUID END";
        String after = byDigest() ? "a" : "CASE WHEN op <> 'delete' THEN '" + SOME + "'::UUID END";
        // Most keys change once: nothing is to be followed there.
        session.execute("""
                CREATE TEMP TABLE busy AS
                SELECT %1$s, seg FROM events GROUP BY %1$s, seg HAVING count(*) > 1
                """.formatted(keys));
        session.execute("""
                CREATE TEMP TABLE steps AS
                SELECT *, lag(ca) OVER w AS previous, lag(place) OVER w IS NULL AS is_first,
                    lead(place) OVER w IS NULL AS is_last,
                    lead(place) OVER w IS DISTINCT FROM place AS is_commit
                FROM (SELECT %1$s, seg, place, ordinal, part, op, b, a, %2$s AS cb, %3$s AS ca
                    FROM events SEMI JOIN busy USING (%1$s, seg))
                WINDOW w AS (PARTITION BY %1$s, seg ORDER BY %4$s)
                """.formatted(keys, before, after, MergeChanges.ORDER));
        session.execute("""
                CREATE TEMP TABLE tangled AS
                SELECT DISTINCT %1$s, seg FROM steps
                WHERE NOT is_first AND cb IS DISTINCT FROM previous
                """.formatted(keys));
        session.execute("""
                CREATE TEMP TABLE chains AS
                SELECT %1$s, seg, true AS tells, %2$s AS s, %3$s AS e, place AS ep, ordinal AS eo,
                    part AS epart, place AS fp, ordinal AS fo, a AS eh
                FROM events ANTI JOIN busy USING (%1$s, seg)
                UNION ALL
                SELECT %1$s, seg, true, max(cb) FILTER (WHERE is_first),
                    max(ca) FILTER (WHERE is_last), max(place) FILTER (WHERE is_last),
                    max(ordinal) FILTER (WHERE is_last), max(part) FILTER (WHERE is_last),
                    min(place), min(ordinal) FILTER (WHERE is_first), max(a) FILTER (WHERE is_last)
                FROM steps ANTI JOIN tangled USING (%1$s, seg)
                GROUP BY %1$s, seg
                """.formatted(keys, before, after));
        if (!input.exact()) {
            session.execute("""
                    CREATE TEMP TABLE states AS
                    SELECT %1$s, s AS h FROM chains WHERE seg = 0
                    UNION ALL
                    SELECT %1$s, e FROM chains WHERE seg = 0
                    UNION ALL
                    SELECT %1$s, ca FROM steps ANTI JOIN tangled USING (%1$s, seg)
                    WHERE is_commit AND seg = 0
                    """.formatted(keys));
        }
        untangle();
        checkStarts();
        if (first != null) {
            return Optional.of(first);
        }
        outcome();
        return Optional.empty();
    }

    /** Right after a truncate no key has a row. */
    private void checkStarts() throws SQLException {
        if (truncates == 0) {
            return;
        }
        for (List<@Nullable Object> row : session.rows("SELECT " + MergeChanges.keyText(input, "")
                + ", s, fp, fo FROM chains WHERE seg > 0 AND tells AND s IS NOT NULL"
                + " ORDER BY fp, fo LIMIT 1")) {
            keepFirst(new MergeResult.Broken(
                            MergeResult.Kind.CHANGE_OUT_OF_CHAIN,
                            String.valueOf(row.get(0)),
                            text(row.get(1)),
                            "no row, after a truncate",
                            MergeChanges.number(row.get(2)),
                            MergeChanges.number(row.get(3)))
                    .between(digest(row.get(1)), null));
        }
    }

    private void outcome() throws SQLException {
        if (truncates == 0) {
            session.execute("CREATE TEMP VIEW outcome AS SELECT * FROM chains");
            return;
        }
        session.execute("""
                CREATE TEMP TABLE outcome AS
                SELECT %1$s, bool_or(tells AND (seg = 0 OR seg = %2$s)) AS tells,
                    bool_or(tells AND seg = 0) AS starts,
                    max(s) FILTER (WHERE seg = 0) AS s, max(e) FILTER (WHERE seg = %2$s) AS e,
                    max(ep) FILTER (WHERE seg = %2$s) AS ep,
                    max(eo) FILTER (WHERE seg = %2$s) AS eo,
                    max(epart) FILTER (WHERE seg = %2$s) AS epart,
                    min(fp) AS fp, min_by(fo, fp) AS fo, max(eh) FILTER (WHERE seg = %2$s) AS eh
                FROM chains GROUP BY %1$s
                """.formatted(keys, truncates));
    }

    private void untangle() throws SQLException {
        if (session.number("SELECT count(*) FROM tangled") == 0) {
            return;
        }
        String sql = """
                SELECT dense_rank() OVER (ORDER BY %1$s, seg) AS n, %2$s, %1$s, seg, place, ordinal,
                    part, op, b, a
                FROM steps SEMI JOIN tangled USING (%1$s, seg)
                ORDER BY n, %3$s
                """.formatted(keys, MergeChanges.keyText(input, ""), MergeChanges.ORDER);
        session.execute("CREATE TEMP TABLE knots AS SELECT DISTINCT ON (n) n, " + keys
                + ", seg, place AS fp, ordinal AS fo FROM (" + sql + ") ORDER BY n, "
                + MergeChanges.ORDER);
        session.execute("CREATE TEMP TABLE ends (n BIGINT, tells BOOLEAN, s UUID, e UUID,"
                + " ep BIGINT, eo BIGINT, epart TINYINT)");
        session.execute("CREATE TEMP TABLE passed (n BIGINT, h UUID)");
        List<Step> steps = new ArrayList<>();
        try (Statement statement = session.connection().createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<Step> all = new ArrayList<>();
            while (result.next()) {
                all.add(Step.of(result));
            }
            steps.addAll(all);
        }
        int from = 0;
        for (int i = 1; i <= steps.size(); i++) {
            if (i == steps.size() || steps.get(i).number() != steps.get(from).number()) {
                untangle(steps.subList(from, i));
                from = i;
            }
        }
        session.execute("INSERT INTO chains SELECT " + MergeChanges.keys(input, k -> "knots." + k)
                + ", knots.seg, tells, s, e, ep, eo, epart, fp, fo, v.a FROM knots"
                + " JOIN ends USING (n) LEFT JOIN events v"
                + " ON v.place = ep AND v.ordinal = eo AND v.part = epart");
        if (!input.exact()) {
            session.execute("INSERT INTO states SELECT "
                    + MergeChanges.keys(input, k -> "knots." + k)
                    + ", h FROM knots JOIN passed USING (n) WHERE seg = 0");
        }
    }

    private void untangle(List<Step> steps) throws SQLException {
        boolean digests = steps.stream().allMatch(Step::tellsDigests);
        StateChain chain = new StateChain();
        for (Step step : steps) {
            // An ordinal of the log may be of two parts: keys that changed.
            long ordinal = step.ordinal() * 2 + step.part();
            chain.change(step.place(), ordinal, step.before(digests), step.after(digests));
        }
        Chain found = chain.finish();
        Break broken = chain.broken();
        if (broken != null) {
            keepFirst(found(broken, steps.get(0).key()));
            return;
        }
        long number = steps.get(0).number();
        session.execute("INSERT INTO ends VALUES (" + number + ", " + found.tellsStart() + ", "
                + literal(found.start()) + ", " + literal(found.end()) + ", " + found.endPlace()
                + ", " + found.endOrdinal() / 2 + ", " + found.endOrdinal() % 2 + ")");
        for (UUID state : found.states()) {
            session.execute("INSERT INTO passed VALUES (" + number + ", " + literal(state) + ")");
        }
    }

    private static MergeResult.Broken found(Break broken, String key) {
        long ordinal = broken.ordinal() / 2;
        if (broken.kind() == Break.Kind.TWO_ROWS) {
            return new MergeResult.Broken(
                    MergeResult.Kind.KEY_TWICE,
                    key,
                    "one row at the end of the transaction",
                    "two rows",
                    broken.place(),
                    ordinal);
        }
        return new MergeResult.Broken(
                        MergeResult.Kind.CHANGE_OUT_OF_CHAIN,
                        key,
                        text(broken.expected()),
                        text(broken.found()),
                        broken.place(),
                        ordinal)
                .between(digest(broken.expected()), digest(broken.found()));
    }

    private String literal(@Nullable UUID digest) {
        if (digest == null) {
            return "NULL";
        }
        return "'" + (byDigest() ? digest : SOME) + "'";
    }

    private void keepFirst(MergeResult.Broken found) {
        MergeResult.Broken known = first;
        if (known == null
                || found.place() < known.place()
                || (found.place() == known.place() && found.ordinal() < known.ordinal())) {
            first = found;
        }
    }

    /** A state as people read it. */
    static String text(@Nullable Object digest) {
        if (digest == null) {
            return "no row";
        }
        return SOME.equals(digest) ? "a row" : "row " + digest;
    }

    /** The digest of a state; null where there is no row or its digest is not known. */
    static @Nullable UUID digest(@Nullable Object state) {
        return state instanceof UUID digest && !digest.equals(SOME) ? digest : null;
    }

    private record Step(
            long number,
            String key,
            long place,
            long ordinal,
            int part,
            String op,
            @Nullable UUID b,
            @Nullable UUID a) {
        static Step of(ResultSet result) throws SQLException {
            return new Step(
                    result.getLong("n"),
                    result.getString(2),
                    result.getLong("place"),
                    result.getLong("ordinal"),
                    result.getInt("part"),
                    result.getString("op"),
                    (UUID) result.getObject("b"),
                    (UUID) result.getObject("a"));
        }

        boolean tellsDigests() {
            return (b != null || op.equals("insert")) && (a != null || op.equals("delete"));
        }

        @Nullable
        UUID before(boolean digests) {
            return op.equals("insert") ? null : digests ? b : SOME;
        }

        @Nullable
        UUID after(boolean digests) {
            return op.equals("delete") ? null : digests ? a : SOME;
        }
    }
}
