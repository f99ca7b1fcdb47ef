package io.weir.engine;

import io.weir.core.row.CanonicalRow;
import io.weir.core.row.Column;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads one column batch by batch. Each batch is copied from Arrow's memory into plain arrays once,
 * which is far cheaper than a checked access per value. Not thread-safe.
 */
abstract class ColumnScan {
    static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final Column column;
    private final ColumnTotals totals = new ColumnTotals();
    private final boolean totalled;
    private final byte @Nullable [] initialDefault;
    private byte[] validity = new byte[0];
    private boolean hasNulls;

    ColumnScan(Column column, boolean totalled) {
        this.column = column;
        this.totalled = totalled;
        this.initialDefault = column.initialDefaultBytes();
    }

    /**
     * Reads a column.
     *
     * @param totalled whether somebody asks for its totals
     */
    static ColumnScan of(Column column, boolean totalled) {
        return switch (column.canonicalType()) {
            case BOOLEAN -> new BooleanScan(column, totalled);
            case INTEGER, DATE, TIME, TIMESTAMP, TIMESTAMP_TZ -> new IntegerScan(column, totalled);
            case FLOATING -> new FloatingScan(column, totalled);
            case DECIMAL -> new DecimalScan(column, totalled);
            case TEXT, PADDED_TEXT, JSON, BINARY -> new BytesScan(column, totalled);
            case UUID -> new UuidScan(column, totalled);
        };
    }

    final Column column() {
        return column;
    }

    final int fieldId() {
        return column.fieldId();
    }

    final ColumnTotals totals() {
        return totals;
    }

    /** Takes the values of a batch, and adds them to the totals if somebody asks for these. */
    final void load(FieldVector vector, int rows) {
        int nulls = vector.getNullCount();
        hasNulls = nulls > 0;
        if (hasNulls) {
            validity = copy(vector.getValidityBuffer(), 0, (rows + 7) / 8, validity);
        }
        loadValues(vector, rows);
        if (totalled) {
            totals.addNulls(nulls);
            totals.addValues(rows - (long) nulls);
            if (nulls < rows) {
                addValues(rows);
            }
        }
    }

    final boolean isNull(int row) {
        return hasNulls && (validity[row >> 3] >> (row & 7) & 1) == 0;
    }

    /** Writes the value of a row of the batch; the initial default of the column is left out. */
    final void write(int row, CanonicalRow target) {
        byte @Nullable [] initial = initialDefault;
        if (!isNull(row)) {
            writeValue(row, target);
            if (initial != null) {
                target.takeBack(initial);
            }
        } else if (initial != null) {
            target.putNull(column.fieldId());
        }
    }

    /** The value of a row of the batch in Iceberg's internal form; for partition fields only. */
    final @Nullable Object objectOrNull(int row) {
        return isNull(row) ? null : object(row);
    }

    abstract Object object(int row);

    abstract void loadValues(FieldVector vector, int rows);

    /** Adds the values that are not NULL to the totals. */
    abstract void addValues(int rows);

    abstract void writeValue(int row, CanonicalRow target);

    /** The bytes of a buffer, in the given array if it is long enough. */
    static byte[] copy(ArrowBuf source, long from, int length, byte[] target) {
        byte[] bytes = target.length >= length ? target : new byte[length + length / 2];
        source.getBytes(from, bytes, 0, length);
        return bytes;
    }
}
