package io.weir.engine;

import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;

import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The changes of a window as a table {@code events}: key in {@code k0, k1, …}, digests {@code b}
 * and {@code a} of the rows before and after, and {@code seg}, how many truncates came before. The
 * values of the row after are in {@code images}, by {@code place, ordinal}: {@code f<field id>},
 * and {@code am} where some are missing. If none are, that is a view of the log: most of what
 * merging does needs no values, so they are read when rows are written and not before.
 */
final class MergeChanges {
    static final String ORDER = "place, ordinal, part";

    private static final int INSERT_ROWS = 1_000;

    private final MergeSession session;
    private final MergeInput input;
    private long replays;
    private long count;
    private long truncates;
    private long incomplete;
    private long undigested;

    MergeChanges(MergeSession session, MergeInput input) {
        this.session = session;
        this.input = input;
    }

    long replays() {
        return replays;
    }

    /** Changes of the window without replays. */
    long count() {
        return count;
    }

    long truncates() {
        return truncates;
    }

    /** Whether each row after is told as a whole by its change. */
    boolean tellsAllValues() {
        return incomplete == 0;
    }

    /** Whether each change tells the digests of the row before and of the row after. */
    boolean tellsAllDigests() {
        return undigested == 0;
    }

    void load() throws SQLException, IOException {
        if (input.logFiles().isEmpty()) {
            // Nothing was ever logged, or all of it lies before the window.
            return;
        }
        String log = scan();
        long behind = Math.max(input.from(), input.merged());
        if (input.from() < behind) {
            replays = session.number("SELECT count(*)"
                    + within(log, input.from(), Math.min(input.merged(), input.to())));
        }
        String window = within(log, behind, input.to());
        look(window);
        session.execute(
                "CREATE TEMP TABLE events AS SELECT " + String.join(", ", fields()) + window);
        session.execute("CREATE TEMP " + (tellsAllValues() ? "VIEW" : "TABLE")
                + " images AS SELECT " + String.join(", ", values()) + window);
        takeTruncates();
        splitMoved();
        digestFilled();
    }

    private String within(String log, long from, long to) {
        return " FROM " + log + " WHERE " + name("place") + " > " + from + " AND " + name("place")
                + " <= " + to;
    }

    private void look(String window) throws SQLException {
        String op = name("op");
        List<@Nullable Object> found = session.rows("SELECT count(*), count(*) FILTER (WHERE " + op
                        + " = 'truncate'), count(" + name("after_missing")
                        + "), count(*) FILTER (WHERE " + op + " <> 'truncate' AND ((" + op
                        + " <> 'insert' AND " + name("before_digest") + " IS NULL) OR (" + op
                        + " <> 'delete' AND " + name("after_digest") + " IS NULL)))" + window)
                .get(0);
        count = number(found.get(0));
        truncates = number(found.get(1));
        incomplete = number(found.get(2));
        undigested = number(found.get(3));
    }

    private String scan() {
        List<Column> read = List.of(
                        "place",
                        "ordinal",
                        "op",
                        "before",
                        "after",
                        "before_digest",
                        "after_digest",
                        "before_missing",
                        "after_missing")
                .stream()
                .map(name -> input.log().column(name))
                .toList();
        return DuckdbSql.scan(DuckdbSql.patterns(input.logFiles()), read);
    }

    /** A query of the rows of this digest among the images of a kind, before or after. */
    String imageOf(String kind, UUID digest) {
        String struct = name(kind);
        List<String> fields = new ArrayList<>();
        for (Column column : input.rows().columns()) {
            fields.add(struct + "." + DuckdbSql.identifier(column.name()) + " AS "
                    + DuckdbSql.scanName(column));
        }
        return "SELECT " + String.join(", ", fields) + " FROM " + scan() + " WHERE "
                + name(kind + "_digest") + " = '" + digest + "'";
    }

    private String name(String column) {
        return DuckdbSql.scanName(input.log().column(column));
    }

    /**
     * Whether there is an image before or after: each has a digest or names what it lacks. To ask
     * the image itself would read all of its values.
     */
    private String told(String kind) {
        return "(" + name(kind + "_digest") + " IS NOT NULL OR " + name(kind + "_missing")
                + " IS NOT NULL)";
    }

    private List<String> fields() {
        String before = name("before");
        String after = name("after");
        String moved = "(" + name("op") + " = 'update' AND " + told("before") + " AND "
                + moved(before, after) + ")";
        List<String> fields = new ArrayList<>();
        List<Column> key = input.key();
        for (int i = 0; i < key.size(); i++) {
            String of = "." + DuckdbSql.identifier(key.get(i).name());
            fields.add("CASE WHEN " + told("after") + " THEN " + after + of + " ELSE " + before + of
                    + " END AS k" + i);
            fields.add("CASE WHEN " + moved + " THEN " + before + of + " END AS old" + i);
        }
        fields.add((key.isEmpty() ? "false" : moved) + " AS moved");
        fields.add(name("place") + " AS place");
        fields.add(name("ordinal") + " AS ordinal");
        fields.add("1::TINYINT AS part");
        fields.add(name("op") + " AS op");
        fields.add(name("before_digest") + " AS b");
        fields.add(name("after_digest") + " AS a");
        fields.add("0::INTEGER AS seg");
        return fields;
    }

    /** What images are made of. */
    private List<String> values() {
        String before = name("before");
        String after = name("after");
        String missing = name("after_missing");
        // Only a whole image before fills what is missing after.
        String filled = "(" + told("before") + " AND " + name("before_missing") + " IS NULL)";
        List<String> values = new ArrayList<>();
        for (Column column : input.rows().columns()) {
            String of = "." + DuckdbSql.identifier(column.name());
            String value = tellsAllValues()
                    ? after + of
                    : "CASE WHEN " + missing + " IS NOT NULL AND " + filled + " AND "
                            + isMissing(missing, column) + " THEN " + before + of + " ELSE "
                            + after + of + " END";
            values.add(value + " AS " + DuckdbSql.scanName(column));
        }
        values.add("CASE WHEN " + filled + " THEN NULL ELSE " + missing + " END AS am");
        values.add(name("place") + " AS place");
        values.add(name("ordinal") + " AS ordinal");
        return values;
    }

    private String moved(String before, String after) {
        return input.key().stream()
                .map(column -> DuckdbSql.identifier(column.name()))
                .map(of -> before + "." + of + " IS DISTINCT FROM " + after + "." + of)
                .collect(Collectors.joining(" OR ", "(", ")"));
    }

    /** Whether a list of names in quotes, as the log writes it, holds that of a column. */
    static String isMissing(String list, Column column) {
        String quoted = ",\"" + column.name().replace("\"", "\"\"") + "\",";
        return "contains(',' || " + list + " || ',', " + DuckdbSql.literal(quoted) + ")";
    }

    private void takeTruncates() throws SQLException {
        if (truncates == 0) {
            return;
        }
        session.execute("CREATE TEMP TABLE truncates AS SELECT place, ordinal FROM events"
                + " WHERE op = 'truncate'");
        session.execute("DELETE FROM events WHERE op = 'truncate'");
        session.execute("UPDATE events SET seg = (SELECT count(*) FROM truncates t"
                + " WHERE (t.place, t.ordinal) < (events.place, events.ordinal))");
    }

    /** A change of a key is a row that goes and one that comes. */
    private void splitMoved() throws SQLException {
        if (session.number("SELECT count(*) FROM events WHERE moved") == 0) {
            return;
        }
        List<String> names = new ArrayList<>();
        List<String> values = new ArrayList<>();
        for (int i = 0; i < input.key().size(); i++) {
            names.add("k" + i);
            values.add("old" + i);
        }
        names.addAll(List.of("place", "ordinal", "part", "op", "b", "seg", "moved"));
        values.addAll(List.of("place", "ordinal", "0", "'delete'", "b", "seg", "false"));
        session.execute("INSERT INTO events (" + String.join(", ", names) + ") SELECT "
                + String.join(", ", values) + " FROM events WHERE moved");
        session.execute("UPDATE events SET op = 'insert', b = NULL, moved = false WHERE moved");
    }

    /** Rows whose missing values came from the image before have no digest yet. */
    private void digestFilled() throws SQLException, IOException {
        if (!tellsAllValues()) {
            digest(
                    "events",
                    "events JOIN images USING (place, ordinal)",
                    "a",
                    "a IS NULL AND am IS NULL AND op IN ('insert', 'update')");
            undigested = session.number("SELECT count(*) FROM events WHERE"
                    + " (op <> 'insert' AND b IS NULL) OR (op <> 'delete' AND a IS NULL)");
        }
    }

    /**
     * Sets a column to the digests of those rows of a table that need one.
     *
     * @param from the table with its values
     */
    void digest(String table, String from, String column, String where)
            throws SQLException, IOException {
        if (session.number("SELECT count(*) FROM " + from + " WHERE " + where) == 0) {
            return;
        }
        Column number = new Column(
                Integer.MAX_VALUE, "r", "bigint", Types.LongType.get(), true, LossPolicy.FAIL);
        HashedRows hashed = new HashedRows(input.rows().columns(), number);
        List<String> values = new ArrayList<>();
        hashed.each(
                session,
                "SELECT " + hashed.fields(table + ".rowid") + " FROM " + from + " WHERE " + where,
                (row, digest) -> values.add("(" + row + ", '" + digest + "')"));
        session.execute("CREATE OR REPLACE TEMP TABLE digests (r BIGINT, h UUID)");
        for (int first = 0; first < values.size(); first += INSERT_ROWS) {
            session.execute("INSERT INTO digests VALUES "
                    + String.join(
                            ", ",
                            values.subList(first, Math.min(values.size(), first + INSERT_ROWS))));
        }
        session.execute("UPDATE " + table + " SET " + column + " = d.h FROM digests d WHERE d.r = "
                + table + ".rowid");
    }

    /** The first change that does not tell all that merging by digests needs. */
    Optional<MergeResult.Broken> partial() throws SQLException {
        if (tellsAllDigests()) {
            return Optional.empty();
        }
        List<List<@Nullable Object>> rows = session.rows("SELECT " + keyText(input, "")
                + ", op, b, place, ordinal FROM events"
                + " WHERE (op IN ('update', 'delete') AND b IS NULL)"
                + " OR (op IN ('insert', 'update') AND a IS NULL) ORDER BY " + ORDER + " LIMIT 1");
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        List<@Nullable Object> row = rows.get(0);
        boolean before = !"insert".equals(row.get(1)) && row.get(2) == null;
        return Optional.of(new MergeResult.Broken(
                MergeResult.Kind.IMAGE_PARTIAL,
                String.valueOf(row.get(0)),
                before ? "the whole row before" : "the whole row after",
                "a part of it",
                number(row.get(3)),
                number(row.get(4))));
    }

    /** The key of a row as a text, {@code id=42}; the digest where there is no key. */
    static String keyText(MergeInput input, String alias) {
        List<Column> key = input.key();
        if (key.isEmpty()) {
            return "''";
        }
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < key.size(); i++) {
            parts.add(DuckdbSql.literal((i == 0 ? "" : ", ") + key.get(i).name() + "=")
                    + " || coalesce(" + alias + "k" + i + "::VARCHAR, 'NULL')");
        }
        return String.join(" || ", parts);
    }

    /** The key columns, each in its form; joined by commas. */
    static String keys(MergeInput input, UnaryOperator<String> form) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < input.key().size(); i++) {
            names.add(form.apply("k" + i));
        }
        return String.join(", ", names);
    }

    static String keys(MergeInput input) {
        return keys(input, name -> name);
    }

    static long number(@Nullable Object value) {
        return value instanceof Number number ? number.longValue() : 0;
    }
}
