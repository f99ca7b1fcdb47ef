package io.weir.capture;

import io.weir.core.row.CanonicalRow;
import io.weir.core.row.CanonicalType;
import io.weir.core.row.Column;
import io.weir.core.row.RowDigest;
import io.weir.core.row.RowSchema;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Digests of complete images: the same as of the row read by a snapshot. It shares nothing with the
 * readers of wire bytes and of files but the writer of canonical bytes. Not thread-safe.
 */
public final class ImageDigest {
    private final List<Column> columns;
    private final int[] byFieldId;
    private final CanonicalType[] types;
    private final CanonicalRow row = new CanonicalRow();
    private final RowDigest digest = new RowDigest();

    public ImageDigest(RowSchema schema) {
        this.columns = schema.columns();
        this.byFieldId = IntStream.range(0, columns.size())
                .boxed()
                .sorted(Comparator.comparingInt(index -> columns.get(index).fieldId()))
                .mapToInt(Integer::intValue)
                .toArray();
        this.types = columns.stream().map(Column::canonicalType).toArray(CanonicalType[]::new);
    }

    /**
     * The digest of an image, as a UUID of its sixteen bytes.
     *
     * @return null if the image is partial
     */
    public @Nullable UUID of(RowImage image) {
        if (!image.isComplete()) {
            return null;
        }
        row.reset();
        for (int index : byFieldId) {
            Object value = image.value(index);
            if (value != null) {
                put(columns.get(index).fieldId(), types[index], value);
            }
        }
        digest.compute(row);
        return new UUID(digest.high(), digest.low());
    }

    private void put(int fieldId, CanonicalType type, Object value) {
        switch (type) {
            case BOOLEAN -> row.putBoolean(fieldId, (Boolean) value);
            case INTEGER, DATE, TIME, TIMESTAMP, TIMESTAMP_TZ ->
                row.putLong(fieldId, type, ((Number) value).longValue());
            case FLOATING -> row.putFloating(fieldId, ((Number) value).doubleValue());
            case DECIMAL -> {
                BigDecimal decimal = (BigDecimal) value;
                row.putDecimal(fieldId, decimal.unscaledValue(), decimal.scale());
            }
            case TEXT, PADDED_TEXT, JSON -> {
                byte[] bytes = ((String) value).getBytes(StandardCharsets.UTF_8);
                row.putBytes(fieldId, type, bytes, 0, bytes.length);
            }
            case BINARY -> {
                byte[] bytes = (byte[]) value;
                row.putBytes(fieldId, type, bytes, 0, bytes.length);
            }
            case UUID -> {
                UUID uuid = (UUID) value;
                row.putUuid(fieldId, uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
            }
        }
    }
}
