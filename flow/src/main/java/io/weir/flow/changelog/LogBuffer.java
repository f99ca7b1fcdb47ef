package io.weir.flow.changelog;

import io.weir.capture.ImageDigest;
import io.weir.capture.RowImage;
import io.weir.capture.StreamEvent.Change;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.RowSchema;
import io.weir.table.LogColumn;
import io.weir.table.LogTable;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Changes of one table that are not yet in its log. One batch is in memory, the others are in a
 * file; the place of a transaction is filled in when the rows are read back. Not thread-safe.
 */
final class LogBuffer implements AutoCloseable {
    private static final int BATCH_ROWS = 4096;
    private static final long BATCH_BYTES = 4L << 20;

    /** How many rows in a row belong to a commit. */
    record Stretch(long place, long rows) {}

    private final LogTable table;
    private final RowSchema rows;
    private final ImageDigest digest;
    private final Path file;
    private final VectorSchemaRoot root;
    private final Map<LogColumn, FieldVector> vectors = new EnumMap<>(LogColumn.class);
    private final BufferAllocator allocator;
    private final Deque<Stretch> stretches = new ArrayDeque<>();
    private @Nullable FileChannel channel;
    private @Nullable ArrowStreamWriter writer;
    private int batchRows;
    private long batchBytes;
    private long openRows;
    private long committedRows;

    LogBuffer(LogTable table, BufferAllocator allocator, Path file) {
        this.table = table;
        this.rows = table.rows();
        this.digest = new ImageDigest(rows);
        this.file = file;
        this.allocator = allocator;
        this.root = VectorSchemaRoot.create(LogFields.of(table.schema()), allocator);
        for (LogColumn column : LogColumn.values()) {
            vectors.put(column, root.getVector(column.text()));
        }
        root.allocateNew();
    }

    /** Rows of transactions that are committed. */
    long committedRows() {
        return committedRows;
    }

    /** Whether there is a row of the transaction that is not yet committed. */
    boolean isOpen() {
        return openRows > 0;
    }

    void add(String transaction, Change change) {
        if (batchRows == BATCH_ROWS || batchBytes >= BATCH_BYTES) {
            spill();
        }
        set(LogColumn.PLACE, 0L);
        set(LogColumn.ORDINAL, change.ordinal());
        set(LogColumn.TRANSACTION, transaction);
        set(LogColumn.COMMITTED, change.commitMicros());
        set(LogColumn.OP, change.op().text());
        image(LogColumn.BEFORE, LogColumn.BEFORE_DIGEST, LogColumn.BEFORE_MISSING, change.before());
        image(LogColumn.AFTER, LogColumn.AFTER_DIGEST, LogColumn.AFTER_MISSING, change.after());
        batchRows++;
        openRows++;
    }

    private void set(LogColumn column, Object value) {
        batchBytes += Cells.set(vector(column), batchRows, value);
    }

    private FieldVector vector(LogColumn column) {
        return Objects.requireNonNull(vectors.get(column));
    }

    private void image(
            LogColumn at, LogColumn digestAt, LogColumn missingAt, @Nullable RowImage image) {
        if (image == null) {
            return;
        }
        StructVector struct = (StructVector) vector(at);
        struct.setIndexDefined(batchRows);
        StringBuilder missing = new StringBuilder();
        for (int i = 0; i < image.size(); i++) {
            Object value = image.value(i);
            if (value != null) {
                FieldVector child = (FieldVector) struct.getChildByOrdinal(i);
                batchBytes += Cells.set(child, batchRows, value);
            } else if (image.isMissing(i)) {
                String name = rows.columns().get(i).name().replace("\"", "\"\"");
                missing.append(missing.isEmpty() ? "\"" : ",\"").append(name).append('"');
            }
        }
        UUID found = digest.of(image);
        if (found != null) {
            set(digestAt, found);
        } else {
            set(missingAt, missing.toString());
        }
    }

    /** The open transaction is committed. */
    void commit(long place) {
        if (openRows > 0) {
            stretches.add(new Stretch(place, openRows));
            committedRows += openRows;
            openRows = 0;
        }
    }

    /** Forgets the open transaction; nothing may be added until {@link #clear}. */
    void forgetOpen() {
        openRows = 0;
    }

    /** Forgets everything, the open transaction included. */
    void clear() {
        stopWriting();
        stretches.clear();
        committedRows = 0;
        openRows = 0;
        newBatch();
    }

    private void newBatch() {
        batchRows = 0;
        batchBytes = 0;
        root.clear();
        root.allocateNew();
    }

    private void spill() {
        if (batchRows == 0) {
            return;
        }
        try {
            if (writer == null) {
                Files.createDirectories(file.toAbsolutePath().getParent());
                channel = FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
                writer = new ArrowStreamWriter(root, null, channel);
                writer.start();
            }
            setCount();
            writer.writeBatch();
        } catch (IOException e) {
            throw failure("write", e);
        }
        newBatch();
    }

    private void setCount() {
        root.setRowCount(batchRows);
    }

    /**
     * The committed rows, with their places. The buffer is full until {@link #clear}.
     *
     * @throws IllegalStateException inside of a transaction
     */
    ArrowReader read() {
        if (isOpen()) {
            throw new IllegalStateException("A transaction is open in " + table.target());
        }
        spill();
        stopWriting();
        try {
            return new PlacedRows(
                    FileChannel.open(file, StandardOpenOption.READ), allocator, stretches);
        } catch (IOException e) {
            throw failure("read", e);
        }
    }

    private void stopWriting() {
        try {
            if (writer != null) {
                writer.end();
                // Closing the writer would close the vectors, which are used again.
                writer = null;
            }
            if (channel != null) {
                channel.close();
                channel = null;
            }
        } catch (IOException e) {
            throw failure("write", e);
        }
    }

    private WeirException failure(String verb, IOException e) {
        String text = String.valueOf(e.getMessage());
        boolean full = text.contains("No space left") || text.contains("quota exceeded");
        return new WeirException(
                full ? ErrorCode.DISK_FULL : ErrorCode.INTERNAL,
                "Cannot " + verb + " the buffer of change log " + table.target() + ": " + text
                        + " (file=" + file + ")",
                e);
    }

    @Override
    public void close() {
        stopWriting();
        root.close();
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw failure("delete", e);
        }
    }

    /** Rows of the file; their places come from the stretches, one after the other. */
    private static final class PlacedRows extends ArrowStreamReader {
        private final Deque<Stretch> stretches;
        private long left;
        private long place;

        PlacedRows(FileChannel in, BufferAllocator allocator, Deque<Stretch> stretches) {
            super(in, allocator);
            this.stretches = new ArrayDeque<>(stretches);
        }

        @Override
        public boolean loadNextBatch() throws IOException {
            boolean none = left == 0 && stretches.isEmpty();
            if (none || !super.loadNextBatch()) {
                return false;
            }
            VectorSchemaRoot batch = getVectorSchemaRoot();
            BigIntVector places = (BigIntVector) batch.getVector(LogColumn.PLACE.text());
            for (int row = 0; row < batch.getRowCount(); row++) {
                if (left == 0 && stretches.isEmpty()) {
                    // What follows belongs to a transaction that was forgotten.
                    batch.setRowCount(row);
                    break;
                }
                if (left == 0) {
                    Stretch next = stretches.remove();
                    left = next.rows();
                    place = next.place();
                }
                places.set(row, place);
                left--;
            }
            return true;
        }
    }
}
