package io.weir.source.postgresql;

import io.weir.core.route.KeyedRows;
import io.weir.core.route.PartitionKey;
import io.weir.core.row.Column;
import io.weir.source.TableSpec;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/**
 * The rows that a business key names, as a condition on the column as it will be stored. Every
 * literal is made here from a typed value; nothing of the job file is put into SQL as it is.
 */
final class KeyedSql {
    private static final LocalDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0);
    private static final DateTimeFormatter DATE = new DateTimeFormatterBuilder()
            .appendValue(ChronoField.YEAR, 4, 6, SignStyle.NOT_NEGATIVE)
            .appendPattern("-MM-dd")
            .toFormatter(Locale.ROOT);
    private static final DateTimeFormatter TIMESTAMP = new DateTimeFormatterBuilder()
            .append(DATE)
            .appendPattern(" HH:mm:ss")
            .toFormatter(Locale.ROOT);

    private KeyedSql() {}

    /** The condition; empty if the spec asks for every row. */
    static String of(Relation relation, TableSpec spec, List<Column> columns) {
        PartitionKey key = spec.key();
        if (key == null) {
            return "";
        }
        String name = key.field().column();
        Column column = columns.stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow();
        CatalogColumn found = relation.column(name).orElseThrow();
        WireType wire = found.mapping().map(PostgresTypes.Mapping::wire).orElseThrow();
        KeyedRows rows = key.rows(column);
        String sql = StoredSql.of(wire, column);
        Object until = rows.until();
        if (wire == WireType.TEXT) {
            return text(found, sql, rows.from().toString());
        }
        return until == null
                ? sql + " = " + literal(wire, rows.from())
                : "(" + sql + " >= " + literal(wire, rows.from()) + " and " + sql + " < "
                        + literal(wire, until) + ")";
    }

    /**
     * Byte by byte, as the lake compares; a collation of the column may take other texts for equal.
     * The comparison that an index of the column can answer is asked as well.
     */
    private static String text(CatalogColumn column, String sql, String value) {
        String literal = literal(value);
        String exact = "(" + sql + ")::text collate \"C\" = " + literal;
        boolean comparesAsText =
                column.typeKind() == 'b' && column.typeOid() != PostgresTypes.CHAR_INTERNAL;
        return comparesAsText ? "(" + sql + " = " + literal + " and " + exact + ")" : exact;
    }

    private static String literal(WireType wire, Object value) {
        return switch (wire) {
            case INT2, INT4, INT8 -> value.toString();
            case DATE -> "date '" + DATE.format(LocalDate.ofEpochDay((Integer) value)) + "'";
            case TIMESTAMP -> "timestamp '" + timestamp(value) + "'";
            case TIMESTAMP_TZ -> "timestamptz '" + timestamp(value) + "+00'";
            case UUID -> "uuid '" + value + "'";
            case BOOLEAN, FLOAT4, FLOAT8, NUMERIC, TEXT, JSONB, BYTEA, TIME ->
                throw new IllegalArgumentException("No key is of type " + wire);
        };
    }

    private static String timestamp(Object micros) {
        return TIMESTAMP.format(EPOCH.plus((Long) micros, ChronoUnit.MICROS));
    }

    /** A backslash means itself whatever the session takes it for. */
    private static String literal(String text) {
        String quoted = text.replace("'", "''");
        return quoted.indexOf('\\') < 0
                ? "'" + quoted + "'"
                : "E'" + quoted.replace("\\", "\\\\") + "'";
    }
}
