package io.weir.engine;

import org.jspecify.annotations.Nullable;

/**
 * Which columns of an outside log tell what. A name is that of a column, or a path into structs
 * with dots between, such as {@code source.lsn}.
 *
 * @param op what the change does
 * @param before the row as it was, a struct
 * @param after the row as it is, a struct
 * @param position place in the log of the source, a whole number above 0 or a text such as {@code
 *     0/16B3748}
 * @param ordinal whole number of the change at its position; null: changes of one position have no
 *     order
 * @param transaction name of the transaction; null: its position
 * @param committedAt when it was committed, a timestamp or a whole number of milliseconds since
 *     1970 UTC, of microseconds if the name ends in {@code _us}, of nanoseconds if in {@code _ns};
 *     null: when the file was written
 */
public record OutsideColumns(
        String op,
        String before,
        String after,
        String position,
        @Nullable String ordinal,
        @Nullable String transaction,
        @Nullable String committedAt) {}
