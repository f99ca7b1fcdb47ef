package io.weir.core.run;

import org.jspecify.annotations.Nullable;

/**
 * The rows of one partition: from {@code lower} (included) to {@code upper} (excluded).
 *
 * @param lower null: open, the first range
 * @param upper null: open, the last range
 * @param isNull the rows whose split column is NULL; both bounds are then null
 */
public record KeyRange(@Nullable Bound lower, @Nullable Bound upper, boolean isNull) {
    /** Every row of the table. */
    public static final KeyRange ALL = new KeyRange(null, null, false);

    /** The rows whose split column is NULL. */
    public static final KeyRange NULLS = new KeyRange(null, null, true);

    public KeyRange {
        if (isNull && (lower != null || upper != null)) {
            throw new IllegalArgumentException("Invalid NULL range: it has bounds");
        }
    }

    public static KeyRange between(@Nullable Bound lower, @Nullable Bound upper) {
        return new KeyRange(lower, upper, false);
    }
}
