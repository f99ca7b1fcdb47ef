package io.weir.ingest.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.parquet.column.statistics.BinaryStatistics;
import org.apache.parquet.column.statistics.IntStatistics;
import org.apache.parquet.column.statistics.LongStatistics;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;
import org.junit.jupiter.api.Test;

import java.util.Random;

/** Most values are passed over; what is found must be what Parquet finds, which looks at all. */
class PageStatisticsTest {
    private static final long SEED = 16;
    private static final int ROUNDS = 3_000;
    private static final int VALUES_MAX = 30;
    private static final int BYTES_MAX = 12;
    private static final int DECIMAL_BYTES = 16;

    private static PrimitiveType text() {
        return Types.primitive(PrimitiveTypeName.BINARY, Repetition.OPTIONAL)
                .as(LogicalTypeAnnotation.stringType())
                .named("text");
    }

    private static PrimitiveType decimal() {
        return Types.primitive(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, Repetition.OPTIONAL)
                .length(DECIMAL_BYTES)
                .as(LogicalTypeAnnotation.decimalType(2, 38))
                .named("decimal");
    }

    /** Few different bytes, so that values often begin alike, and some of them are negative. */
    private static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        byte[] alphabet = {0, 1, 'a', (byte) 0x80, (byte) 0xff};
        for (int i = 0; i < length; i++) {
            bytes[i] = alphabet[random.nextInt(i < BYTES_MAX / 2 ? 2 : alphabet.length)];
        }
        if (length > 0 && random.nextInt(4) == 0) {
            bytes[0] = (byte) random.nextInt();
        }
        return bytes;
    }

    private static void compare(PrimitiveType type, Random random, boolean isFixed) {
        PageStatistics found = new PageStatistics(type);
        for (int page = 0; page < 2; page++) {
            BinaryStatistics expected = (BinaryStatistics) Statistics.createStats(type);
            int count = random.nextInt(VALUES_MAX);
            for (int i = 0; i < count; i++) {
                if (random.nextInt(5) == 0) {
                    expected.incrementNumNulls();
                    found.addNull();
                    continue;
                }
                byte[] value = bytes(random, isFixed ? DECIMAL_BYTES : random.nextInt(BYTES_MAX));
                expected.updateStats(Binary.fromConstantByteArray(value));
                byte[] place = new byte[value.length + 2];
                System.arraycopy(value, 0, place, 1, value.length);
                found.add(place, 1, value.length);
            }
            assertThat(found.finish()).isEqualTo(expected);
        }
    }

    @Test
    void textsAreComparedAsParquetDoes() {
        Random random = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            compare(text(), random, false);
        }
    }

    @Test
    void decimalsAreComparedWithTheirSign() {
        Random random = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            compare(decimal(), random, true);
        }
    }

    @Test
    void numbersOfAPageDoNotComeAgainInTheNext() {
        PrimitiveType narrow =
                Types.primitive(PrimitiveTypeName.INT32, Repetition.OPTIONAL).named("int");
        PageStatistics ints = new PageStatistics(narrow);
        ints.add(Integer.MIN_VALUE);
        ints.add(5);
        ints.addNull();
        IntStatistics first = (IntStatistics) ints.finish();
        assertThat(first.getMin()).isEqualTo(Integer.MIN_VALUE);
        assertThat(first.getMax()).isEqualTo(5);
        assertThat(first.getNumNulls()).isEqualTo(1);
        ints.add(7);
        IntStatistics second = (IntStatistics) ints.finish();
        assertThat(second.getMin()).isEqualTo(7);
        assertThat(second.getMax()).isEqualTo(7);
        assertThat(second.getNumNulls()).isZero();
        ints.addNull();
        Statistics<?> third = ints.finish();
        assertThat(third.hasNonNullValue()).isFalse();
        assertThat(third.getNumNulls()).isEqualTo(1);
    }

    @Test
    void theLargestLongIsSeen() {
        PrimitiveType wide =
                Types.primitive(PrimitiveTypeName.INT64, Repetition.OPTIONAL).named("long");
        PageStatistics longs = new PageStatistics(wide);
        longs.add(Long.MAX_VALUE);
        LongStatistics found = (LongStatistics) longs.finish();
        assertThat(found.getMin()).isEqualTo(Long.MAX_VALUE);
        assertThat(found.getMax()).isEqualTo(Long.MAX_VALUE);
    }
}
