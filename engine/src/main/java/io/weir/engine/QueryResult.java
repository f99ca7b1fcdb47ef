package io.weir.engine;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The answer to a query, as text.
 *
 * @param columns names, in the order of the query; they may repeat
 * @param types the engine's name of each column's type, such as {@code DECIMAL(12,2)}
 * @param rows values in the order of the columns; null is NULL. Times with time zone are in UTC
 * @param truncated whether the query had more rows than {@link Engine#QUERY_ROWS_MAX}
 */
public record QueryResult(
        List<String> columns,
        List<String> types,
        List<List<@Nullable String>> rows,
        boolean truncated) {
    public QueryResult {
        columns = List.copyOf(columns);
        types = List.copyOf(types);
        List<List<@Nullable String>> copy = new ArrayList<>(rows.size());
        for (List<@Nullable String> row : rows) {
            copy.add(Collections.unmodifiableList(new ArrayList<>(row)));
        }
        rows = Collections.unmodifiableList(copy);
    }
}
