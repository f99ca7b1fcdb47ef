package io.weir.engine;

import org.jspecify.annotations.Nullable;

import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/**
 * One row of an outside log.
 *
 * @param position the place as the log writes it
 * @param ordinal null where the log has none
 * @param transaction null where the log has none
 * @param committedMicros since 1970 UTC; null where the log has none
 * @param op {@code insert}, {@code update}, {@code delete}, {@code truncate}, or what the row says
 *     after a question mark
 * @param touched whether this only tells that the change, which comes elsewhere under its new key,
 *     takes the row of this key away
 * @param file path of the file
 */
public record OutsideChange(
        long place,
        String position,
        @Nullable Long ordinal,
        @Nullable String transaction,
        @Nullable Long committedMicros,
        String op,
        boolean touched,
        String file,
        @Nullable Image before,
        @Nullable Image after) {
    /**
     * A row before or after.
     *
     * @param values in the order of the columns, in Iceberg's internal form
     * @param missing indexes of columns whose value the log does not tell
     */
    public record Image(List<@Nullable Object> values, BitSet missing) {}

    /** Whether another row tells the same change again. */
    public boolean isSame(OutsideChange other) {
        return place == other.place
                && op.equals(other.op)
                && Objects.equals(ordinal, other.ordinal)
                && Objects.equals(before, other.before)
                && Objects.equals(after, other.after);
    }
}
