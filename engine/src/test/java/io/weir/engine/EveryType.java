package io.weir.engine;

import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;
import io.weir.core.row.RowSchema;

import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** A table with a column of each type, field ids out of order, and rows with values at edges. */
final class EveryType {
    static final long DAY_MICROS = 86_400_000_000L;
    static final int YEAR_1 = -719_162;
    static final int YEAR_9999_END = 2_932_896;
    static final BigDecimal WIDEST =
            new BigDecimal(BigInteger.TEN.pow(38).subtract(BigInteger.ONE), 10);

    static final RowSchema SCHEMA = new RowSchema(
            List.of(
                    column(21, "id", "bigint", Types.LongType.get()),
                    column(2, "small", "integer", Types.IntegerType.get()),
                    column(3, "truth", "boolean", Types.BooleanType.get()),
                    column(4, "ratio", "real", Types.FloatType.get()),
                    column(5, "exact", "double precision", Types.DoubleType.get()),
                    column(6, "price", "numeric(9,2)", Types.DecimalType.of(9, 2)),
                    column(7, "total", "numeric(18,4)", Types.DecimalType.of(18, 4)),
                    column(8, "wide", "numeric(38,10)", Types.DecimalType.of(38, 10)),
                    column(9, "name", "text", Types.StringType.get()),
                    column(10, "code", "character(5)", Types.StringType.get()),
                    column(11, "facts", "jsonb", Types.StringType.get()),
                    column(12, "raw", "bytea", Types.BinaryType.get()),
                    column(13, "day", "date", Types.DateType.get()),
                    column(14, "at", "time", Types.TimeType.get()),
                    column(15, "wall", "timestamp", Types.TimestampType.withoutZone()),
                    column(16, "instant", "timestamptz", Types.TimestampType.withZone()),
                    column(1, "ref", "uuid", Types.UUIDType.get())),
            List.of("id"));

    private EveryType() {}

    static Column column(int fieldId, String name, String sourceType, Type type) {
        return new Column(fieldId, name, sourceType, type, false, LossPolicy.FAIL);
    }

    /** Lowest values, highest values, NULLs, zeros, then ordinary rows. */
    static List<List<@Nullable Object>> rows(int count) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        rows.add(lowest());
        rows.add(highest());
        rows.add(nulls());
        rows.add(zeros());
        Random random = new Random(7);
        for (long id = rows.size(); id < count; id++) {
            rows.add(ordinary(id, random));
        }
        return rows;
    }

    private static List<@Nullable Object> lowest() {
        return Arrays.asList(
                Long.MIN_VALUE,
                Integer.MIN_VALUE,
                false,
                Float.NEGATIVE_INFINITY,
                -Double.MAX_VALUE,
                new BigDecimal("-9999999.99"),
                new BigDecimal("-99999999999999.9999"),
                WIDEST.negate(),
                "",
                "     ",
                "null",
                new byte[0],
                YEAR_1,
                0L,
                YEAR_1 * DAY_MICROS,
                YEAR_1 * DAY_MICROS,
                new UUID(0, 0));
    }

    private static List<@Nullable Object> highest() {
        return Arrays.asList(
                Long.MAX_VALUE,
                Integer.MAX_VALUE,
                true,
                Float.POSITIVE_INFINITY,
                Double.POSITIVE_INFINITY,
                new BigDecimal("9999999.99"),
                new BigDecimal("99999999999999.9999"),
                WIDEST,
                "\u0130stanbul \uD83D\uDE80 \n'\"\\",
                "ab   ",
                "{\"a\": [1, 2]}",
                new byte[] {0, -1, 127, -128},
                YEAR_9999_END,
                DAY_MICROS - 1,
                (YEAR_9999_END + 1L) * DAY_MICROS - 1,
                (YEAR_9999_END + 1L) * DAY_MICROS - 1,
                new UUID(-1, -1));
    }

    private static List<@Nullable Object> nulls() {
        List<@Nullable Object> row =
                new ArrayList<>(java.util.Collections.nCopies(SCHEMA.columns().size(), null));
        row.set(0, 2L);
        return row;
    }

    private static List<@Nullable Object> zeros() {
        return Arrays.asList(
                3L,
                0,
                false,
                -0.0f,
                -0.0,
                new BigDecimal("0.00"),
                new BigDecimal("0.0000"),
                new BigDecimal("0E-10"),
                " ",
                "abcde",
                "{}",
                new byte[] {0},
                0,
                1L,
                0L,
                -1L,
                new UUID(1, 2));
    }

    private static List<@Nullable Object> ordinary(long id, Random random) {
        return Arrays.asList(
                id,
                random.nextInt(),
                random.nextBoolean(),
                random.nextFloat(),
                random.nextDouble(),
                BigDecimal.valueOf(random.nextInt(1_000_000), 2),
                BigDecimal.valueOf(random.nextLong() / 100, 4),
                new BigDecimal(new BigInteger(120, random), 10),
                random.nextInt(5) == 0 ? null : "customer " + random.nextInt(1_000),
                "c" + random.nextInt(1_000),
                "{\"n\": " + id + "}",
                Long.toString(random.nextLong(), 36)
                        .getBytes(java.nio.charset.StandardCharsets.US_ASCII),
                random.nextInt(40_000),
                (long) (random.nextDouble() * DAY_MICROS),
                random.nextLong() / 10_000,
                random.nextLong() / 10_000,
                new UUID(random.nextLong(), random.nextLong()));
    }
}
