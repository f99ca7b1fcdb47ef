package io.weir.source.postgresql;

import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/** Makes objects of wire values, in Iceberg's internal form; for partition fields only. */
final class WireValue {
    private final WireType wire;
    private final Type type;

    WireValue(WireType wire, Type type) {
        this.wire = wire;
        this.type = type;
    }

    Object read(byte[] bytes, int at, int length) {
        return switch (wire) {
            case BOOLEAN -> bytes[at] != 0;
            case INT2 -> (int) Wire.shortAt(bytes, at);
            case INT4 -> Wire.intAt(bytes, at);
            case INT8, TIME -> Wire.longAt(bytes, at);
            case FLOAT4 -> Float.intBitsToFloat(Wire.intAt(bytes, at));
            case FLOAT8 -> Double.longBitsToDouble(Wire.longAt(bytes, at));
            case NUMERIC ->
                new BigDecimal(WireNumeric.digits(bytes, at), WireNumeric.scale(bytes, at))
                        .setScale(((Types.DecimalType) type).scale());
            case TEXT -> new String(bytes, at, length, StandardCharsets.UTF_8);
            case JSONB -> new String(bytes, at + 1, length - 1, StandardCharsets.UTF_8);
            case BYTEA -> ByteBuffer.wrap(Arrays.copyOfRange(bytes, at, at + length));
            case DATE -> Wire.intAt(bytes, at) + Wire.EPOCH_DAYS;
            case TIMESTAMP, TIMESTAMP_TZ -> Wire.longAt(bytes, at) + Wire.EPOCH_MICROS;
            case UUID -> new UUID(Wire.longAt(bytes, at), Wire.longAt(bytes, at + Long.BYTES));
        };
    }
}
