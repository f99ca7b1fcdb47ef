package io.weir.engine;

import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeStampMicroTZVector;
import org.apache.arrow.vector.TimeStampMicroVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Rows of a test as Arrow batches, in the form in which a source sends them. Dates are days, times
 * and timestamps microseconds.
 */
final class RowBatches extends ArrowReader {
    private final RowSchema schema;
    private final List<List<@Nullable Object>> rows;
    private final int batchRows;
    private int next;

    RowBatches(
            BufferAllocator allocator,
            RowSchema schema,
            List<List<@Nullable Object>> rows,
            int batchRows) {
        super(allocator);
        this.schema = schema;
        this.rows = rows;
        this.batchRows = batchRows;
    }

    @Override
    public boolean loadNextBatch() throws IOException {
        prepareLoadNextBatch();
        if (next >= rows.size()) {
            return false;
        }
        int end = Math.min(rows.size(), next + batchRows);
        VectorSchemaRoot root = getVectorSchemaRoot();
        root.allocateNew();
        for (int column = 0; column < schema.columns().size(); column++) {
            for (int row = next; row < end; row++) {
                set(root.getVector(column), row - next, rows.get(row).get(column));
            }
        }
        root.setRowCount(end - next);
        next = end;
        return true;
    }

    @Override
    public long bytesRead() {
        return 0;
    }

    @Override
    protected void closeReadSource() {}

    @Override
    protected Schema readSchema() {
        return new Schema(schema.columns().stream().map(RowBatches::field).toList());
    }

    private static Field field(Column column) {
        boolean uuid = column.type().equals(Types.UUIDType.get());
        return new Field(
                column.name(),
                new FieldType(
                        true,
                        arrow(column),
                        null,
                        uuid ? Map.of("ARROW:extension:name", "arrow.uuid") : Map.of()),
                null);
    }

    private static ArrowType arrow(Column column) {
        return switch (column.type().typeId()) {
            case BOOLEAN -> ArrowType.Bool.INSTANCE;
            case INTEGER -> new ArrowType.Int(32, true);
            case LONG -> new ArrowType.Int(64, true);
            case FLOAT -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
            case DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
            case DECIMAL -> {
                Types.DecimalType decimal = (Types.DecimalType) column.type();
                yield new ArrowType.Decimal(decimal.precision(), decimal.scale(), 128);
            }
            case DATE -> new ArrowType.Date(DateUnit.DAY);
            case TIME -> new ArrowType.Time(TimeUnit.MICROSECOND, 64);
            case TIMESTAMP ->
                new ArrowType.Timestamp(
                        TimeUnit.MICROSECOND,
                        ((Types.TimestampType) column.type()).shouldAdjustToUTC() ? "UTC" : null);
            case STRING -> ArrowType.Utf8.INSTANCE;
            case BINARY -> ArrowType.Binary.INSTANCE;
            case UUID -> new ArrowType.FixedSizeBinary(16);
            default -> throw new IllegalArgumentException(column.toString());
        };
    }

    private static void set(FieldVector vector, int row, @Nullable Object value) {
        if (value == null) {
            vector.setNull(row);
        } else if (vector instanceof BitVector bits) {
            bits.setSafe(row, value.equals(true) ? 1 : 0);
        } else if (vector instanceof IntVector ints) {
            ints.setSafe(row, (Integer) value);
        } else if (vector instanceof BigIntVector longs) {
            longs.setSafe(row, (Long) value);
        } else if (vector instanceof Float4Vector floats) {
            floats.setSafe(row, (Float) value);
        } else if (vector instanceof Float8Vector doubles) {
            doubles.setSafe(row, (Double) value);
        } else if (vector instanceof DecimalVector decimals) {
            decimals.setSafe(row, (BigDecimal) value);
        } else if (vector instanceof DateDayVector days) {
            days.setSafe(row, (Integer) value);
        } else if (vector instanceof TimeMicroVector times) {
            times.setSafe(row, (Long) value);
        } else if (vector instanceof TimeStampMicroVector timestamps) {
            timestamps.setSafe(row, (Long) value);
        } else if (vector instanceof TimeStampMicroTZVector timestamps) {
            timestamps.setSafe(row, (Long) value);
        } else if (vector instanceof VarCharVector texts) {
            texts.setSafe(row, ((String) value).getBytes(StandardCharsets.UTF_8));
        } else if (vector instanceof VarBinaryVector binaries) {
            binaries.setSafe(row, (byte[]) value);
        } else if (vector instanceof FixedSizeBinaryVector uuids) {
            UUID uuid = (UUID) value;
            uuids.setSafe(
                    row,
                    ByteBuffer.allocate(16)
                            .putLong(uuid.getMostSignificantBits())
                            .putLong(uuid.getLeastSignificantBits())
                            .array());
        } else {
            throw new IllegalArgumentException(vector.toString());
        }
    }
}
