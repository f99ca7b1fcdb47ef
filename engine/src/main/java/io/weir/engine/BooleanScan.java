package io.weir.engine;

import io.weir.core.row.CanonicalRow;
import io.weir.core.row.Column;

import org.apache.arrow.vector.FieldVector;

/** Reads a column of booleans, one bit each. */
final class BooleanScan extends ColumnScan {
    private byte[] bits = new byte[0];

    BooleanScan(Column column, boolean totalled) {
        super(column, totalled);
    }

    @Override
    void loadValues(FieldVector vector, int rows) {
        bits = copy(vector.getDataBuffer(), 0, (rows + 7) / 8, bits);
    }

    @Override
    void addValues(int rows) {
        long count = 0;
        for (int row = 0; row < rows; row++) {
            if (!isNull(row) && value(row)) {
                count++;
            }
        }
        totals().add(count);
    }

    @Override
    Object object(int row) {
        return value(row);
    }

    @Override
    void writeValue(int row, CanonicalRow target) {
        target.putBoolean(fieldId(), value(row));
    }

    private boolean value(int row) {
        return (bits[row >> 3] >> (row & 7) & 1) != 0;
    }
}
