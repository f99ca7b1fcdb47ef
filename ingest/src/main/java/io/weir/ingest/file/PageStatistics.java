package io.weir.ingest.file;

import org.apache.parquet.column.statistics.BinaryStatistics;
import org.apache.parquet.column.statistics.DoubleStatistics;
import org.apache.parquet.column.statistics.FloatStatistics;
import org.apache.parquet.column.statistics.IntStatistics;
import org.apache.parquet.column.statistics.LongStatistics;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Smallest and largest value of a page and the number of NULLs, as Parquet finds them. Most values
 * are between those seen so far, and that costs little here.
 */
final class PageStatistics {
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final PrimitiveType type;
    private final boolean isUnsigned;
    private Statistics<?> statistics;
    private long nulls;
    private long least = Long.MAX_VALUE;
    private long most = Long.MIN_VALUE;

    /** The first eight bytes of the smallest and the largest bytes, with zeros behind them. */
    private long leastHead;

    private long mostHead;

    PageStatistics(PrimitiveType type) {
        this.type = type;
        this.isUnsigned =
                !(type.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation);
        this.statistics = Statistics.createStats(type);
    }

    void addNull() {
        nulls++;
    }

    void add(long value) {
        least = Math.min(least, value);
        most = Math.max(most, value);
    }

    void add(float value) {
        ((FloatStatistics) statistics).updateStats(value);
    }

    void add(double value) {
        ((DoubleStatistics) statistics).updateStats(value);
    }

    void add(byte[] bytes, int at, int length) {
        if (isUnsigned && length >= Long.BYTES && statistics.hasNonNullValue()) {
            long head = (long) LONG.get(bytes, at);
            if (Long.compareUnsigned(head, leastHead) > 0
                    && Long.compareUnsigned(head, mostHead) < 0) {
                return;
            }
        }
        BinaryStatistics all = (BinaryStatistics) statistics;
        all.updateStats(Binary.fromReusedByteArray(bytes, at, length));
        leastHead = head(all.genericGetMin());
        mostHead = head(all.genericGetMax());
    }

    private static long head(Binary value) {
        return ByteBuffer.wrap(Arrays.copyOf(value.getBytesUnsafe(), Long.BYTES))
                .getLong();
    }

    /** What was found since the last time; begins anew. */
    Statistics<?> finish() {
        Statistics<?> found = statistics;
        found.incrementNumNulls(nulls);
        if (least <= most) {
            if (found instanceof IntStatistics ints) {
                ints.setMinMax((int) least, (int) most);
            } else {
                ((LongStatistics) found).setMinMax(least, most);
            }
        }
        statistics = Statistics.createStats(type);
        nulls = 0;
        least = Long.MAX_VALUE;
        most = Long.MIN_VALUE;
        return found;
    }
}
