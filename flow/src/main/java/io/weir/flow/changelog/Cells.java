package io.weir.flow.changelog;

import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Puts values in Iceberg's internal form into Arrow vectors. */
final class Cells {
    private static final int FIXED_BYTES = 8;

    private Cells() {}

    /**
     * Sets one value.
     *
     * @return about how many bytes it takes
     */
    static int set(FieldVector vector, int row, Object value) {
        if (value instanceof String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            ((VarCharVector) vector).setSafe(row, bytes);
            return bytes.length;
        }
        if (value instanceof byte[] bytes) {
            ((VarBinaryVector) vector).setSafe(row, bytes);
            return bytes.length;
        }
        if (vector instanceof FixedSizeBinaryVector binary) {
            UUID uuid = (UUID) value;
            ByteBuffer bytes = ByteBuffer.allocate(LogFields.UUID_BYTES)
                    .putLong(uuid.getMostSignificantBits())
                    .putLong(uuid.getLeastSignificantBits());
            binary.setSafe(row, bytes.array());
            return LogFields.UUID_BYTES;
        }
        if (vector instanceof DecimalVector decimal) {
            decimal.setSafe(row, (BigDecimal) value);
            return LogFields.UUID_BYTES;
        }
        setNumber(vector, row, value);
        return FIXED_BYTES;
    }

    private static void setNumber(FieldVector vector, int row, Object value) {
        if (vector instanceof BitVector bits) {
            bits.setSafe(row, (Boolean) value ? 1 : 0);
        } else if (vector instanceof IntVector ints) {
            ints.setSafe(row, (Integer) value);
        } else if (vector instanceof BigIntVector longs) {
            longs.setSafe(row, (Long) value);
        } else if (vector instanceof Float4Vector floats) {
            floats.setSafe(row, (Float) value);
        } else if (vector instanceof Float8Vector doubles) {
            doubles.setSafe(row, (Double) value);
        } else if (vector instanceof DateDayVector dates) {
            dates.setSafe(row, (Integer) value);
        } else if (vector instanceof TimeMicroVector times) {
            times.setSafe(row, (Long) value);
        } else if (vector instanceof TimeStampVector timestamps) {
            timestamps.setSafe(row, (Long) value);
        } else {
            throw new IllegalArgumentException("No way into " + vector.getField());
        }
    }
}
