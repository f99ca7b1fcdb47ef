package io.weir.ingest.file;

import io.weir.core.route.Route;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;
import io.weir.ingest.row.RowChunk;
import io.weir.table.StagedFile;

import org.apache.iceberg.io.FileIO;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Writes rows as one Parquet file that is durable once {@link #finish} returned: zstd, field ids,
 * checksums of pages. A file that was not finished is deleted. Not thread-safe.
 */
public final class RowFileWriter implements AutoCloseable {
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    static final int HEADER_BYTES = 9;
    static final int LENGTH_AT = 5;
    static final int PAGE_BYTES = 1 << 20;
    static final int PAGE_ROWS = 1 << 20;
    private static final int DICTIONARY_BYTES = 128 << 10;
    private static final int INDEX_BYTES = 64;
    private static final long BLOCK_BYTES = 128L << 20;
    private static final ParquetProperties PROPERTIES = ParquetProperties.builder()
            .withPageSize(PAGE_BYTES)
            .withPageRowCountLimit(PAGE_ROWS)
            .withDictionaryPageSize(DICTIONARY_BYTES)
            .withPageWriteChecksumEnabled(true)
            .withSizeStatisticsEnabled(false)
            .build();

    private final FileIO io;
    private final String path;
    private final RowSchema schema;
    private final Route route;
    private final MessageType message;
    private final ZstdPages zstd = new ZstdPages();
    private final Output output;
    private final ParquetFileWriter writer;
    private @Nullable Group group;
    private long rows;
    private boolean finished;

    /**
     * Begins a new file.
     *
     * @param path full location
     */
    public RowFileWriter(FileIO io, String path, RowSchema schema, Route route) throws IOException {
        this.io = io;
        this.path = path;
        this.schema = schema;
        this.route = route;
        this.message = ParquetSchema.of(schema);
        this.output = new Output(io, path);
        this.writer = new ParquetFileWriter(
                output, message, ParquetFileWriter.Mode.CREATE, BLOCK_BYTES, 0, null, PROPERTIES);
        writer.start();
    }

    /**
     * Adds rows to the open row group. Where a dictionary pays is decided by the first rows of it.
     */
    public void add(RowChunk chunk) throws IOException {
        if (chunk.rows() == 0) {
            return;
        }
        Group open = group;
        if (open == null) {
            open = new Group(chunk);
            group = open;
        }
        open.write(chunk);
    }

    /** Ends the open row group, if there is one. */
    public void endGroup() throws IOException {
        Group open = group;
        if (open == null) {
            return;
        }
        group = null;
        try (open) {
            writer.startBlock(open.rows);
            open.flush();
            open.pages.flushToFileWriter(writer);
            writer.endBlock();
        }
        rows += open.rows;
    }

    /** Bytes of heap that the open row group takes, about. */
    public long memory() {
        Group open = group;
        return open == null ? 0 : open.memory();
    }

    /** A row group that is being made. Only columns that are worth it have a dictionary. */
    private final class Group implements AutoCloseable {
        private final ColumnChunkPageWriteStore pages;
        private final ColumnWriteStore encoded;
        private final List<PlainColumn> plain = new ArrayList<>();
        private final ColumnSink[] sinks;
        private long rows;

        Group(RowChunk first) {
            this.pages = new ColumnChunkPageWriteStore(zstd, message, ZstdPages.HEAP, INDEX_BYTES);
            boolean[] isPlain = plain(first);
            List<Type> others = new ArrayList<>();
            for (int i = 0; i < isPlain.length; i++) {
                if (!isPlain[i]) {
                    others.add(message.getFields().get(i));
                }
            }
            this.encoded = PROPERTIES.newColumnWriteStore(
                    new MessageType(message.getName(), others), pages, pages);
            this.sinks = new ColumnSink[isPlain.length];
            for (int i = 0; i < isPlain.length; i++) {
                Column column = schema.columns().get(i);
                sinks[i] = new ColumnSink(column, output(i, isPlain[i]));
            }
            Arrays.sort(sinks, Comparator.comparingInt(ColumnSink::fieldId));
        }

        private ColumnOutput output(int i, boolean isPlain) {
            ColumnDescriptor column = message.getColumns().get(i);
            if (isPlain) {
                PlainColumn output = new PlainColumn(column, pages.getPageWriter(column));
                plain.add(output);
                return output;
            }
            boolean isRequired = column.getMaxDefinitionLevel() == 0;
            return new EncodedColumn(encoded.getColumnWriter(column), isRequired);
        }

        void write(RowChunk chunk) throws IOException {
            byte[] bytes = chunk.bytes();
            int end = chunk.length();
            int at = 0;
            while (at < end) {
                int rowEnd = at + Integer.BYTES + (int) INT.get(bytes, at);
                writeRow(sinks, bytes, at + Integer.BYTES, rowEnd);
                encoded.endRecord();
                at = rowEnd;
            }
            rows += chunk.rows();
        }

        void flush() throws IOException {
            encoded.flush();
            for (PlainColumn column : plain) {
                column.endPage();
            }
        }

        long memory() {
            return encoded.getAllocatedSize()
                    + plain.stream().mapToLong(PlainColumn::memory).sum();
        }

        @Override
        public void close() {
            encoded.close();
            plain.forEach(PlainColumn::close);
            pages.close();
        }
    }

    /** Which columns of the table have no dictionary in a row group. */
    private boolean[] plain(RowChunk first) {
        int[] fieldIds =
                schema.columns().stream().mapToInt(Column::fieldId).sorted().toArray();
        RepeatedValues repeated = new RepeatedValues(first, fieldIds);
        boolean[] plain = new boolean[fieldIds.length];
        for (int i = 0; i < plain.length; i++) {
            plain[i] = !repeated.in(schema.columns().get(i).fieldId())
                    && PlainColumn.takes(message.getColumns().get(i).getPrimitiveType());
        }
        return plain;
    }

    private static void writeRow(ColumnSink[] sinks, byte[] bytes, int from, int end)
            throws IOException {
        int at = from;
        for (ColumnSink sink : sinks) {
            if (at == end || (int) INT.get(bytes, at) != sink.fieldId()) {
                sink.writeNull();
                continue;
            }
            int length = (int) INT.get(bytes, at + LENGTH_AT);
            sink.write(bytes, at + HEADER_BYTES, length);
            at += HEADER_BYTES + length;
        }
    }

    /** Ends the file, forces it to disk and tells what is in it. */
    public StagedFile finish() throws IOException {
        endGroup();
        writer.end(Map.of());
        finished = true;
        zstd.close();
        return FileFigures.of(writer.getFooter(), schema, path, rows, output.length(), route);
    }

    /** Whether the file is whole, so that {@link #close} leaves it. */
    boolean isFinished() {
        return finished;
    }

    @Override
    public void close() throws IOException {
        if (finished) {
            return;
        }
        finished = true;
        if (group != null) {
            group.close();
        }
        zstd.close();
        output.abandon();
        io.deleteFile(path);
    }

    /** Parquet's view of a file of Iceberg. */
    private static final class Output implements OutputFile {
        private final org.apache.iceberg.io.PositionOutputStream stream;
        private long length;

        Output(FileIO io, String path) {
            this.stream = io.newOutputFile(path).create();
        }

        long length() {
            return length;
        }

        void abandon() throws IOException {
            stream.close();
        }

        @Override
        public PositionOutputStream create(long blockSizeHint) {
            return new PositionOutputStream() {
                @Override
                public long getPos() throws IOException {
                    return stream.getPos();
                }

                @Override
                public void write(int value) throws IOException {
                    stream.write(value);
                }

                @Override
                public void write(byte[] source, int offset, int count) throws IOException {
                    stream.write(source, offset, count);
                }

                @Override
                public void close() throws IOException {
                    length = stream.getPos();
                    stream.close();
                }
            };
        }

        @Override
        public PositionOutputStream createOrOverwrite(long blockSizeHint) {
            return create(blockSizeHint);
        }

        @Override
        public boolean supportsBlockSize() {
            return false;
        }

        @Override
        public long defaultBlockSize() {
            return 0;
        }
    }
}
