package io.weir.ingest.file;

import io.weir.core.row.Column;

import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Writes canonical values of one column as Parquet stores them. */
final class ColumnSink {
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** How a value is stored. */
    private enum Form {
        BOOLEAN,
        INT,
        LONG,
        FLOAT,
        DOUBLE,
        BYTES,
        INT_DECIMAL,
        LONG_DECIMAL,
        WIDE_DECIMAL
    }

    private final int fieldId;
    private final Form form;
    private final int scale;
    private final byte[] fixed;
    private final ColumnOutput output;

    ColumnSink(Column column, ColumnOutput output) {
        this.fieldId = column.fieldId();
        this.form = form(column.type());
        this.output = output;
        boolean decimal = column.type() instanceof Types.DecimalType;
        this.scale = decimal ? ((Types.DecimalType) column.type()).scale() : 0;
        this.fixed = new byte
                [decimal
                        ? ParquetSchema.decimalBytes(
                                ((Types.DecimalType) column.type()).precision())
                        : 0];
    }

    private static Form form(Type type) {
        return switch (type.typeId()) {
            case BOOLEAN -> Form.BOOLEAN;
            case INTEGER, DATE -> Form.INT;
            case LONG, TIME, TIMESTAMP -> Form.LONG;
            case FLOAT -> Form.FLOAT;
            case DOUBLE -> Form.DOUBLE;
            case DECIMAL -> {
                int precision = ((Types.DecimalType) type).precision();
                yield precision <= ParquetSchema.DIGITS_OF_INT
                        ? Form.INT_DECIMAL
                        : precision <= ParquetSchema.DIGITS_OF_LONG
                                ? Form.LONG_DECIMAL
                                : Form.WIDE_DECIMAL;
            }
            default -> Form.BYTES;
        };
    }

    int fieldId() {
        return fieldId;
    }

    void writeNull() throws IOException {
        output.writeNull();
    }

    /** Writes the value whose canonical bytes are at a place of an array. */
    void write(byte[] bytes, int at, int length) throws IOException {
        switch (form) {
            case BYTES -> output.write(bytes, at, length);
            case INT -> output.write((int) (long) LONG.get(bytes, at));
            case LONG -> output.write((long) LONG.get(bytes, at));
            case BOOLEAN -> output.write(bytes[at] != 0);
            case FLOAT -> output.write((float) Double.longBitsToDouble((long) LONG.get(bytes, at)));
            case DOUBLE -> output.write(Double.longBitsToDouble((long) LONG.get(bytes, at)));
            case INT_DECIMAL -> output.write((int) narrow(bytes, at, length));
            case LONG_DECIMAL -> output.write(narrow(bytes, at, length));
            case WIDE_DECIMAL -> {
                BigInteger digits =
                        new BigInteger(bytes, at + Integer.BYTES, length - Integer.BYTES);
                fill(digits.multiply(BigInteger.TEN.pow(scale - (int) INT.get(bytes, at))));
                output.write(fixed, 0, fixed.length);
            }
        }
    }

    /** Canonical decimals have no zeros at their end; stored ones have the column's scale. */
    private long narrow(byte[] bytes, int at, int length) {
        long digits = bytes[at + Integer.BYTES];
        for (int i = Integer.BYTES + 1; i < length; i++) {
            digits = (digits << Byte.SIZE) | (bytes[at + i] & 0xff);
        }
        for (int exponent = (int) INT.get(bytes, at); exponent < scale; exponent++) {
            digits *= 10;
        }
        return digits;
    }

    private void fill(BigInteger unscaled) {
        byte[] shortest = unscaled.toByteArray();
        int free = fixed.length - shortest.length;
        Arrays.fill(fixed, 0, free, (byte) (unscaled.signum() < 0 ? -1 : 0));
        System.arraycopy(shortest, 0, fixed, free, shortest.length);
    }
}
