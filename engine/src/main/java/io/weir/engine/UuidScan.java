package io.weir.engine;

import io.weir.core.row.CanonicalRow;
import io.weir.core.row.Column;

import org.apache.arrow.vector.FieldVector;

import java.util.UUID;

/** Reads a column of UUIDs that the scan has turned into sixteen bytes each. */
final class UuidScan extends ColumnScan {
    private byte[] offsets = new byte[0];
    private byte[] data = new byte[0];
    private int first;

    UuidScan(Column column, boolean totalled) {
        super(column, totalled);
    }

    @Override
    void loadValues(FieldVector vector, int rows) {
        int size = (rows + 1) * Integer.BYTES;
        offsets = copy(vector.getOffsetBuffer(), 0, size, offsets);
        first = offset(0);
        data = copy(vector.getDataBuffer(), first, offset(rows) - first, data);
    }

    @Override
    void addValues(int rows) {}

    @Override
    Object object(int row) {
        int from = offset(row) - first;
        return new UUID(bigEndian(from), bigEndian(from + Long.BYTES));
    }

    @Override
    void writeValue(int row, CanonicalRow target) {
        int from = offset(row) - first;
        target.putUuid(fieldId(), bigEndian(from), bigEndian(from + Long.BYTES));
    }

    private long bigEndian(int at) {
        return Long.reverseBytes((long) LONG.get(data, at));
    }

    private int offset(int row) {
        return (int) INT.get(offsets, row * Integer.BYTES);
    }
}
