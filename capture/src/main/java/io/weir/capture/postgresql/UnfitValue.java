package io.weir.capture.postgresql;

import io.weir.core.row.Column;

import org.jspecify.annotations.Nullable;

/** A value that the type of its column cannot hold; which row it is in, the caller knows. */
final class UnfitValue extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Column column;
    private final String value;

    UnfitValue(Column column, String value, @Nullable Exception cause) {
        super(column.name() + "=" + value, cause);
        this.column = column;
        this.value = value;
    }

    Column column() {
        return column;
    }

    /** As the source writes it, cut if it is long. */
    String value() {
        return value;
    }
}
