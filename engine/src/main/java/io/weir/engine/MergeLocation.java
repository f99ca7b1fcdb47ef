package io.weir.engine;

import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;
import io.weir.core.row.RowPositions;

import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Finds rows in the files of the table: each scan reads one or two columns and gives position
 * within the file. Rows that are no longer in the table are left out.
 */
final class MergeLocation {
    private static final int SCANNED_MAX = 1_000;
    private static final int BATCH_ROWS = 65_536;

    private static final Column NUMBER =
            new Column(1, "n", "bigint", Types.LongType.get(), true, LossPolicy.FAIL);

    private final MergeSession session;
    private final MergeInput input;
    private final boolean anyDead;
    private final FileColumns files;

    MergeLocation(MergeSession session, MergeInput input) throws SQLException {
        this.session = session;
        this.input = input;
        this.files = FileColumns.of(session, input.paths());
        this.anyDead = input.files().stream().anyMatch(file -> !file.deleted().isEmpty());
        if (anyDead) {
            List<RowPositions> deleted =
                    input.files().stream().map(MergeFile::deleted).toList();
            try (PositionRows rows = new PositionRows(session.allocator(), deleted)) {
                session.load("dead", "file, pos", rows);
            } catch (IOException e) {
                throw new SQLException(e);
            }
        }
    }

    private static String hash(MergeInput input) {
        return DuckdbSql.scanName(input.rowHash());
    }

    /**
     * Makes a table of those rows of the files that are in the table and meet a condition.
     *
     * @param fields of the row, called {@code s}; {@code file} and {@code pos} come with them
     * @param join what restricts the rows
     */
    private void live(String table, List<Column> columns, String fields, String join)
            throws SQLException {
        String alive = anyDead ? " ANTI JOIN dead USING (file, pos)" : "";
        String into = "CREATE OR REPLACE TEMP TABLE " + table + " AS ";
        for (String scan : scans(columns)) {
            session.execute(into + "FROM (SELECT " + fields + ", file, pos FROM (" + scan + ") s"
                    + join + ") x" + alive);
            into = "INSERT INTO " + table + " ";
        }
    }

    /** Queries over rows of all files: of many together, because each builds what it joins with. */
    private List<String> scans(List<Column> columns) {
        List<String> scans = new ArrayList<>();
        for (int from = 0; from < input.files().size(); ) {
            int to = files.end(input.paths(), from, SCANNED_MAX);
            scans.add(files.scan(input.paths().subList(from, to), from, columns));
            from = to;
        }
        return scans.isEmpty() ? List.of(nothing(columns)) : scans;
    }

    /** A query over rows of one file, {@code pos} included. */
    String one(int file, List<Column> columns) {
        return files.scan(input.files().get(file).path(), columns);
    }

    private static String nothing(List<Column> columns) {
        return columns.stream()
                .map(column -> "NULL::" + DuckdbSql.type(column.type()) + " AS "
                        + DuckdbSql.scanName(column))
                .collect(Collectors.joining(
                        ", ", "SELECT 0::BIGINT AS file, 0::BIGINT AS pos, ", " WHERE false"));
    }

    /** A query over rows of all files, {@code file} and {@code pos} included. */
    String all(List<Column> columns) {
        return String.join(" UNION ALL ", scans(columns));
    }

    /** Makes {@code hits} of {@code h, file, pos}: rows with a digest of a query. */
    void findDigests(String digests) throws SQLException {
        String h = hash(input);
        live(
                "hits",
                List.of(input.rowHash()),
                "s." + h + " AS h",
                " SEMI JOIN (" + digests + ") d ON s." + h + " = d.h");
    }

    /**
     * Makes a table of key, {@code file, pos}: rows with a key of another table.
     *
     * @param withDigest whether {@code h} is read too
     */
    void findKeys(String table, String wanted, boolean withDigest) throws SQLException {
        List<Column> key = input.key();
        List<Column> columns = new ArrayList<>(key);
        if (withDigest) {
            columns.add(input.rowHash());
        }
        List<String> names = new ArrayList<>();
        List<String> equal = new ArrayList<>();
        for (int i = 0; i < key.size(); i++) {
            String name = "s." + DuckdbSql.scanName(key.get(i));
            names.add(name + " AS k" + i);
            equal.add(name + " = w.k" + i);
        }
        names.add((withDigest ? "s." + hash(input) : "NULL::UUID") + " AS h");
        live(
                table,
                columns,
                String.join(", ", names),
                " SEMI JOIN " + wanted + " w ON " + String.join(" AND ", equal));
    }

    /** Makes {@code stored}: for each key of the outcome the row that the table has. */
    void findStored() throws SQLException {
        String keys = MergeChanges.keys(input);
        if (input.strategy() == MergeStrategy.PRIMARY_KEY) {
            findKeys("stored", "(SELECT " + keys + " FROM outcome WHERE tells)", true);
            return;
        }
        String from = input.exact() ? "(SELECT " + keys + ", s AS h FROM outcome)" : "states";
        live(
                input.exact() ? "stored" : "hits",
                List.of(input.rowHash()),
                MergeChanges.keys(input, k -> "d." + k) + ", d.h",
                " JOIN (SELECT " + keys + ", h FROM " + from + " WHERE h IS NOT NULL) d ON s."
                        + hash(input) + " = d.h");
        if (!input.exact()) {
            // A chain may come through a state more than once.
            session.execute("CREATE TEMP TABLE stored AS SELECT DISTINCT * FROM hits");
        }
    }

    /** The first change whose row before is not what the table has. */
    Optional<MergeResult.Broken> checkStored(boolean emptied) throws SQLException {
        if (!emptied && eachFound()) {
            return Optional.empty();
        }
        String keys = MergeChanges.keys(input);
        session.execute("CREATE TEMP TABLE found AS SELECT " + keys
                + ", count(*) AS n, min(h) AS h FROM stored GROUP BY " + keys);
        boolean byDigest = input.strategy() == MergeStrategy.ROW_HASH;
        String wrong;
        if (!input.exact()) {
            String state =
                    byDigest ? "t.h IS NOT DISTINCT FROM f.h" : "(t.h IS NULL) = (f.h IS NULL)";
            wrong = emptied
                    ? "false"
                    : "f.n > 1 OR NOT EXISTS (SELECT 1 FROM states t WHERE " + same("t", "o")
                            + " AND " + state + ")";
        } else {
            // An insert looks for nothing by digest: its key is looked for when all are known.
            wrong = (byDigest ? "s IS NOT NULL AND " : "")
                    + "coalesce(f.n, 0) <> (CASE WHEN s IS NULL THEN 0 ELSE 1 END)";
        }
        String starts = emptied ? "starts" : "tells";
        List<List<@Nullable Object>> rows = session.rows("SELECT "
                + MergeChanges.keyText(input, "o.")
                + ", s, f.h, f.n, fp, fo, " + MergeChanges.keys(input, k -> "o." + k)
                + " FROM outcome o LEFT JOIN found f ON " + same("f", "o") + " WHERE " + starts
                + " AND (" + wrong + ") ORDER BY fp, fo LIMIT 1");
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(broken(rows.get(0)));
    }

    /** Whether each state that a chain starts from is one row of the table; the usual case. */
    private boolean eachFound() throws SQLException {
        if (!input.exact() || input.strategy() != MergeStrategy.ROW_HASH) {
            return false;
        }
        List<@Nullable Object> wanted = session.rows("SELECT count(*) FILTER (WHERE s IS NOT NULL),"
                        + " count(*) FILTER (WHERE NOT tells) FROM outcome")
                .get(0);
        List<@Nullable Object> found = session.rows("SELECT count(*), count(DISTINCT "
                        + (input.key().size() == 1 ? "k0" : "(" + MergeChanges.keys(input) + ")")
                        + ") FROM stored")
                .get(0);
        return MergeChanges.number(wanted.get(1)) == 0
                && Objects.equals(wanted.get(0), found.get(0))
                && Objects.equals(wanted.get(0), found.get(1));
    }

    private MergeResult.Broken broken(List<@Nullable Object> row) throws SQLException {
        String key = String.valueOf(row.get(0));
        long count = MergeChanges.number(row.get(3));
        long place = MergeChanges.number(row.get(4));
        long ordinal = MergeChanges.number(row.get(5));
        if (count > 1) {
            return new MergeResult.Broken(
                    MergeResult.Kind.KEY_TWICE, key, "one row", count + " rows", place, ordinal);
        }
        Object found = count == 1 ? row.get(2) : lookedUp(key);
        return new MergeResult.Broken(
                        MergeResult.Kind.ROW_NOT_AS_BEFORE,
                        key,
                        MergeChains.text(row.get(1)),
                        MergeChains.text(found),
                        place,
                        ordinal)
                .between(MergeChains.digest(row.get(1)), MergeChains.digest(found));
    }

    /** What the table has under a key whose row was not found by its digest. */
    private @Nullable Object lookedUp(String key) throws SQLException {
        findKeys(
                "looked",
                "(SELECT * FROM outcome o WHERE " + MergeChanges.keyText(input, "o.") + " = "
                        + DuckdbSql.literal(key) + ")",
                true);
        List<List<@Nullable Object>> rows = session.rows("SELECT h FROM looked LIMIT 1");
        return rows.isEmpty() ? null : rows.get(0).get(0);
    }

    String same(String left, String right) {
        List<String> equal = new ArrayList<>();
        for (int i = 0; i < input.key().size(); i++) {
            equal.add(left + ".k" + i + " = " + right + ".k" + i);
        }
        return String.join(" AND ", equal);
    }

    /**
     * The first key that would have two rows, given {@code added} and {@code removed}.
     *
     * @param emptied whether no row of the table stays
     */
    Optional<MergeResult.Broken> checkUnique(boolean emptied) throws SQLException, IOException {
        if (emptied) {
            // What comes in has each key once, because each key has one end.
            return Optional.empty();
        }
        if (input.uniqueness() == Uniqueness.FULL) {
            return new KeyCount(session, input, this).twice();
        }
        if (input.strategy() == MergeStrategy.PRIMARY_KEY) {
            // All rows of every key were found already.
            return Optional.empty();
        }
        // A key whose row was found has no other one: each had one row before.
        findKeys(
                "rivals",
                "(SELECT " + MergeChanges.keys(input)
                        + " FROM changed WHERE e IS NOT NULL AND h IS NULL)",
                false);
        List<List<@Nullable Object>> rows =
                session.rows("SELECT " + MergeChanges.keyText(input, "r.")
                        + ", o.fp, o.fo FROM (FROM rivals ANTI JOIN removed USING (file, pos)) r"
                        + " JOIN outcome o ON " + same("r", "o") + " ORDER BY o.fp, o.fo LIMIT 1");
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        List<@Nullable Object> row = rows.get(0);
        return Optional.of(new MergeResult.Broken(
                MergeResult.Kind.KEY_TWICE,
                String.valueOf(row.get(0)),
                "no other row of this key",
                "another row",
                MergeChanges.number(row.get(1)),
                MergeChanges.number(row.get(2))));
    }

    /** The positions in {@code removed}, for each file. */
    List<RowPositions> removed() throws SQLException, IOException {
        List<long[]> positions = new ArrayList<>();
        List<List<@Nullable Object>> counts =
                session.rows("SELECT file, count(*) FROM removed GROUP BY file");
        for (int i = 0; i < input.files().size(); i++) {
            positions.add(new long[0]);
        }
        for (List<@Nullable Object> count : counts) {
            positions.set(
                    (int) MergeChanges.number(count.get(0)),
                    new long[(int) MergeChanges.number(count.get(1))]);
        }
        int[] next = new int[positions.size()];
        IntegerScan files = new IntegerScan(NUMBER, false);
        IntegerScan rows = new IntegerScan(NUMBER, false);
        session.each("SELECT file, pos FROM removed", BATCH_ROWS, (columns, count) -> {
            files.load(columns.get(0), count);
            rows.load(columns.get(1), count);
            for (int row = 0; row < count; row++) {
                int file = (int) files.value(row);
                positions.get(file)[next[file]++] = rows.value(row);
            }
            return true;
        });
        return positions.stream().map(RowPositions::of).toList();
    }
}
