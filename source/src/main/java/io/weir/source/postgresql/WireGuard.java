package io.weir.source.postgresql;

import io.weir.core.row.Column;

import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.time.LocalDate;

/** Knows which values of a wire type the target type cannot hold, and the nearest that it can. */
abstract class WireGuard {
    static final LocalDate FIRST_DAY = LocalDate.of(1, 1, 1);
    static final LocalDate LAST_DAY = LocalDate.of(9999, 12, 31);

    private static final long DAY_MICROS = 86_400_000_000L;
    private static final int DATE_MIN = (int) FIRST_DAY.toEpochDay() - Wire.EPOCH_DAYS;
    private static final int DATE_MAX = (int) LAST_DAY.toEpochDay() - Wire.EPOCH_DAYS;
    private static final long TIMESTAMP_MIN =
            FIRST_DAY.toEpochDay() * DAY_MICROS - Wire.EPOCH_MICROS;
    private static final long TIMESTAMP_MAX =
            (LAST_DAY.toEpochDay() + 1) * DAY_MICROS - 1 - Wire.EPOCH_MICROS;

    abstract boolean holds(byte[] bytes, int at);

    /**
     * The nearest value that the type holds, in wire form.
     *
     * @return null if there is none
     */
    abstract byte @Nullable [] nearest(byte[] bytes, int at);

    /**
     * The guard of a column; null if its type holds every value.
     */
    static @Nullable WireGuard of(WireType wire, Column column) {
        return switch (wire) {
            case NUMERIC -> new NumericGuard((Types.DecimalType) column.type());
            case DATE -> new DateGuard();
            case TIME -> new LongGuard(0, DAY_MICROS - 1);
            case TIMESTAMP, TIMESTAMP_TZ -> new LongGuard(TIMESTAMP_MIN, TIMESTAMP_MAX);
            case TEXT, JSONB, BOOLEAN, INT2, INT4, INT8, FLOAT4, FLOAT8, BYTEA, UUID -> null;
        };
    }

    /** Whether a policy could ever apply to a type. */
    static boolean mayRefuse(WireType wire) {
        return switch (wire) {
            case NUMERIC, DATE, TIME, TIMESTAMP, TIMESTAMP_TZ -> true;
            case TEXT, JSONB, BOOLEAN, INT2, INT4, INT8, FLOAT4, FLOAT8, BYTEA, UUID -> false;
        };
    }

    /** The infinities are the extremes of the integer, so the range covers them. */
    private static final class DateGuard extends WireGuard {
        @Override
        boolean holds(byte[] bytes, int at) {
            int days = Wire.intAt(bytes, at);
            return days >= DATE_MIN && days <= DATE_MAX;
        }

        @Override
        byte[] nearest(byte[] bytes, int at) {
            return Wire.ofInt(Wire.intAt(bytes, at) < DATE_MIN ? DATE_MIN : DATE_MAX);
        }
    }

    /** Times and timestamps. */
    private static final class LongGuard extends WireGuard {
        private final long min;
        private final long max;

        LongGuard(long min, long max) {
            this.min = min;
            this.max = max;
        }

        @Override
        boolean holds(byte[] bytes, int at) {
            long micros = Wire.longAt(bytes, at);
            return micros >= min && micros <= max;
        }

        @Override
        byte[] nearest(byte[] bytes, int at) {
            return Wire.ofLong(Wire.longAt(bytes, at) < min ? min : max);
        }
    }

    /**
     * NaN; the digits fit, because the server enforces precision and scale. Infinities come only
     * from servers that enforce less, so there is an answer to them and no SQL.
     */
    private static final class NumericGuard extends WireGuard {
        private final byte[] max;
        private final byte[] min;

        NumericGuard(Types.DecimalType type) {
            BigInteger unscaled = BigInteger.TEN.pow(type.precision()).subtract(BigInteger.ONE);
            this.max = WireNumeric.encode(unscaled, type.scale());
            this.min = WireNumeric.encode(unscaled.negate(), type.scale());
        }

        @Override
        boolean holds(byte[] bytes, int at) {
            int sign = Wire.numericSign(bytes, at);
            return sign == Wire.NUMERIC_POSITIVE || sign == Wire.NUMERIC_NEGATIVE;
        }

        @Override
        byte @Nullable [] nearest(byte[] bytes, int at) {
            return switch (Wire.numericSign(bytes, at)) {
                case Wire.NUMERIC_INFINITY -> max.clone();
                case Wire.NUMERIC_MINUS_INFINITY -> min.clone();
                default -> null;
            };
        }
    }
}
