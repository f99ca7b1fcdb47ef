package io.weir.core.route;

import org.jspecify.annotations.Nullable;

/**
 * The rows that a business key names, once the type of their column is known. Values are in
 * Iceberg's internal form. NULL is in none.
 *
 * @param field the first partition field of the target
 * @param from the smallest value that belongs to them
 * @param until the smallest value above {@code from} that does not; null: {@code from} alone does
 * @param value what the field makes of each of them
 */
public record KeyedRows(
        PartitionField field, Object from, @Nullable Object until, Object value) {
    /** Whether the rows of a file of this route are among them. */
    public boolean holds(Route route) {
        return !route.values().isEmpty() && value.equals(route.values().get(0));
    }
}
