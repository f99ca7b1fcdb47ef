package io.weir.bench;

import io.weir.capture.RowImage;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TimeStampMicroVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Rows of {@link MergeRows} from a number up to another, each with its digest, for the engine. */
final class MergeBatches extends ArrowReader {
    private static final int BATCH_ROWS = 8_192;
    private static final int UUID_BYTES = 16;

    private final MergeRows rows;
    private final String rowHash;
    private final long to;
    private long next;

    MergeBatches(BufferAllocator allocator, MergeRows rows, String rowHash, long from, long to) {
        super(allocator);
        this.rows = rows;
        this.rowHash = rowHash;
        this.next = from;
        this.to = to;
    }

    @Override
    public boolean loadNextBatch() throws IOException {
        prepareLoadNextBatch();
        VectorSchemaRoot root = getVectorSchemaRoot();
        root.allocateNew();
        int count = (int) Math.min(BATCH_ROWS, to - next);
        for (int row = 0; row < count; row++) {
            RowImage image = MergeRows.row(next++, 0);
            for (int column = 0; column < image.size(); column++) {
                set(root.getVector(column), row, image.value(column));
            }
            set(root.getVector(image.size()), row, rows.digest(image));
        }
        root.setRowCount(count);
        return count > 0;
    }

    private static void set(FieldVector vector, int row, Object value) {
        if (vector instanceof BigIntVector longs) {
            longs.setSafe(row, (Long) value);
        } else if (vector instanceof VarCharVector texts) {
            texts.setSafe(row, ((String) value).getBytes(StandardCharsets.UTF_8));
        } else if (vector instanceof DecimalVector decimals) {
            decimals.setSafe(row, (BigDecimal) value);
        } else if (vector instanceof TimeStampMicroVector timestamps) {
            timestamps.setSafe(row, (Long) value);
        } else if (vector instanceof IntVector ints) {
            ints.setSafe(row, (Integer) value);
        } else if (vector instanceof DateDayVector days) {
            days.setSafe(row, (Integer) value);
        } else {
            UUID uuid = (UUID) value;
            ((FixedSizeBinaryVector) vector)
                    .setSafe(
                            row,
                            ByteBuffer.allocate(UUID_BYTES)
                                    .putLong(uuid.getMostSignificantBits())
                                    .putLong(uuid.getLeastSignificantBits())
                                    .array());
        }
    }

    @Override
    public long bytesRead() {
        return 0;
    }

    @Override
    protected void closeReadSource() {}

    @Override
    protected Schema readSchema() {
        return new Schema(List.of(
                Field.nullable("id", new ArrowType.Int(Long.SIZE, true)),
                Field.nullable("customer_code", ArrowType.Utf8.INSTANCE),
                Field.nullable("order_ref", ArrowType.Utf8.INSTANCE),
                Field.nullable("status_text", ArrowType.Utf8.INSTANCE),
                Field.nullable("amount", new ArrowType.Decimal(18, 2, 128)),
                Field.nullable("created_at", new ArrowType.Timestamp(TimeUnit.MICROSECOND, null)),
                Field.nullable("quantity", new ArrowType.Int(Integer.SIZE, true)),
                Field.nullable("order_date", new ArrowType.Date(DateUnit.DAY)),
                new Field(
                        rowHash,
                        new FieldType(
                                true,
                                new ArrowType.FixedSizeBinary(UUID_BYTES),
                                null,
                                Map.of(
                                        "ARROW:extension:name",
                                        "arrow.uuid",
                                        "ARROW:extension:metadata",
                                        "")),
                        null)));
    }
}
