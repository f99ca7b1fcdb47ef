package io.weir.engine;

import io.weir.core.row.CanonicalType;
import io.weir.core.row.Column;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The statements that read changes which others wrote. */
final class OutsideScan {
    /** What Debezium writes instead of a long value that the database did not log. */
    private static final String UNAVAILABLE = "__debezium_unavailable_value";

    private static final String COMMITTED = "committed-at";

    private final OutsideRead read;
    private final List<Column> columns;

    OutsideScan(OutsideRead read) {
        this.read = read;
        this.columns = read.rows().columns();
    }

    /** A column, or what a path of names with dots between leads to. */
    static String field(String path) {
        String[] names = path.split("\\.", -1);
        String field = DuckdbSql.identifier(names[0]);
        for (int i = 1; i < names.length; i++) {
            field = "struct_extract(" + field + ", " + DuckdbSql.literal(names[i]) + ")";
        }
        return field;
    }

    /** Files as they are: what their directories are called says nothing about rows. */
    static String files(List<OutsideFile> files) {
        return "read_parquet("
                + DuckdbSql.patterns(files.stream().map(OutsideFile::path).toList())
                + ", hive_partitioning = false)";
    }

    /** A position as a number; NULL if it is none. */
    static String place(String position, String type) {
        if (!type.equals("VARCHAR")) {
            return "try_cast(" + position + " AS BIGINT)";
        }
        return "CASE WHEN regexp_full_match(" + position
                + ", '[0-7]?[0-9A-Fa-f]{1,7}/[0-9A-Fa-f]{1,8}') THEN "
                + hex(position, 1) + " * 4294967296 + " + hex(position, 2)
                + " WHEN regexp_full_match(" + position + ", '[0-9]{1,18}') THEN try_cast("
                + position + " AS BIGINT) END";
    }

    private static String hex(String position, int part) {
        return "try_cast('0x' || split_part(" + position + ", '/', " + part + ") AS BIGINT)";
    }

    /** Every change in the order in which it counts; see {@link OutsideChange}. */
    String changes() {
        List<String> fields = new ArrayList<>(List.of(
                "place",
                "ordinal",
                "position",
                "transaction",
                "committed",
                "op",
                "hb",
                "ha",
                "touched",
                "file",
                "bm",
                "am"));
        fields.addAll(exported("b"));
        fields.addAll(exported("a"));
        boolean ordered = read.columns().ordinal() != null;
        List<String> selects = new ArrayList<>();
        for (List<OutsideFile> alike : alike()) {
            selects.add(select(alike, false));
            if (!ordered) {
                selects.add(select(alike, true));
            }
        }
        String order = ordered
                ? "ordinal"
                : keys().stream()
                        .map(key -> key + " NULLS FIRST")
                        .collect(Collectors.joining(", "));
        return "SELECT " + String.join(", ", fields) + " FROM ("
                + String.join(" UNION ALL ", selects) + ") ORDER BY place, " + order
                + ", touched, file, row";
    }

    private List<String> keys() {
        return IntStream.range(0, read.rows().key().size())
                .mapToObj(i -> "k" + i)
                .toList();
    }

    private List<String> exported(String image) {
        return IntStream.range(0, columns.size())
                .mapToObj(i -> columns.get(i).canonicalType() == CanonicalType.UUID
                        ? image + i + "::BLOB"
                        : image + i)
                .toList();
    }

    /** Files that one scan can read: those with the same columns of the same types. */
    private List<List<OutsideFile>> alike() {
        record Shape(
                Map<String, String> types, Map<String, String> before, Map<String, String> after) {}
        Map<Shape, List<OutsideFile>> alike = new LinkedHashMap<>();
        for (OutsideFile file : read.files()) {
            alike.computeIfAbsent(
                            new Shape(file.types(), file.before(), file.after()),
                            shape -> new ArrayList<>())
                    .add(file);
        }
        return List.copyOf(alike.values());
    }

    private String select(List<OutsideFile> files, boolean touched) {
        OutsideFile shape = files.get(0);
        OutsideColumns names = read.columns();
        String position = field(names.position());
        List<String> fields = new ArrayList<>();
        fields.add(place(position, typeOf(shape, "position")) + " AS place");
        fields.add(ordinal() + " AS ordinal");
        fields.add(position + "::VARCHAR AS position");
        fields.add(text(names.transaction()) + " AS transaction");
        fields.add(committed(shape) + " AS committed");
        fields.add(op(field(names.op())) + " AS op");
        fields.add(field(names.before()) + " IS NOT NULL AS hb");
        fields.add(field(names.after()) + " IS NOT NULL AS ha");
        fields.add(touched + " AS touched");
        fields.add("filename AS file");
        fields.add("file_row_number AS row");
        fields.add(missing(field(names.before()), shape.before()) + " AS bm");
        fields.add(missing(field(names.after()), shape.after()) + " AS am");
        fields.addAll(keyFields(shape, touched));
        fields.addAll(images(shape));
        return "SELECT * FROM (SELECT " + String.join(", ", fields) + " FROM " + files(files)
                + ") WHERE " + range() + (touched ? " AND " + moved() : "");
    }

    private String range() {
        return "place > " + read.from() + " AND place <= " + read.to();
    }

    private static String typeOf(OutsideFile shape, String name) {
        return shape.types().getOrDefault(name, "");
    }

    private String ordinal() {
        String name = read.columns().ordinal();
        return name == null ? "NULL::BIGINT" : "try_cast(" + field(name) + " AS BIGINT)";
    }

    private static String text(@Nullable String name) {
        return name == null ? "NULL::VARCHAR" : field(name) + "::VARCHAR";
    }

    private String committed(OutsideFile shape) {
        String name = read.columns().committedAt();
        if (name == null) {
            return "NULL::BIGINT";
        }
        String of = field(name);
        if (!OutsideTypes.WHOLE.contains(typeOf(shape, COMMITTED))) {
            return "epoch_us(" + of + ")";
        }
        if (name.endsWith("_us")) {
            return of + "::BIGINT";
        }
        return name.endsWith("_ns") ? of + "::BIGINT // 1000" : of + "::BIGINT * 1000";
    }

    private static String op(String of) {
        return "CASE lower(" + of + "::VARCHAR)"
                + " WHEN 'c' THEN 'insert' WHEN 'r' THEN 'insert' WHEN 'i' THEN 'insert'"
                + " WHEN 'insert' THEN 'insert' WHEN 'u' THEN 'update' WHEN 'update' THEN 'update'"
                + " WHEN 'd' THEN 'delete' WHEN 'delete' THEN 'delete'"
                + " WHEN 't' THEN 'truncate' WHEN 'truncate' THEN 'truncate'"
                + " ELSE '?' || coalesce(" + of + "::VARCHAR, 'NULL') END";
    }

    /** The key that a change counts under; of a moved row, its old one where only that counts. */
    private List<String> keyFields(OutsideFile shape, boolean touched) {
        List<String> fields = new ArrayList<>();
        List<String> key = read.rows().key();
        for (int i = 0; i < key.size(); i++) {
            Column column = read.rows().column(key.get(i));
            String before = value(field(read.columns().before()), shape.before(), column);
            String after = value(field(read.columns().after()), shape.after(), column);
            String own = touched
                    ? before
                    : "CASE WHEN " + field(read.columns().after()) + " IS NULL THEN " + before
                            + " ELSE " + after + " END";
            fields.add(own + " AS k" + i);
        }
        return fields;
    }

    private String moved() {
        return read.rows().key().stream()
                .map(name -> read.rows().names().indexOf(name))
                .map(i -> "b" + i + " IS DISTINCT FROM a" + i)
                .collect(Collectors.joining(" OR ", "hb AND ha AND (", ")"));
    }

    private List<String> images(OutsideFile shape) {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            fields.add((isTold(column)
                            ? value(field(read.columns().before()), shape.before(), column)
                            : nothing(column))
                    + " AS b" + i);
        }
        for (int i = 0; i < columns.size(); i++) {
            fields.add(value(field(read.columns().after()), shape.after(), columns.get(i)) + " AS a"
                    + i);
        }
        return fields;
    }

    private boolean isTold(Column column) {
        return read.wholeBefore() || read.rows().key().contains(column.name());
    }

    private static String nothing(Column column) {
        return "NULL::" + DuckdbSql.type(column.type());
    }

    private static String value(String image, Map<String, String> types, Column column) {
        String of = "struct_extract(" + image + ", " + DuckdbSql.literal(column.name()) + ")";
        String type = types.getOrDefault(column.name(), "");
        String wanted = DuckdbSql.type(column.type());
        String cast = type.equals(wanted) ? of : "CAST(" + of + " AS " + wanted + ")";
        String unavailable = unavailable(of, type);
        return unavailable.isEmpty()
                ? cast
                : "CASE WHEN " + unavailable + " THEN NULL ELSE " + cast + " END";
    }

    /** Whether a value was not logged; empty where a type cannot say so. */
    private static String unavailable(String of, String type) {
        return switch (type) {
            case "VARCHAR" -> of + " = '" + UNAVAILABLE + "'";
            case "JSON" -> of + "::VARCHAR IN ('" + UNAVAILABLE + "', '\"" + UNAVAILABLE + "\"')";
            case "BLOB" -> of + " = encode('" + UNAVAILABLE + "')";
            default -> "";
        };
    }

    /** The indexes of columns that were not logged, with commas between. */
    private String missing(String image, Map<String, String> types) {
        List<String> each = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            String name = columns.get(i).name();
            String unavailable = unavailable(
                    "struct_extract(" + image + ", " + DuckdbSql.literal(name) + ")",
                    types.getOrDefault(name, ""));
            if (!unavailable.isEmpty()) {
                each.add("CASE WHEN " + unavailable + " THEN '" + i + "' END");
            }
        }
        return each.isEmpty() ? "''" : "concat_ws(',', " + String.join(", ", each) + ")";
    }

    /**
     * The first change that a change log of ours does not have.
     *
     * @param logFiles of the change log, with its columns
     */
    String unknown(String logFiles, List<Column> log) {
        List<String> compared = new ArrayList<>(List.of("place", "op", "hb", "ha"));
        if (read.columns().ordinal() != null) {
            compared.add("ordinal");
        }
        for (int i = 0; i < columns.size(); i++) {
            compared.add("b" + i);
            compared.add("a" + i);
        }
        String fields = String.join(", ", compared);
        String outside = alike().stream()
                .map(files -> select(files, false))
                .collect(Collectors.joining(" UNION ALL "));
        String ours = logFiles.isEmpty()
                ? ""
                : " EXCEPT SELECT " + fields + " FROM (" + logged(logFiles, log) + ") WHERE "
                        + range();
        return "SELECT place, op FROM (SELECT " + fields + " FROM (" + outside + ")" + ours
                + ") ORDER BY place LIMIT 1";
    }

    private String logged(String logFiles, List<Column> log) {
        Map<String, String> names =
                log.stream().collect(Collectors.toMap(Column::name, DuckdbSql::scanName));
        List<String> fields = new ArrayList<>();
        fields.add(names.get("place") + " AS place");
        fields.add(names.get("ordinal") + " AS ordinal");
        fields.add(names.get("op") + " AS op");
        fields.add(names.get("before") + " IS NOT NULL AS hb");
        fields.add(names.get("after") + " IS NOT NULL AS ha");
        for (int i = 0; i < columns.size(); i++) {
            String of = DuckdbSql.literal(columns.get(i).name());
            String before = "struct_extract(" + names.get("before") + ", " + of + ")";
            fields.add((isTold(columns.get(i)) ? before : nothing(columns.get(i))) + " AS b" + i);
            fields.add("struct_extract(" + names.get("after") + ", " + of + ") AS a" + i);
        }
        return "SELECT " + String.join(", ", fields) + " FROM " + DuckdbSql.scan(logFiles, log);
    }
}
