package io.weir.engine;

import io.weir.core.row.CanonicalValue;
import io.weir.core.row.Column;

import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/** The one place that puts names, paths and types into the text of a DuckDB statement. */
final class DuckdbSql {
    private DuckdbSql() {}

    /** A name in double quotes. */
    static String identifier(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** A text in single quotes; DuckDB knows no backslash escapes there. */
    static String literal(String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("Invalid text: it holds the character U+0000");
        }
        return "'" + text.replace("'", "''") + "'";
    }

    /** A file to write: the path as it is. */
    static String path(Path file) {
        return literal(file.toAbsolutePath().toString());
    }

    /** A file to read: reading functions take patterns, so what is special there is escaped. */
    static String pattern(Path file) {
        StringBuilder escaped = new StringBuilder();
        String text = file.toAbsolutePath().toString();
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character == '[' || character == '*' || character == '?') {
                escaped.append('[').append(character).append(']');
            } else {
                escaped.append(character);
            }
        }
        return literal(escaped.toString());
    }

    static String patterns(List<Path> files) {
        return files.stream().map(DuckdbSql::pattern).collect(Collectors.joining(", ", "[", "]"));
    }

    /**
     * The DuckDB type that Parquet files hold for an Iceberg type.
     *
     * @throws IllegalArgumentException if the engine writes no such type
     */
    static String type(Type type) {
        return switch (type.typeId()) {
            case BOOLEAN -> "BOOLEAN";
            case INTEGER -> "INTEGER";
            case LONG -> "BIGINT";
            case FLOAT -> "FLOAT";
            case DOUBLE -> "DOUBLE";
            case DECIMAL -> {
                Types.DecimalType decimal = (Types.DecimalType) type;
                yield "DECIMAL(" + decimal.precision() + "," + decimal.scale() + ")";
            }
            case DATE -> "DATE";
            case TIME -> "TIME";
            case TIMESTAMP ->
                ((Types.TimestampType) type).shouldAdjustToUTC()
                        ? "TIMESTAMP WITH TIME ZONE"
                        : "TIMESTAMP";
            case STRING -> "VARCHAR";
            case BINARY -> "BLOB";
            case UUID -> "UUID";
            case STRUCT ->
                type.asStructType().fields().stream()
                        .map(field -> identifier(field.name()) + " " + type(field.type()))
                        .collect(Collectors.joining(", ", "STRUCT(", ")"));
            default -> throw new IllegalArgumentException("No Parquet form for type " + type);
        };
    }

    /** The option of {@code COPY} that puts field ids into a file. */
    static String fieldIds(List<Column> columns) {
        return columns.stream()
                .map(column -> fieldId(column.name(), column.fieldId(), column.type()))
                .collect(Collectors.joining(", ", "FIELD_IDS {", "}"));
    }

    private static String fieldId(String name, int id, Type type) {
        String own = type.isStructType()
                ? type.asStructType().fields().stream()
                        .map(field -> fieldId(field.name(), field.fieldId(), field.type()))
                        .collect(Collectors.joining(", ", "{__duckdb_field_id: " + id + ", ", "}"))
                : Integer.toString(id);
        return identifier(name) + ": " + own;
    }

    /** How a scan calls a column: names may differ only in case, field ids differ always. */
    static String scanName(Column column) {
        return "f" + column.fieldId();
    }

    /** A scan that finds columns by field id and calls them {@link #scanName}. */
    static String scan(String patterns, List<Column> columns) {
        return read(
                patterns,
                columns.stream().map(column -> field(column, scanName(column))).toList());
    }

    /** A scan that finds columns by field id and calls them by their name. */
    static String namedScan(List<Path> files, List<Column> columns) {
        return read(
                patterns(files),
                columns.stream().map(column -> field(column, column.name())).toList());
    }

    private static String read(String patterns, List<String> fields) {
        return "read_parquet(" + patterns + ", schema = MAP {" + String.join(", ", fields) + "})";
    }

    private static String field(Column column, String name) {
        return column.fieldId() + ": {name: " + literal(name) + ", type: "
                + literal(type(column.type())) + ", default_value: " + initialDefault(column) + "}";
    }

    /** What a column is in a file that is older than it: a text that casts to its type, or NULL. */
    static String initialDefault(Column column) {
        Object value = column.initialDefault();
        if (value == null) {
            return "NULL";
        }
        return literal(
                switch (column.type().typeId()) {
                    case DECIMAL -> ((BigDecimal) value).toPlainString();
                    case DATE -> ValueText.date(((Number) value).longValue());
                    case TIME -> ValueText.time(((Number) value).longValue());
                    case TIMESTAMP -> timestamp(column.type(), ((Number) value).longValue());
                    case BINARY, FIXED -> blob(CanonicalValue.bytes(value));
                    default -> value.toString();
                });
    }

    private static String timestamp(Type type, long micros) {
        boolean zoned = ((Types.TimestampType) type).shouldAdjustToUTC();
        return ValueText.timestamp(micros) + (zoned ? "+00:00" : "");
    }

    private static String blob(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte octet : bytes) {
            text.append("\\x").append(HexFormat.of().withUpperCase().toHexDigits(octet));
        }
        return text.toString();
    }
}
