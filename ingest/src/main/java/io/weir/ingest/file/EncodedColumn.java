package io.weir.ingest.file;

import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;

/** A column whose values Parquet encodes. */
final class EncodedColumn implements ColumnOutput {
    private final ColumnWriter writer;
    private final int level;

    EncodedColumn(ColumnWriter writer, boolean isRequired) {
        this.writer = writer;
        this.level = isRequired ? 0 : 1;
    }

    @Override
    public void writeNull() {
        writer.writeNull(0, 0);
    }

    @Override
    public void write(boolean value) {
        writer.write(value, 0, level);
    }

    @Override
    public void write(int value) {
        writer.write(value, 0, level);
    }

    @Override
    public void write(long value) {
        writer.write(value, 0, level);
    }

    @Override
    public void write(float value) {
        writer.write(value, 0, level);
    }

    @Override
    public void write(double value) {
        writer.write(value, 0, level);
    }

    @Override
    public void write(byte[] bytes, int at, int length) {
        writer.write(Binary.fromReusedByteArray(bytes, at, length), 0, level);
    }
}
