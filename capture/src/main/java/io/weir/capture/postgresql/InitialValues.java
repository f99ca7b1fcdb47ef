package io.weir.capture.postgresql;

import io.weir.core.row.Column;

import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What rows hold in columns that are younger than they are. A default that is the same for every
 * row is kept once by the server and not written into the rows, until the table is rewritten;
 * another one rewrites the table at once, and no change tells so.
 */
final class InitialValues {
    /** So that values look the same whatever the server, the database or the user has set. */
    private static final String PLAIN_TEXTS = """
            select set_config('datestyle', 'ISO, YMD', false), set_config('timezone', 'UTC', false),
                set_config('bytea_output', 'hex', false),
                set_config('extra_float_digits', '1', false)
            """;

    /** The default of a domain counts as one of the column. */
    private static final String DEFAULTS = """
            select a.attname::text as name, a.atthasmissing as kept,
                (a.attmissingval::text::text[])[1] as value
            from pg_attribute a
            join pg_type t on t.oid = a.atttypid
            where a.attrelid = ?::regclass and a.attnum > 0 and not a.attisdropped
              and (a.atthasdef or a.atthasmissing or a.attidentity <> ''
                  or (t.typtype = 'd' and t.typdefault is not null))
            """;

    private static final String HEX_PREFIX = "\\x";

    private final CaptureSession session;

    InitialValues(CaptureSession session) {
        this.session = session;
    }

    private record Kept(String name, boolean kept, @Nullable String value) {}

    Map<String, Optional<Object>> of(String table, List<Column> columns) {
        session.query(PLAIN_TEXTS, row -> true);
        Map<String, Column> byName = new LinkedHashMap<>();
        columns.forEach(column -> byName.put(column.name(), column));
        Map<String, Optional<Object>> found = new LinkedHashMap<>();
        for (Kept row : session.query(
                DEFAULTS,
                result -> new Kept(
                        result.getString("name"),
                        result.getBoolean("kept"),
                        result.getString("value")),
                table)) {
            Column column = byName.get(row.name());
            String value = row.value();
            found.put(
                    row.name(),
                    column == null || !row.kept() || value == null
                            ? Optional.empty()
                            : value(column, value));
        }
        return found;
    }

    /** Empty for a value that no default of a table in the lake can be. */
    private static Optional<Object> value(Column column, String text) {
        try {
            return Optional.ofNullable(parsed(column, text));
        } catch (DateTimeException | ArithmeticException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static @Nullable Object parsed(Column column, String text) {
        return switch (column.type().typeId()) {
            case BOOLEAN -> text.equals("t");
            case INTEGER -> Integer.valueOf(text);
            case LONG -> Long.valueOf(text);
            case FLOAT -> finite(Float.valueOf(text));
            case DOUBLE -> finite(Double.valueOf(text));
            case DECIMAL -> decimal((Types.DecimalType) column.type(), text);
            case STRING -> text;
            case BINARY ->
                ByteBuffer.wrap(HexFormat.of().parseHex(text.substring(HEX_PREFIX.length())));
            case UUID -> UUID.fromString(text);
            case DATE -> (int) year(LocalDate.parse(text)).toEpochDay();
            case TIME -> LocalTime.parse(text).toNanoOfDay() / 1_000;
            case TIMESTAMP -> timestamp((Types.TimestampType) column.type(), text);
            default -> null;
        };
    }

    /** JSON, which table metadata is, knows no others. */
    private static @Nullable Number finite(Number value) {
        return Double.isFinite(value.doubleValue()) ? value : null;
    }

    private static @Nullable BigDecimal decimal(Types.DecimalType type, String text) {
        BigDecimal scaled = new BigDecimal(text).setScale(type.scale());
        return scaled.precision() <= type.precision() ? scaled : null;
    }

    private static LocalDate year(LocalDate date) {
        if (date.getYear() < 1 || date.getYear() > ValueReader.YEAR_MAX) {
            throw new DateTimeException("Year " + date.getYear());
        }
        return date;
    }

    private static long timestamp(Types.TimestampType type, String text) {
        String local = text;
        if (type.shouldAdjustToUTC()) {
            if (!text.endsWith("+00")) {
                throw new DateTimeException("Not in UTC: " + text);
            }
            local = text.substring(0, text.length() - "+00".length());
        }
        LocalDateTime moment = LocalDateTime.parse(local.replace(' ', 'T'));
        year(moment.toLocalDate());
        return ChronoUnit.MICROS.between(LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC), moment);
    }
}
