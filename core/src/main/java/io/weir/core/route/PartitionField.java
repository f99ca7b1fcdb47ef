package io.weir.core.route;

import org.apache.iceberg.transforms.Transform;
import org.apache.iceberg.transforms.Transforms;
import org.apache.iceberg.types.Type;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.function.Function;

/**
 * One of the fields that a table is partitioned by.
 *
 * @param width number of buckets, or what is truncated to; 0 for the other transforms
 * @param column exact name of the column
 */
public record PartitionField(PartitionTransform transform, int width, String column) {
    public PartitionField {
        if (transform.hasWidth() ? width < 1 : width != 0) {
            throw new IllegalArgumentException(
                    "Invalid width " + width + " of " + transform.word() + "(" + column + ")");
        }
    }

    /** A field whose transform has no width. */
    public static PartitionField of(PartitionTransform transform, String column) {
        return new PartitionField(transform, 0, column);
    }

    /** Whether values of this type have such a partition value. */
    public boolean accepts(Type type) {
        // Two zeros and many NaNs: engines do not agree on which floats are equal.
        boolean floating =
                type.typeId() == Type.TypeID.FLOAT || type.typeId() == Type.TypeID.DOUBLE;
        return !floating && iceberg().canTransform(type);
    }

    /**
     * Computes partition values from values, both in Iceberg's internal form: dates as days and
     * timestamps as microseconds since 1970 in UTC, text as {@link String}, binary as {@link
     * ByteBuffer}. NULL stays NULL.
     */
    Function<@Nullable Object, @Nullable Object> function(Type type) {
        Function<Object, ?> transform = iceberg().bind(type);
        return value -> value == null ? null : Route.plain(transform.apply(value));
    }

    /** A partition value as people read it, such as {@code 2026-11-29}. */
    String text(Type type, @Nullable Object value) {
        @SuppressWarnings("unchecked")
        Transform<Object, @Nullable Object> transform =
                (Transform<Object, @Nullable Object>) iceberg();
        return value == null ? "NULL" : transform.toHumanString(type, value);
    }

    private Transform<Object, ?> iceberg() {
        return switch (transform) {
            case IDENTITY -> Transforms.identity();
            case YEAR -> Transforms.year();
            case MONTH -> Transforms.month();
            case DAY -> Transforms.day();
            case HOUR -> Transforms.hour();
            case BUCKET -> Transforms.bucket(width);
            case TRUNCATE -> Transforms.truncate(width);
        };
    }

    /** As job files write it, such as {@code bucket(16, id)}. */
    @Override
    public String toString() {
        String name = PartitionByText.quoted(column);
        if (transform == PartitionTransform.IDENTITY) {
            return name;
        }
        return transform.word() + "(" + (width > 0 ? width + ", " : "") + name + ")";
    }
}
