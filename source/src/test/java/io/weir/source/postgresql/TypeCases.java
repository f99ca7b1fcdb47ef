package io.weir.source.postgresql;

import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Every type that is read, with values at its edges. */
final class TypeCases {
    private TypeCases() {}

    /**
     * A type and its values.
     *
     * @param declared as a column is declared
     * @param sourceType as the catalog names what it is
     * @param sql values as literals
     * @param java the same values as Arrow gives them
     */
    record Case(
            String declared, String sourceType, Type type, List<String> sql, List<Object> java) {
        static Case of(String declared, String sourceType, Type type) {
            return new Case(declared, sourceType, type, List.of(), List.of());
        }

        Case with(String literal, Object value) {
            List<String> literals = new ArrayList<>(sql);
            literals.add(literal);
            List<Object> values = new ArrayList<>(java);
            values.add(value);
            return new Case(declared, sourceType, type, literals, values);
        }

        @Override
        public String toString() {
            return declared;
        }
    }

    static List<Case> all() {
        return Stream.of(integers(), floats(), decimals(), texts(), names(), times(), others())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Case> integers() {
        return List.of(
                Case.of("smallint", "smallint", Types.IntegerType.get())
                        .with("-32768", -32768)
                        .with("-1", -1)
                        .with("0", 0)
                        .with("32767", 32767),
                Case.of("integer", "integer", Types.IntegerType.get())
                        .with("-2147483648", Integer.MIN_VALUE)
                        .with("-1", -1)
                        .with("0", 0)
                        .with("2147483647", Integer.MAX_VALUE),
                Case.of("bigint", "bigint", Types.LongType.get())
                        .with("-9223372036854775808", Long.MIN_VALUE)
                        .with("-1", -1L)
                        .with("0", 0L)
                        .with("9223372036854775807", Long.MAX_VALUE));
    }

    private static List<Case> floats() {
        return List.of(
                Case.of("real", "real", Types.FloatType.get())
                        .with("'NaN'", Float.NaN)
                        .with("'Infinity'", Float.POSITIVE_INFINITY)
                        .with("'-Infinity'", Float.NEGATIVE_INFINITY)
                        .with("'-0'", -0.0f)
                        .with("1e-45", Float.MIN_VALUE)
                        .with("3.4028235e38", Float.MAX_VALUE),
                Case.of("double precision", "double precision", Types.DoubleType.get())
                        .with("'NaN'", Double.NaN)
                        .with("'Infinity'", Double.POSITIVE_INFINITY)
                        .with("'-Infinity'", Double.NEGATIVE_INFINITY)
                        .with("'-0'", -0.0)
                        .with("5e-324", Double.MIN_VALUE)
                        .with("0.1", 0.1));
    }

    private static List<Case> decimals() {
        String nines = "9".repeat(38);
        return List.of(
                decimal(
                                "numeric(12,2)",
                                12,
                                2,
                                "0.00",
                                "1.50",
                                "-1.05",
                                "9999999999.99",
                                "-9999999999.99",
                                "100000000.00",
                                "0.01",
                                "1234.00",
                                "10000.00")
                        .with("0", new BigDecimal("0.00"))
                        .with("1.5", new BigDecimal("1.50"))
                        .with("100000000", new BigDecimal("100000000.00")),
                decimal(
                        "numeric(38,0)",
                        38,
                        0,
                        nines,
                        "-" + nines,
                        "1" + "0".repeat(37),
                        "10000",
                        "-1"),
                decimal(
                                "numeric(38,38)",
                                38,
                                38,
                                "0." + nines,
                                "-0." + "0".repeat(37) + "1",
                                "0.5" + "0".repeat(37))
                        .with("0.5", new BigDecimal("0.5" + "0".repeat(37))),
                decimal(
                        "numeric(38,9)",
                        38,
                        9,
                        "12345678901234567890123456789.123456789",
                        "0.000000001",
                        "-98765432109876543210987654321.000000001"),
                decimal("numeric(3,5)", 5, 5, "0.00999", "-0.00001"),
                decimal("numeric(5,-2)", 7, 0, "-9999900")
                        .with("1234567", new BigDecimal("1234600"))
                        .with("50", new BigDecimal("100"))
                        .with("49", new BigDecimal("0")),
                Case.of("price", "numeric(12,2)", Types.DecimalType.of(12, 2))
                        .with("17.5", new BigDecimal("17.50"))
                        .with("17.50", new BigDecimal("17.50")));
    }

    private static Case decimal(String declared, int precision, int scale, String... values) {
        Case found = Case.of(declared, declared, Types.DecimalType.of(precision, scale));
        for (String value : values) {
            found = found.with(value, new BigDecimal(value));
        }
        return found;
    }

    private static Case text(String declared, String sourceType) {
        return Case.of(declared, sourceType, Types.StringType.get());
    }

    private static List<Case> texts() {
        String unicode = "Zażółć 𝄞 e\u0301 \u200f";
        return List.of(
                text("text", "text")
                        .with("''", "")
                        .with("'a'", "a")
                        .with("'" + unicode + "'", unicode)
                        .with("E'tab\\t nl\\n \\\\'", "tab\t nl\n \\")
                        .with("repeat('ä', 100000)", "ä".repeat(100_000)),
                text("character varying(10)", "character varying(10)").with("'a  '", "a  "),
                text("varchar", "character varying").with("'b'", "b"),
                text("character(5)", "character(5)")
                        .with("'ab'", "ab   ")
                        .with("''", "     ")
                        .with("'ü'", "ü    "),
                text("bpchar", "bpchar").with("'ab  '", "ab  "),
                text("code", "character(5)").with("'x'", "x    "));
    }

    private static List<Case> names() {
        return List.of(
                text("\"char\"", "\"char\"")
                        .with("'x'", "x")
                        .with("''", "")
                        .with("'\\303'", "\\303"),
                text("name", "name").with("'pg_class'", "pg_class"),
                text("mood", "public.mood")
                        .with("'sad'", "sad")
                        .with("'überglücklich'", "überglücklich")
                        .with("'it''s'", "it's"),
                text("json", "json").with("'{ \"a\" :1, \"a\": 2}'", "{ \"a\" :1, \"a\": 2}"),
                text("jsonb", "jsonb")
                        .with("'{\"b\":1.0,\"a\":null}'", "{\"a\": null, \"b\": 1.0}")
                        .with("'\"\"'", "\"\""));
    }

    private static List<Case> times() {
        return List.of(
                Case.of("date", "date", Types.DateType.get())
                        .with("'0001-01-01'", days("0001-01-01"))
                        .with("'1582-10-10'", days("1582-10-10"))
                        .with("'1970-01-01'", 0)
                        .with("'2000-02-29'", days("2000-02-29"))
                        .with("'9999-12-31'", days("9999-12-31")),
                Case.of("time without time zone", "time without time zone", Types.TimeType.get())
                        .with("'00:00:00'", 0L)
                        .with("'23:59:59.999999'", 86_399_999_999L),
                Case.of("time", "time without time zone", Types.TimeType.get())
                        .with("'00:00:00'", 0L)
                        .with("'23:59:59.999999'", 86_399_999_999L),
                Case.of("time(3)", "time(3) without time zone", Types.TimeType.get())
                        .with(
                                "'01:02:03.4567'",
                                LocalTime.of(1, 2, 3).toSecondOfDay() * 1_000_000L + 457_000),
                wallClock(
                        "0001-01-01T00:00:00",
                        "1986-08-26T00:30:00",
                        "2024-03-10T02:30:00",
                        "1899-12-31T23:59:59.999999",
                        "9999-12-31T23:59:59.999999"),
                Case.of("timestamptz", "timestamp with time zone", Types.TimestampType.withZone())
                        .with("'0001-01-01 00:00:00+00'", micros("0001-01-01T00:00:00Z"))
                        .with(
                                "'2026-11-29 12:00:00.000001+05:30'",
                                micros("2026-11-29T06:30:00.000001Z"))
                        .with("'1986-08-26 00:30:00 Asia/Shanghai'", micros("1986-08-25T15:30:00Z"))
                        .with(
                                "'9999-12-31 23:59:59.999999Z'",
                                micros("9999-12-31T23:59:59.999999Z")));
    }

    private static Case wallClock(String... values) {
        Case found = Case.of(
                "timestamp", "timestamp without time zone", Types.TimestampType.withoutZone());
        for (String value : values) {
            found = found.with("'" + value.replace('T', ' ') + "'", LocalDateTime.parse(value));
        }
        return found;
    }

    private static int days(String date) {
        return (int) LocalDate.parse(date).toEpochDay();
    }

    private static long micros(String text) {
        Instant instant = Instant.parse(text);
        return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
    }

    private static List<Case> others() {
        return List.of(
                Case.of("boolean", "boolean", Types.BooleanType.get())
                        .with("true", true)
                        .with("false", false)
                        .with("true", true),
                Case.of("bytea", "bytea", Types.BinaryType.get())
                        .with("''", "")
                        .with("'\\x00ff10'", "00ff10"),
                Case.of("uuid", "uuid", Types.UUIDType.get())
                        .with(
                                "'00000000-0000-0000-0000-000000000001'",
                                "00000000000000000000000000000001")
                        .with(
                                "'FFEEDDCC-BBAA-9988-7766-554433221100'",
                                "ffeeddccbbaa99887766554433221100"));
    }
}
