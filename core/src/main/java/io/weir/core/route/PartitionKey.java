package io.weir.core.route;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Column;

import org.apache.iceberg.types.Type;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A business key that names a value of a partition field: {@code 2026}, {@code 2026-11}, {@code
 * 2026-11-29}, {@code 2026-11-29-13} for times, else the value of the column as text.
 *
 * @param field the first that the target is partitioned by
 * @param text the business key
 */
public record PartitionKey(PartitionField field, String text) {
    private static final Pattern TIME =
            Pattern.compile("([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2})(?:-([0-9]{2}))?)?)?");
    private static final Pattern WHOLE = Pattern.compile("0|-?[1-9][0-9]{0,18}");
    private static final Pattern UUID_FORM =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final LocalDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0);

    /** Whether a text can name a value of such a field, whatever its column. */
    public static boolean canName(PartitionField field) {
        return field.transform() == PartitionTransform.IDENTITY
                || field.transform().isTime();
    }

    /**
     * The rows that the key names.
     *
     * @param column of the field
     * @throws WeirException {@link ErrorCode#CONFIG_INVALID} naming key, field, type and the form
     *     that the key must have
     */
    public KeyedRows rows(Column column) {
        Type type = column.type();
        if (!field.accepts(type)) {
            throw invalid(column, "the column has no such value", "");
        }
        return switch (field.transform()) {
            case YEAR -> span(column, ChronoUnit.YEARS, 1, "a year such as 2026");
            case MONTH -> span(column, ChronoUnit.MONTHS, 2, "a month such as 2026-11");
            case DAY -> span(column, ChronoUnit.DAYS, 3, "a day such as 2026-11-29");
            case HOUR -> span(column, ChronoUnit.HOURS, 4, "an hour in UTC such as 2026-11-29-13");
            case IDENTITY -> only(column);
            case BUCKET, TRUNCATE ->
                throw invalid(column, "a key cannot name a value of such a field", "");
        };
    }

    private KeyedRows span(Column column, ChronoUnit unit, int parts, String form) {
        LocalDateTime start = time(column, parts, form);
        Type type = column.type();
        Object from = internal(type, start);
        Object value = Objects.requireNonNull(field.function(type).apply(from));
        return new KeyedRows(field, from, internal(type, start.plus(1, unit)), value);
    }

    private LocalDateTime time(Column column, int parts, String form) {
        Matcher matcher = TIME.matcher(text);
        int given = 0;
        int[] numbers = {0, 1, 1, 0};
        if (matcher.matches()) {
            while (given < numbers.length && matcher.group(given + 1) != null) {
                numbers[given] = Integer.parseInt(matcher.group(given + 1));
                given++;
            }
        }
        if (given != parts || numbers[0] == 0) {
            throw invalid(column, "it is not " + form, form);
        }
        try {
            return LocalDateTime.of(numbers[0], numbers[1], numbers[2], numbers[3], 0);
        } catch (DateTimeException e) {
            throw invalid(column, "there is no such time", form);
        }
    }

    private static Object internal(Type type, LocalDateTime time) {
        if (type.typeId() == Type.TypeID.DATE) {
            return Math.toIntExact(time.toLocalDate().toEpochDay());
        }
        return ChronoUnit.MICROS.between(EPOCH, time);
    }

    private KeyedRows only(Column column) {
        Object value = switch (column.canonicalType()) {
            case DATE -> internal(column.type(), time(column, 3, "a day such as 2026-11-29"));
            case INTEGER -> whole(column);
            case UUID -> {
                String form = "a UUID in lower case";
                requireForm(column, UUID_FORM, form);
                yield UUID.fromString(text);
            }
            case TEXT -> {
                if (text.indexOf('\0') >= 0) {
                    throw invalid(column, "it holds the character U+0000", "a text without it");
                }
                yield text;
            }
            case BOOLEAN,
                    FLOATING,
                    DECIMAL,
                    PADDED_TEXT,
                    BINARY,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    JSON -> throw invalid(column, "a key cannot name a value of such a column", "");
        };
        return new KeyedRows(field, value, null, value);
    }

    private Object whole(Column column) {
        String form = "a whole number such as 42 that the column can hold";
        requireForm(column, WHOLE, form);
        try {
            boolean narrow = column.type().typeId() == Type.TypeID.INTEGER;
            return narrow ? (Object) Integer.valueOf(text) : (Object) Long.valueOf(text);
        } catch (NumberFormatException e) {
            throw invalid(column, "it is not " + form, form);
        }
    }

    private void requireForm(Column column, Pattern pattern, String form) {
        if (!pattern.matcher(text).matches()) {
            throw invalid(column, "it is not " + form, form);
        }
    }

    private WeirException invalid(Column column, String reason, String form) {
        String message = "Cannot replace the partition of business key " + text + ": " + reason
                + " (field=" + field + ", type=" + column.type() + ", source type="
                + column.sourceType() + ")";
        String hint = form.isEmpty()
                ? "With publish: replace-partitions the first field of partition-by must be a"
                        + " date, text, integer or uuid column, or year, month, day or hour of a"
                        + " date or timestamp."
                : "Give --business-key as " + form + ".";
        return new WeirException(ErrorCode.CONFIG_INVALID, message, hint, null);
    }
}
