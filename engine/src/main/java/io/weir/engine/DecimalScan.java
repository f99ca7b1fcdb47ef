package io.weir.engine;

import io.weir.core.row.CanonicalRow;
import io.weir.core.row.Column;

import org.apache.arrow.vector.FieldVector;
import org.apache.iceberg.types.Types;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;

/** Reads a column of decimals: the unscaled number in 128 bits. */
final class DecimalScan extends ColumnScan {
    private static final int WIDTH = 2 * Long.BYTES;

    private final int scale;
    private byte[] data = new byte[0];

    DecimalScan(Column column, boolean totalled) {
        super(column, totalled);
        this.scale = ((Types.DecimalType) column.type()).scale();
    }

    @Override
    void loadValues(FieldVector vector, int rows) {
        data = copy(vector.getDataBuffer(), 0, rows * WIDTH, data);
    }

    @Override
    void addValues(int rows) {
        for (int row = 0; row < rows; row++) {
            if (!isNull(row)) {
                long high = high(row);
                long low = low(row);
                totals().add(high, low);
                totals().include(high, low);
            }
        }
    }

    @Override
    Object object(int row) {
        byte[] bytes =
                ByteBuffer.allocate(WIDTH).putLong(high(row)).putLong(low(row)).array();
        return new BigDecimal(new BigInteger(bytes), scale);
    }

    @Override
    void writeValue(int row, CanonicalRow target) {
        long high = high(row);
        long low = low(row);
        if (high == low >> 63) {
            target.putDecimal(fieldId(), low, scale);
        } else {
            byte[] bytes = ByteBuffer.allocate(WIDTH).putLong(high).putLong(low).array();
            target.putDecimal(fieldId(), new BigInteger(bytes), scale);
        }
    }

    private long high(int row) {
        return (long) LONG.get(data, row * WIDTH + Long.BYTES);
    }

    private long low(int row) {
        return (long) LONG.get(data, row * WIDTH);
    }
}
