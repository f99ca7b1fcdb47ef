package io.weir.engine;

import io.weir.core.row.CanonicalRow;
import io.weir.core.row.CanonicalType;
import io.weir.core.row.Column;

import org.apache.arrow.vector.FieldVector;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads a column of text, JSON or binary: bytes of any length. */
final class BytesScan extends ColumnScan {
    private final CanonicalType type;
    private byte[] offsets = new byte[0];
    private byte[] data = new byte[0];
    private int first;

    BytesScan(Column column, boolean totalled) {
        super(column, totalled);
        this.type = column.canonicalType();
    }

    @Override
    void loadValues(FieldVector vector, int rows) {
        int size = (rows + 1) * Integer.BYTES;
        offsets = copy(vector.getOffsetBuffer(), 0, size, offsets);
        first = offset(0);
        data = copy(vector.getDataBuffer(), first, offset(rows) - first, data);
    }

    @Override
    void addValues(int rows) {
        long bytes = 0;
        for (int row = 0; row < rows; row++) {
            if (!isNull(row)) {
                bytes += offset(row + 1) - offset(row);
            }
        }
        totals().addBytes(bytes);
    }

    @Override
    Object object(int row) {
        int from = offset(row) - first;
        int size = offset(row + 1) - offset(row);
        return type == CanonicalType.BINARY
                ? ByteBuffer.wrap(Arrays.copyOfRange(data, from, from + size))
                : new String(data, from, size, StandardCharsets.UTF_8);
    }

    @Override
    void writeValue(int row, CanonicalRow target) {
        int from = offset(row);
        target.putBytes(fieldId(), type, data, from - first, offset(row + 1) - from);
    }

    private int offset(int row) {
        return (int) INT.get(offsets, row * Integer.BYTES);
    }
}
