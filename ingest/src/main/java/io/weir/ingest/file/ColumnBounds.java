package io.weir.ingest.file;

import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.parquet.column.statistics.BinaryStatistics;
import org.apache.parquet.column.statistics.Statistics;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Smallest and largest values of a file in Iceberg's single-value form. */
final class ColumnBounds {
    private static final int CHARACTERS_MAX = 16;

    private ColumnBounds() {}

    /** The smallest value, or a text before it; null if nothing is known. */
    static @Nullable ByteBuffer lower(Type type, Statistics<?> statistics) {
        if (!statistics.hasNonNullValue()) {
            return null;
        }
        if (type.typeId() == Type.TypeID.STRING) {
            return text(first(textOf((BinaryStatistics) statistics, false)));
        }
        return value(type, statistics, false);
    }

    /** The largest value, or a text after it; null if nothing is known. */
    static @Nullable ByteBuffer upper(Type type, Statistics<?> statistics) {
        if (!statistics.hasNonNullValue()) {
            return null;
        }
        if (type.typeId() == Type.TypeID.STRING) {
            String largest = textOf((BinaryStatistics) statistics, true);
            String begin = first(largest);
            return text(begin.length() == largest.length() ? begin : next(begin));
        }
        return value(type, statistics, true);
    }

    private static String textOf(BinaryStatistics statistics, boolean largest) {
        return (largest ? statistics.genericGetMax() : statistics.genericGetMin())
                .toStringUsingUTF8();
    }

    private static String first(String text) {
        int end = text.codePointCount(0, text.length()) <= CHARACTERS_MAX
                ? text.length()
                : text.offsetByCodePoints(0, CHARACTERS_MAX);
        return text.substring(0, end);
    }

    /** The shortest text after every text that begins so; null if there is none. */
    private static @Nullable String next(String begin) {
        for (int end = begin.length(); end > 0; ) {
            int last = begin.codePointBefore(end);
            end -= Character.charCount(last);
            int following =
                    last == Character.MIN_SURROGATE - 1 ? Character.MAX_SURROGATE + 1 : last + 1;
            if (following <= Character.MAX_CODE_POINT) {
                return begin.substring(0, end) + Character.toString(following);
            }
        }
        return null;
    }

    private static @Nullable ByteBuffer text(@Nullable String text) {
        return text == null ? null : ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable ByteBuffer value(Type type, Statistics<?> statistics, boolean most) {
        Object value = most ? statistics.genericGetMax() : statistics.genericGetMin();
        return switch (type.typeId()) {
            case BOOLEAN, INTEGER, DATE, LONG, TIME, TIMESTAMP ->
                Conversions.toByteBuffer(type, value);
            case DECIMAL -> {
                BigInteger unscaled = value instanceof Number number
                        ? BigInteger.valueOf(number.longValue())
                        : new BigInteger(((org.apache.parquet.io.api.Binary) value).getBytes());
                yield Conversions.toByteBuffer(
                        type, new BigDecimal(unscaled, ((Types.DecimalType) type).scale()));
            }
            // Floats may hide a NaN or a second zero; nobody looks for ranges of bytes.
            default -> null;
        };
    }
}
