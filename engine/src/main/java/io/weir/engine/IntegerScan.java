package io.weir.engine;

import io.weir.core.row.CanonicalRow;
import io.weir.core.row.CanonicalType;
import io.weir.core.row.Column;

import org.apache.arrow.vector.FieldVector;

/** Reads a column of integers, dates or times: 32 or 64 bits each. */
final class IntegerScan extends ColumnScan {
    private final CanonicalType type;
    private final int width;
    private byte[] data = new byte[0];

    IntegerScan(Column column, boolean totalled) {
        super(column, totalled);
        this.type = column.canonicalType();
        this.width = switch (column.type().typeId()) {
            case INTEGER, DATE -> Integer.BYTES;
            default -> Long.BYTES;
        };
    }

    @Override
    void loadValues(FieldVector vector, int rows) {
        data = copy(vector.getDataBuffer(), 0, rows * width, data);
    }

    @Override
    void addValues(int rows) {
        boolean summed = type == CanonicalType.INTEGER;
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        for (int row = 0; row < rows; row++) {
            if (!isNull(row)) {
                long value = value(row);
                min = Math.min(min, value);
                max = Math.max(max, value);
                if (summed) {
                    totals().add(value);
                }
            }
        }
        totals().include(min);
        totals().include(max);
    }

    @Override
    Object object(int row) {
        return width == Integer.BYTES ? (Object) (int) value(row) : (Object) value(row);
    }

    @Override
    void writeValue(int row, CanonicalRow target) {
        target.putLong(fieldId(), type, value(row));
    }

    /** The value of a row of the batch that is not NULL. */
    long value(int row) {
        return width == Integer.BYTES
                ? (int) INT.get(data, row * Integer.BYTES)
                : (long) LONG.get(data, row * Long.BYTES);
    }
}
