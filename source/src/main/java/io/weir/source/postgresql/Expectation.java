package io.weir.source.postgresql;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricKind;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.MetricText;
import io.weir.core.row.CanonicalType;
import io.weir.core.row.Column;
import io.weir.core.run.KeyRange;
import io.weir.source.SourceTable;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One statement for all metrics of a table. The results come as one array, because a row of results
 * has a limited number of columns and a wide table has more metrics.
 */
final class Expectation {
    private static final Set<String> NOT_FINITE = Set.of("NaN", "Infinity", "-Infinity");
    private static final String TIME_FORMAT = "HH24:MI:SS.US";
    private static final String TIMESTAMP_FORMAT = "YYYY-MM-DD\"T\"HH24:MI:SS.US";

    private final Relation relation;
    private final SourceTable table;
    private final Catalog.Server server;
    private final String condition;

    /** Measures the rows for which a condition holds; an empty one always does. */
    Expectation(Relation relation, SourceTable table, Catalog.Server server, String condition) {
        this.relation = relation;
        this.table = table;
        this.server = server;
        this.condition = condition;
    }

    String sql(List<MetricName> names) {
        return "select array["
                + names.stream().map(this::aggregate).collect(Collectors.joining(", "))
                + "] from " + relation.name().quoted()
                + CopySql.where(KeyRange.ALL, condition);
    }

    private String aggregate(MetricName name) {
        if (name.equals(MetricName.ROW_COUNT)) {
            return "count(*)::text";
        }
        if (name.column() == null) {
            throw unmeasurable(name);
        }
        Column column = column(name);
        WireType wire = wire(column);
        String sql = StoredSql.of(wire, column);
        return switch (name.kind()) {
            case NULL_COUNT -> "(count(*) - count(" + sql + "))::text";
            case MIN, MAX -> extreme(name, column, sql);
            case SUM -> sum(name, column, sql);
            case BYTES -> "sum(" + bytes(name, column, sql) + ")::text";
            case ROW_COUNT, DUPLICATE_KEYS, MISPLACED_ROWS, BALANCE -> throw unmeasurable(name);
        };
    }

    private static String extreme(MetricName name, Column column, String sql) {
        String function = name.kind() == MetricKind.MIN ? "min" : "max";
        String value = function + "(" + sql + ")";
        return switch (column.canonicalType()) {
            case INTEGER, DECIMAL -> value + "::text";
            case FLOATING -> function + "((" + sql + ")::float8)::text";
            case DATE -> toChar(value, "YYYY-MM-DD");
            case TIME -> toChar(value + "::interval", TIME_FORMAT);
            case TIMESTAMP -> toChar(value, TIMESTAMP_FORMAT);
            case TIMESTAMP_TZ -> toChar(value, TIMESTAMP_FORMAT + "\"Z\"");
            case BOOLEAN, TEXT, PADDED_TEXT, BINARY, UUID, JSON -> throw unmeasurable(name);
        };
    }

    private static String toChar(String value, String format) {
        return "to_char(" + value + ", '" + format + "')";
    }

    private static String sum(MetricName name, Column column, String sql) {
        return switch (column.canonicalType()) {
            case INTEGER, DECIMAL -> "sum(" + sql + ")::text";
            case BOOLEAN -> "(count(*) filter (where " + sql + "))::text";
            case FLOATING,
                    TEXT,
                    PADDED_TEXT,
                    BINARY,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    UUID,
                    JSON -> throw unmeasurable(name);
        };
    }

    private String bytes(MetricName name, Column column, String sql) {
        CanonicalType type = column.canonicalType();
        return switch (type) {
            case BINARY -> "octet_length(" + sql + ")";
            case PADDED_TEXT -> paddedBytes(sql);
            case TEXT, JSON -> textBytes(sql);
            case BOOLEAN, INTEGER, FLOATING, DECIMAL, DATE, TIME, TIMESTAMP, TIMESTAMP_TZ, UUID ->
                throw unmeasurable(name);
        };
    }

    /** The server counts in its own encoding; what is read arrives in UTF-8. */
    private String textBytes(String sql) {
        return isUtf8()
                ? "octet_length(" + sql + "::text)"
                : "octet_length(convert_to(" + sql + "::text, 'UTF8'))";
    }

    /** A cast to text loses the padding, of which each space is one byte in every encoding. */
    private String paddedBytes(String sql) {
        String padded = "octet_length(" + sql + ")";
        return isUtf8()
                ? padded
                : textBytes(sql) + " + " + padded + " - octet_length(" + sql + "::text)";
    }

    private boolean isUtf8() {
        String encoding = server.facts().encoding();
        return encoding.equals("UTF8") || encoding.equals("SQL_ASCII");
    }

    private Column column(MetricName name) {
        return table.columns().stream()
                .filter(column -> column.name().equals(name.column()))
                .findFirst()
                .orElseThrow(() -> unmeasurable(name));
    }

    private WireType wire(Column column) {
        return relation.column(column.name())
                .flatMap(CatalogColumn::mapping)
                .map(PostgresTypes.Mapping::wire)
                .orElseThrow();
    }

    private static WeirException unmeasurable(MetricName name) {
        return new WeirException(
                ErrorCode.INTERNAL,
                "Cannot measure " + name + ": no statement at a source answers it");
    }

    /** The measures from the texts of the array. */
    List<Measure> measures(List<MetricName> names, @Nullable String[] texts) {
        List<Measure> measures = new ArrayList<>();
        for (int i = 0; i < texts.length; i++) {
            measures.add(new Measure(names.get(i), canonical(names.get(i), texts[i])));
        }
        return measures;
    }

    private @Nullable String canonical(MetricName name, @Nullable String text) {
        if (text == null || name.column() == null) {
            return text;
        }
        return switch (column(name).canonicalType()) {
            // A value that does not fit ends the run when its row is read, not here.
            case DECIMAL -> NOT_FINITE.contains(text) ? text : MetricText.number(text);
            case FLOATING ->
                name.kind() == MetricKind.NULL_COUNT
                        ? text
                        : MetricText.floating(Double.parseDouble(text));
            case BOOLEAN,
                    INTEGER,
                    TEXT,
                    PADDED_TEXT,
                    BINARY,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    UUID,
                    JSON -> text;
        };
    }
}
