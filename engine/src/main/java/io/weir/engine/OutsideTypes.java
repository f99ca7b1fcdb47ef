package io.weir.engine;

import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;

import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Types of Parquet files that others wrote, as DuckDB calls them, beside those of tables. */
final class OutsideTypes {
    /** Whole numbers of at most 64 bits. */
    static final Set<String> WHOLE = Set.of(
            "TINYINT",
            "SMALLINT",
            "INTEGER",
            "BIGINT",
            "UTINYINT",
            "USMALLINT",
            "UINTEGER",
            "UBIGINT");

    private static final Pattern DECIMAL = Pattern.compile("DECIMAL\\((\\d+),\\s*(\\d+)\\)");
    private static final int UNSIGNED_64_DIGITS = 20;

    private static final Map<String, Type> TABLE_TYPES = Map.ofEntries(
            Map.entry("BOOLEAN", Types.BooleanType.get()),
            Map.entry("TINYINT", Types.IntegerType.get()),
            Map.entry("SMALLINT", Types.IntegerType.get()),
            Map.entry("INTEGER", Types.IntegerType.get()),
            Map.entry("UTINYINT", Types.IntegerType.get()),
            Map.entry("USMALLINT", Types.IntegerType.get()),
            Map.entry("UINTEGER", Types.LongType.get()),
            Map.entry("BIGINT", Types.LongType.get()),
            Map.entry("UBIGINT", Types.DecimalType.of(UNSIGNED_64_DIGITS, 0)),
            Map.entry("FLOAT", Types.FloatType.get()),
            Map.entry("DOUBLE", Types.DoubleType.get()),
            Map.entry("DATE", Types.DateType.get()),
            Map.entry("TIME", Types.TimeType.get()),
            Map.entry("TIMESTAMP", Types.TimestampType.withoutZone()),
            Map.entry("TIMESTAMP WITH TIME ZONE", Types.TimestampType.withZone()),
            Map.entry("VARCHAR", Types.StringType.get()),
            Map.entry("JSON", Types.StringType.get()),
            Map.entry("BLOB", Types.BinaryType.get()),
            Map.entry("UUID", Types.UUIDType.get()));

    private OutsideTypes() {}

    /** The column of a new table that takes a field of this type; none if no table does. */
    static Optional<Column> column(int id, String name, String type, boolean required) {
        return Optional.ofNullable(tableType(type))
                .map(found -> new Column(
                        id, name, type.toLowerCase(Locale.ROOT), found, required, LossPolicy.FAIL));
    }

    private static @Nullable Type tableType(String type) {
        Matcher decimal = DECIMAL.matcher(type);
        return decimal.matches()
                ? Types.DecimalType.of(number(decimal, 1), number(decimal, 2))
                : TABLE_TYPES.get(type);
    }

    private static int number(Matcher matcher, int group) {
        return Integer.parseInt(matcher.group(group));
    }

    /**
     * Whether a cast takes every value as it is, or fails; one that rounds or guesses is none. What
     * is out of range is found when it is read.
     */
    static boolean isTaken(String type, Column column) {
        String wanted = DuckdbSql.type(column.type());
        if (type.equals(wanted) || DECIMAL.matcher(type).matches()) {
            return type.equals(wanted) || isWider(type, column.type());
        }
        return switch (column.type().typeId()) {
            case INTEGER, LONG, DECIMAL -> WHOLE.contains(type);
            case DOUBLE -> type.equals("FLOAT");
            case STRING -> type.equals("JSON");
            case UUID -> type.equals("VARCHAR");
            default -> false;
        };
    }

    private static boolean isWider(String type, Type wanted) {
        Matcher decimal = DECIMAL.matcher(type);
        return wanted instanceof Types.DecimalType table
                && decimal.matches()
                && number(decimal, 2) <= table.scale();
    }
}
