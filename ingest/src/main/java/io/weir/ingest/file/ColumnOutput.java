package io.weir.ingest.file;

import java.io.IOException;

/** Takes the values of one column of a row group in Parquet's forms, row after row. */
interface ColumnOutput {
    void writeNull() throws IOException;

    void write(boolean value) throws IOException;

    void write(int value) throws IOException;

    void write(long value) throws IOException;

    void write(float value) throws IOException;

    void write(double value) throws IOException;

    /** Writes bytes, which the caller may change afterwards. */
    void write(byte[] bytes, int at, int length) throws IOException;
}
