package io.weir.capture;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;

/**
 * A row before or after a change. Values are in the order of the table's schema and in Iceberg's
 * internal form: dates are days and times microseconds as numbers, decimals have the scale of their
 * type, binary is {@code byte[]}, which nobody changes.
 */
public final class RowImage {
    private final @Nullable Object[] values;
    private final BitSet missing;

    /**
     * Takes the values as they are.
     *
     * @param missing the indexes of columns that the source did not send
     */
    public RowImage(@Nullable Object[] values, BitSet missing) {
        this.values = values;
        this.missing = missing;
    }

    /** Whether every column is known; only then the row has a digest. */
    public boolean isComplete() {
        return missing.isEmpty();
    }

    /** Whether the source did not send a column; then its value is null and means nothing. */
    public boolean isMissing(int index) {
        return missing.get(index);
    }

    public @Nullable Object value(int index) {
        return values[index];
    }

    public int size() {
        return values.length;
    }

    /** For messages and tests. */
    public List<@Nullable Object> values() {
        return Collections.unmodifiableList(new ArrayList<>(Arrays.asList(values)));
    }
}
