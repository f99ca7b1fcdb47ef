package io.weir.source.postgresql;

import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

import java.util.Optional;

/** Which types are read, and as what. Domains are resolved before. */
final class PostgresTypes {
    static final int CHAR_INTERNAL = 18;

    private static final int NUMERIC = 1700;
    private static final int MODIFIER_HEADER = 4;
    private static final int PRECISION_MAX = 38;

    private PostgresTypes() {}

    /** How a type arrives and what it becomes. */
    record Mapping(WireType wire, Type type) {}

    /**
     * The mapping of a type.
     *
     * @param oid of the type, not of a domain
     * @param modifier −1 if there is none
     * @param kind {@code pg_type.typtype}
     * @return empty for a type that is not read
     */
    static Optional<Mapping> map(int oid, int modifier, char kind) {
        if (kind == 'e') {
            return mapping(WireType.TEXT, Types.StringType.get());
        }
        return switch (oid) {
            case 16 -> mapping(WireType.BOOLEAN, Types.BooleanType.get());
            case 17 -> mapping(WireType.BYTEA, Types.BinaryType.get());
            case 21 -> mapping(WireType.INT2, Types.IntegerType.get());
            case 23 -> mapping(WireType.INT4, Types.IntegerType.get());
            case 20 -> mapping(WireType.INT8, Types.LongType.get());
            case 700 -> mapping(WireType.FLOAT4, Types.FloatType.get());
            case 701 -> mapping(WireType.FLOAT8, Types.DoubleType.get());
            // "char", name, text, json, character, character varying.
            case CHAR_INTERNAL, 19, 25, 114, 1042, 1043 ->
                mapping(WireType.TEXT, Types.StringType.get());
            case 3802 -> mapping(WireType.JSONB, Types.StringType.get());
            case 1082 -> mapping(WireType.DATE, Types.DateType.get());
            case 1083 -> mapping(WireType.TIME, Types.TimeType.get());
            case 1114 -> mapping(WireType.TIMESTAMP, Types.TimestampType.withoutZone());
            case 1184 -> mapping(WireType.TIMESTAMP_TZ, Types.TimestampType.withZone());
            case NUMERIC -> numeric(modifier);
            case 2950 -> mapping(WireType.UUID, Types.UUIDType.get());
            default -> Optional.empty();
        };
    }

    private static Optional<Mapping> mapping(WireType wire, Type type) {
        return Optional.of(new Mapping(wire, type));
    }

    private static Optional<Mapping> numeric(int modifier) {
        if (modifier < MODIFIER_HEADER) {
            return Optional.empty();
        }
        int bits = modifier - MODIFIER_HEADER;
        int precision = bits >> 16 & 0xFFFF;
        // Eleven bits with sign since PostgreSQL 15; at most 1,000 before, so the same bits.
        int scale = ((bits & 0x7FF) ^ 0x400) - 0x400;
        int digits = scale < 0 ? precision - scale : Math.max(precision, scale);
        if (digits > PRECISION_MAX) {
            return Optional.empty();
        }
        return mapping(WireType.NUMERIC, Types.DecimalType.of(digits, Math.max(scale, 0)));
    }
}
