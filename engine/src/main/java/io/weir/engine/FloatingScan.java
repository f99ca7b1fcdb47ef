package io.weir.engine;

import io.weir.core.row.CanonicalRow;
import io.weir.core.row.Column;

import org.apache.arrow.vector.FieldVector;
import org.apache.iceberg.types.Type;

/** Reads a column of floating numbers of single or double precision. */
final class FloatingScan extends ColumnScan {
    private final boolean single;
    private byte[] data = new byte[0];

    FloatingScan(Column column, boolean totalled) {
        super(column, totalled);
        this.single = column.type().typeId() == Type.TypeID.FLOAT;
    }

    @Override
    void loadValues(FieldVector vector, int rows) {
        data = copy(vector.getDataBuffer(), 0, rows * (single ? 4 : 8), data);
    }

    @Override
    void addValues(int rows) {
        for (int row = 0; row < rows; row++) {
            if (!isNull(row)) {
                totals().include(value(row));
            }
        }
    }

    @Override
    Object object(int row) {
        return single ? (Object) (float) value(row) : (Object) value(row);
    }

    @Override
    void writeValue(int row, CanonicalRow target) {
        target.putFloating(fieldId(), value(row));
    }

    private double value(int row) {
        return single
                ? Float.intBitsToFloat((int) INT.get(data, row * Float.BYTES))
                : Double.longBitsToDouble((long) LONG.get(data, row * Double.BYTES));
    }
}
