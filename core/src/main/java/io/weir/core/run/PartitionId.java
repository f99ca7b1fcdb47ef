package io.weir.core.run;

import java.util.Locale;
import java.util.regex.Pattern;

/** Identity of a partition within its run: four digits, or {@code NULL} for the NULL range. */
public record PartitionId(String value) {
    private static final Pattern FORM = Pattern.compile("[0-9]{4}|NULL");

    /** The partition of the rows whose split column is NULL. */
    public static final PartitionId NULL = new PartitionId("NULL");

    public PartitionId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "Invalid partition id " + value + ": four digits or NULL");
        }
    }

    /** The id of the partition at a position, 0 to 9999, of the split plan. */
    public static PartitionId ofIndex(int index) {
        return new PartitionId(String.format(Locale.ROOT, "%04d", index));
    }

    @Override
    public String toString() {
        return value;
    }
}
