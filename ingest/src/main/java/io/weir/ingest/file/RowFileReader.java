package io.weir.ingest.file;

import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;
import io.weir.ingest.row.RecordException;
import io.weir.ingest.row.RoutedRows;
import io.weir.ingest.row.Row;

import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.SeekableInputStream;
import org.apache.iceberg.types.Types;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads small files of {@link RowFileWriter} back, value by value: what is put together anew is
 * digested from what stands in the files.
 */
public final class RowFileReader {
    private static final int TAIL_BYTES = 8;

    private final FileIO io;
    private final RowSchema schema;
    private final MessageType message;

    public RowFileReader(FileIO io, RowSchema schema) {
        this.io = io;
        this.schema = schema;
        this.message = ParquetSchema.of(schema);
    }

    /** Adds all rows of a file. */
    public void read(String path, RoutedRows to) throws IOException {
        byte[] file = bytes(path);
        int tail = file.length - TAIL_BYTES;
        int footer = ByteBuffer.wrap(file, tail, Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .getInt();
        FileMetaData metadata =
                Util.readFileMetaData(new ByteArrayInputStream(file, tail - footer, footer));
        for (RowGroup group : metadata.getRow_groups()) {
            read(new FilePages(file, group, message), group.getNum_rows(), metadata, to);
        }
    }

    private byte[] bytes(String path) throws IOException {
        try (SeekableInputStream stream = io.newInputFile(path).newStream()) {
            return stream.readAllBytes();
        }
    }

    private void read(FilePages pages, long rows, FileMetaData metadata, RoutedRows to)
            throws IOException {
        ColumnReadStoreImpl store = new ColumnReadStoreImpl(
                pages, new NoConverter(), message, metadata.getCreated_by());
        ColumnReader[] readers = message.getColumns().stream()
                .map(store::getColumnReader)
                .toArray(ColumnReader[]::new);
        Row row = new Row(schema, false);
        try {
            for (long i = 0; i < rows; i++) {
                row.reset();
                for (int slot = 0; slot < readers.length; slot++) {
                    read(readers[slot], slot, row);
                }
                to.add(row);
            }
        } catch (RecordException e) {
            throw new IOException("A row that was written cannot be read: " + e.reason(), e);
        }
    }

    private void read(ColumnReader reader, int slot, Row row) {
        Column column = schema.columns().get(slot);
        if (reader.getCurrentDefinitionLevel() < (column.required() ? 0 : 1)) {
            row.setNull(slot);
        } else {
            value(reader, column, slot, row);
        }
        reader.consume();
    }

    private static void value(ColumnReader reader, Column column, int slot, Row row) {
        switch (column.type().typeId()) {
            case BOOLEAN -> row.setLong(slot, reader.getBoolean() ? 1 : 0);
            case INTEGER, DATE -> row.setLong(slot, reader.getInteger());
            case LONG, TIME, TIMESTAMP -> row.setLong(slot, reader.getLong());
            case FLOAT -> row.setDouble(slot, reader.getFloat());
            case DOUBLE -> row.setDouble(slot, reader.getDouble());
            case DECIMAL -> decimal(reader, (Types.DecimalType) column.type(), slot, row);
            case UUID -> {
                ByteBuffer halves = reader.getBinary().toByteBuffer();
                row.setUuid(slot, halves.getLong(), halves.getLong());
            }
            default -> {
                Binary binary = reader.getBinary();
                byte[] bytes = binary.getBytes();
                row.setBytes(slot, bytes, 0, bytes.length);
            }
        }
    }

    private static void decimal(ColumnReader reader, Types.DecimalType type, int slot, Row row) {
        if (type.precision() <= ParquetSchema.DIGITS_OF_INT) {
            row.setDecimal(slot, reader.getInteger(), type.scale());
        } else if (type.precision() <= ParquetSchema.DIGITS_OF_LONG) {
            row.setDecimal(slot, reader.getLong(), type.scale());
        } else {
            row.setDecimal(
                    slot,
                    new BigDecimal(new BigInteger(reader.getBinary().getBytes()), type.scale()));
        }
    }
}
