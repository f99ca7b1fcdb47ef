package io.weir.testkit.digest;

import io.weir.core.row.CanonicalRow;
import io.weir.core.row.CanonicalType;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/** The plainest encoder that can be: PostgreSQL wire values of one row into canonical bytes. */
final class WireRow {
    private static final long DAYS_1970_TO_2000 = 10_957;
    private static final long MICROS_1970_TO_2000 = DAYS_1970_TO_2000 * 86_400_000_000L;
    private static final int BASE = 10_000;
    private static final int NUMERIC_NEGATIVE = 0x4000;

    private WireRow() {}

    static void write(DigestVector vector, CanonicalRow row) {
        row.reset();
        List<VectorField> fields = vector.fields().stream()
                .filter(field -> field.wireHex() != null)
                .sorted(Comparator.comparingInt(VectorField::fieldId))
                .toList();
        for (VectorField field : fields) {
            String hex = Objects.requireNonNull(field.wireHex());
            put(row, field, ByteBuffer.wrap(HexFormat.of().parseHex(hex)));
        }
    }

    private static void put(CanonicalRow row, VectorField field, ByteBuffer wire) {
        int id = field.fieldId();
        CanonicalType type = field.column().canonicalType();
        switch (type) {
            case BOOLEAN -> row.putBoolean(id, wire.get() != 0);
            case INTEGER -> row.putLong(id, type, integer(wire));
            case FLOATING ->
                row.putFloating(id, wire.remaining() == 4 ? wire.getFloat() : wire.getDouble());
            case DECIMAL -> putNumeric(row, id, wire);
            case TEXT, PADDED_TEXT, BINARY, JSON -> putText(row, field, wire);
            case DATE -> row.putLong(id, type, wire.getInt() + DAYS_1970_TO_2000);
            case TIME -> row.putLong(id, type, wire.getLong());
            case TIMESTAMP, TIMESTAMP_TZ ->
                row.putLong(id, type, wire.getLong() + MICROS_1970_TO_2000);
            case UUID -> row.putUuid(id, wire.getLong(), wire.getLong());
        }
    }

    private static long integer(ByteBuffer wire) {
        return switch (wire.remaining()) {
            case Short.BYTES -> wire.getShort();
            case Integer.BYTES -> wire.getInt();
            default -> wire.getLong();
        };
    }

    private static void putNumeric(CanonicalRow row, int id, ByteBuffer wire) {
        int count = wire.getShort();
        int weight = wire.getShort();
        boolean negative = wire.getShort() == NUMERIC_NEGATIVE;
        int displayScale = wire.getShort();
        BigInteger digits = BigInteger.ZERO;
        for (int i = 0; i < count; i++) {
            BigInteger digit = BigInteger.valueOf(wire.getShort());
            digits = digits.multiply(BigInteger.valueOf(BASE)).add(digit);
        }
        int scale = 4 * (count - 1 - weight);
        if (scale < displayScale) {
            digits = digits.multiply(BigInteger.TEN.pow(displayScale - scale));
            scale = displayScale;
        }
        row.putDecimal(id, negative ? digits.negate() : digits, scale);
    }

    private static void putText(CanonicalRow row, VectorField field, ByteBuffer wire) {
        if (field.sourceType().equals("jsonb")) {
            byte version = wire.get();
            if (version != 1) {
                throw new IllegalArgumentException("jsonb version " + version);
            }
        }
        byte[] text = new byte[wire.remaining()];
        wire.get(text);
        row.putBytes(field.fieldId(), field.column().canonicalType(), text, 0, text.length);
    }
}
