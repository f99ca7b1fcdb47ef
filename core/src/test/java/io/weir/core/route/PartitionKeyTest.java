package io.weir.core.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;

import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.UUID;

class PartitionKeyTest {
    private static final long HOUR = 3_600_000_000L;
    private static final Type ZONED = Types.TimestampType.withZone();
    private static final Type DATE = Types.DateType.get();

    private static KeyedRows rows(String field, Type type, String sourceType, String key) {
        PartitionField first = PartitionBy.parse(field).first();
        return new PartitionKey(first, key)
                .rows(new Column(1, "c", sourceType, type, false, LossPolicy.FAIL));
    }

    private static void assertSpan(
            KeyedRows rows, Object from, @Nullable Object until, Object value) {
        assertThat(rows.from()).isEqualTo(from);
        assertThat(rows.until()).isEqualTo(until);
        assertThat(rows.value()).isEqualTo(value);
    }

    @Test
    void namesSpansOfTime() {
        assertSpan(rows("year(c)", DATE, "date", "2026"), 20_454, 20_819, 56);
        assertSpan(rows("month(c)", DATE, "date", "1969-12"), -31, 0, -1);
        assertSpan(rows("day(c)", DATE, "date", "2026-11-29"), 20_786, 20_787, 20_786);
        assertSpan(rows("day(c)", ZONED, "timestamptz", "1970-01-02"), 24 * HOUR, 48 * HOUR, 1);
        assertSpan(
                rows("hour(c)", Types.TimestampType.withoutZone(), "timestamp", "1969-12-31-23"),
                -HOUR,
                0L,
                -1);
        assertSpan(rows("year(c)", DATE, "date", "9999"), 2_932_532, 2_932_897, 8029);
    }

    @Test
    void namesSingleValues() {
        assertSpan(rows("c", DATE, "date", "2026-11-29"), 20_786, null, 20_786);
        assertSpan(rows("c", Types.IntegerType.get(), "integer", "-42"), -42, null, -42);
        assertSpan(rows("c", Types.LongType.get(), "bigint", "0"), 0L, null, 0L);
        assertSpan(rows("c", Types.StringType.get(), "text", "İ'\\"), "İ'\\", null, "İ'\\");
        UUID uuid = UUID.fromString("f0000000-0000-0000-0000-00000000000a");
        assertSpan(rows("c", Types.UUIDType.get(), "uuid", uuid.toString()), uuid, null, uuid);
    }

    @Test
    void holdsTheRoutesOfItsValue() {
        KeyedRows rows = rows("day(c)", DATE, "date", "2026-11-29");
        assertThat(rows.holds(Route.of(20_786, "eu"))).isTrue();
        assertThat(rows.holds(Route.of(20_787, "eu"))).isFalse();
        assertThat(rows.holds(Route.of(null, "eu"))).isFalse();
        assertThat(rows.holds(Route.NONE)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "day(c)|timestamptz|2026-11|a day such as 2026-11-29",
                "day(c)|timestamptz|2026-11-29-13|a day such as 2026-11-29",
                "day(c)|timestamptz|2026-02-30|a day such as 2026-11-29",
                "day(c)|timestamptz|2026-1-1|a day such as 2026-11-29",
                "day(c)|timestamptz|٢٠٢٦-11-29|a day such as 2026-11-29",
                "day(c)|timestamptz|0000-01-01|a day such as 2026-11-29",
                "month(c)|timestamptz|today|a month such as 2026-11",
                "year(c)|timestamptz|26|a year such as 2026",
                "hour(c)|timestamptz|2026-11-29-24|an hour in UTC such as 2026-11-29-13",
                "c|date|29.11.2026|a day such as 2026-11-29",
                "c|int|1.5|a whole number such as 42",
                "c|int|2147483648|a whole number such as 42",
                "c|int|007|a whole number such as 42",
                "c|long|9223372036854775808|a whole number such as 42",
                "c|uuid|F0000000-0000-0000-0000-00000000000A|a UUID in lower case",
            })
    void namesTheFormThatAKeyMustHave(String field, String type, String key, String form) {
        assertInvalid(field, type, "any", key, form);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "c|timestamptz|any",
                "c|boolean|boolean",
                "c|string|character(4)",
                "c|string|jsonb",
                "bucket(4, c)|int|integer",
                "truncate(4, c)|string|text",
                "hour(c)|date|date",
            })
    void refusesFieldsOfWhichAKeyNamesNoValue(String field, String type, String sourceType) {
        assertInvalid(field, type, sourceType, "2026", "first field of partition-by must be");
    }

    private static void assertInvalid(
            String field, String type, String sourceType, String key, String hint) {
        assertThatThrownBy(() -> rows(field, Types.fromPrimitiveString(type), sourceType, key))
                .isInstanceOfSatisfying(WeirException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID);
                    assertThat(e.text())
                            .contains("business key " + key + ":")
                            .contains("field=" + field)
                            .contains("type=" + type);
                    assertThat(e.hint()).contains(hint);
                });
    }
}
