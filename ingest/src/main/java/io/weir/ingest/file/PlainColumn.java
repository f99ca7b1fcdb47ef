package io.weir.ingest.file;

import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.PageWriter;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A column without a dictionary: its values are put one behind the other into one array, which is
 * compressed as a page when it is full. What Parquet has for that costs several calls and copies
 * for each value. Not for booleans.
 */
final class PlainColumn implements ColumnOutput {
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int FIRST_BYTES = 1 << 10;
    private static final int LEVELS_BYTES_FIRST = 64;

    /** Room in front of the values, where definition levels fit unless many values are NULL. */
    private static final int VALUES_AT = 64;

    /** End of a page that is full: a page with its levels has about so many bytes. */
    private static final int END_MOST = VALUES_AT + RowFileWriter.PAGE_BYTES;

    private final PageWriter pages;
    private final boolean isOptional;
    private final boolean isSized;
    private final PageStatistics statistics;
    private final RunLengthBitPackingHybridEncoder levels;
    private byte[] page = new byte[FIRST_BYTES];

    /** Up to here values are put without a thought. */
    private int limit = FIRST_BYTES;

    private int end = VALUES_AT;
    private int values;

    PlainColumn(ColumnDescriptor column, PageWriter pages) {
        PrimitiveType type = column.getPrimitiveType();
        this.pages = pages;
        this.isOptional = column.getMaxDefinitionLevel() > 0;
        this.isSized = type.getPrimitiveTypeName() == PrimitiveTypeName.BINARY;
        this.statistics = new PageStatistics(type);
        this.levels = new RunLengthBitPackingHybridEncoder(
                1, LEVELS_BYTES_FIRST, RowFileWriter.PAGE_BYTES, ZstdPages.HEAP);
    }

    /** Whether values of a type can be written here. */
    static boolean takes(PrimitiveType type) {
        return type.getPrimitiveTypeName() != PrimitiveTypeName.BOOLEAN;
    }

    @Override
    public void writeNull() throws IOException {
        statistics.addNull();
        count(0);
    }

    @Override
    public void write(boolean value) {
        throw new IllegalStateException("No plain form of booleans");
    }

    @Override
    public void write(int value) throws IOException {
        makeRoom(Integer.BYTES);
        INT.set(page, end, value);
        end += Integer.BYTES;
        statistics.add(value);
        count(1);
    }

    @Override
    public void write(long value) throws IOException {
        makeRoom(Long.BYTES);
        LONG.set(page, end, value);
        end += Long.BYTES;
        statistics.add(value);
        count(1);
    }

    @Override
    public void write(float value) throws IOException {
        makeRoom(Float.BYTES);
        INT.set(page, end, Float.floatToIntBits(value));
        end += Float.BYTES;
        statistics.add(value);
        count(1);
    }

    @Override
    public void write(double value) throws IOException {
        makeRoom(Double.BYTES);
        LONG.set(page, end, Double.doubleToLongBits(value));
        end += Double.BYTES;
        statistics.add(value);
        count(1);
    }

    @Override
    public void write(byte[] bytes, int at, int length) throws IOException {
        int size = isSized ? Integer.BYTES : 0;
        makeRoom(size + length);
        if (isSized) {
            INT.set(page, end, length);
        }
        System.arraycopy(bytes, at, page, end + size, length);
        end += size + length;
        statistics.add(bytes, at, length);
        count(1);
    }

    private void makeRoom(int size) throws IOException {
        if (end + size > limit) {
            grow(size);
        }
    }

    /** Ends a page that is full; a value that is larger than that has one of its own. */
    private void grow(int size) throws IOException {
        if (end + size > END_MOST && values > 0) {
            endPage();
        }
        int needed = end + size;
        if (needed > page.length) {
            page = Arrays.copyOf(page, Math.max(needed, Math.min(2 * page.length, END_MOST)));
        }
        limit = Math.min(page.length, END_MOST);
    }

    private void count(int level) throws IOException {
        if (isOptional) {
            levels.writeInt(level);
        }
        values++;
        if (values == RowFileWriter.PAGE_ROWS) {
            endPage();
        }
    }

    /** Hands the values that are here over as a page, if there are any. */
    void endPage() throws IOException {
        if (values == 0) {
            return;
        }
        int from = isOptional ? putLevels() : VALUES_AT;
        pages.writePage(
                BytesInput.from(ByteBuffer.wrap(page, from, end - from)),
                values,
                values,
                statistics.finish(),
                Encoding.RLE,
                Encoding.RLE,
                Encoding.PLAIN);
        levels.reset();
        end = VALUES_AT;
        values = 0;
        if (page.length > 2 * END_MOST) {
            page = new byte[END_MOST];
        }
    }

    /** Puts the levels and their length right before the values, and returns where they begin. */
    private int putLevels() throws IOException {
        ByteBuffer encoded = levels.toBytes().toByteBuffer(ZstdPages.HEAP, made -> {});
        int length = encoded.remaining();
        int size = Integer.BYTES + length;
        int from = VALUES_AT - size;
        if (from < 0) {
            byte[] wider = new byte[end - from];
            System.arraycopy(page, VALUES_AT, wider, size, end - VALUES_AT);
            page = wider;
            end -= from;
            from = 0;
        }
        INT.set(page, from, length);
        encoded.get(page, from + Integer.BYTES, length);
        return from;
    }

    /** Bytes of heap. */
    long memory() {
        return page.length + levels.getAllocatedSize() + pages.allocatedSize();
    }

    void close() {
        levels.close();
    }
}
