package io.weir.capture;

import io.weir.core.row.CanonicalRow;
import io.weir.core.row.CanonicalType;
import io.weir.core.row.CanonicalValue;
import io.weir.core.row.Column;
import io.weir.core.row.RowDigest;
import io.weir.core.row.RowSchema;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
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
    private final List<byte @Nullable []> initials = new ArrayList<>();
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
        columns.forEach(column -> initials.add(column.initialDefaultBytes()));
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
            put(index, image.value(index));
        }
        digest.compute(row);
        return new UUID(digest.high(), digest.low());
    }

    private void put(int index, @Nullable Object value) {
        int fieldId = columns.get(index).fieldId();
        byte @Nullable [] initial = initials.get(index);
        if (value != null) {
            CanonicalValue.put(row, fieldId, types[index], value);
            if (initial != null) {
                row.takeBack(initial);
            }
        } else if (initial != null) {
            row.putNull(fieldId);
        }
    }
}
