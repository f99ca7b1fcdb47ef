package io.weir.core.route;

import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Finds the route of each row and numbers routes 0, 1, … as they first come up. One object serves
 * millions of rows; it is not thread-safe.
 */
public final class RowRouter {
    /** Most routes that one chunk may have: each costs memory, a statement and a file. */
    public static final int ROUTES_MAX = 4_096;

    /** Name of the Arrow field, the last one, that carries the number of the route of a row. */
    public static final String FIELD = "weir:route";

    private final List<Column> columns = new ArrayList<>();
    private final List<Function<@Nullable Object, @Nullable Object>> functions = new ArrayList<>();
    private final @Nullable Object[] lastValues;
    private final @Nullable Object[] lastResults;
    private final Map<List<@Nullable Object>, Integer> numbers = new HashMap<>();
    private final List<Route> routes = new ArrayList<>();
    private int lastNumber = -1;

    /**
     * Takes the columns that the fields speak of.
     *
     * @throws IllegalArgumentException if one is missing
     */
    public RowRouter(PartitionBy partitionBy, RowSchema schema) {
        for (PartitionField field : partitionBy.fields()) {
            Column column = schema.column(field.column());
            columns.add(column);
            functions.add(field.function(column.type()));
        }
        this.lastValues = new @Nullable Object[columns.size()];
        this.lastResults = new @Nullable Object[columns.size()];
    }

    /** The column of each field; a column may come more than once. */
    public List<Column> columns() {
        return List.copyOf(columns);
    }

    /**
     * The number of the route of a row.
     *
     * @param values of {@link #columns}, in Iceberg's internal form
     */
    public int number(@Nullable Object[] values) {
        boolean changed = lastNumber < 0;
        for (int i = 0; i < lastValues.length; i++) {
            // Rows that follow each other are often alike.
            if (lastNumber < 0 || !Objects.equals(values[i], lastValues[i])) {
                Object result = functions.get(i).apply(values[i]);
                changed |= !Objects.equals(result, lastResults[i]);
                lastValues[i] = values[i];
                lastResults[i] = result;
            }
        }
        if (changed) {
            lastNumber = find();
        }
        return lastNumber;
    }

    private int find() {
        Integer known = numbers.get(Arrays.asList(lastResults));
        if (known != null) {
            return known;
        }
        Route route = Route.of(lastResults);
        int number = routes.size();
        routes.add(route);
        numbers.put(route.values(), number);
        return number;
    }

    /** The routes so far, each at its number. */
    public List<Route> routes() {
        return List.copyOf(routes);
    }

    /** The route of a number. */
    public Route route(int number) {
        return routes.get(number);
    }

    /** How many routes there are so far. */
    public int size() {
        return routes.size();
    }

    /** Forgets the routes: the next row begins a chunk. */
    public void reset() {
        numbers.clear();
        routes.clear();
        lastNumber = -1;
    }
}
