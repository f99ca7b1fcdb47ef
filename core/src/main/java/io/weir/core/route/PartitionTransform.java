package io.weir.core.route;

import java.util.Locale;

/** What a partition field makes of a value; Iceberg's own transforms compute it. */
public enum PartitionTransform {
    /** The value itself; written as the bare name of the column. */
    IDENTITY,
    YEAR,
    MONTH,
    DAY,
    HOUR,
    /** A hash modulo the width. */
    BUCKET,
    /** The first characters of a text, or a number rounded down to a multiple of the width. */
    TRUNCATE;

    boolean hasWidth() {
        return this == BUCKET || this == TRUNCATE;
    }

    boolean isTime() {
        return this == YEAR || this == MONTH || this == DAY || this == HOUR;
    }

    /** As job files write it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
