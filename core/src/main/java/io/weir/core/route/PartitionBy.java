package io.weir.core.route;

import io.weir.core.row.Column;

import org.apache.iceberg.types.Type;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a table is partitioned by: rows whose values of all fields are equal share files, other rows
 * do not.
 *
 * @param fields in order; none: the table is not partitioned
 */
public record PartitionBy(List<PartitionField> fields) {
    public static final PartitionBy NOTHING = new PartitionBy(List.of());

    public PartitionBy {
        fields = List.copyOf(fields);
    }

    /**
     * Reads {@code day(created_at), bucket(16, id), region}.
     *
     * @throws IllegalArgumentException with the reason if it is none
     */
    public static PartitionBy parse(String text) {
        return new PartitionBy(new PartitionByText(text).fields());
    }

    public boolean isPartitioned() {
        return !fields.isEmpty();
    }

    /**
     * The field that a business key names a value of.
     *
     * @throws IllegalStateException if the table is not partitioned
     */
    public PartitionField first() {
        if (fields.isEmpty()) {
            throw new IllegalStateException("A table that is not partitioned has no field");
        }
        return fields.get(0);
    }

    /** Every reason why a table of these columns cannot be partitioned so; empty if it can. */
    public List<String> problems(List<Column> columns) {
        List<String> problems = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (PartitionField field : fields) {
            Optional<Type> type = columns.stream()
                    .filter(column -> column.name().equals(field.column()))
                    .map(Column::type)
                    .findFirst();
            if (type.isEmpty()) {
                problems.add("there is no column " + field.column());
            } else if (!field.accepts(type.get())) {
                problems.add(
                        "a column of type " + type.get() + " cannot be partitioned by " + field);
            }
            // A day lies in one month, so a second time field of a column tells nothing new.
            String told = field.transform().isTime() ? "time(" + field.column() : field.toString();
            if (!seen.add(told)) {
                problems.add(field + " tells nothing that a field before it does not tell");
            }
        }
        return problems;
    }

    /** A route as people read it, such as {@code day(created_at)=2026-11-29, region=eu}. */
    public String text(Route route, List<Column> columns) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            PartitionField field = fields.get(i);
            Type type = columns.stream()
                    .filter(column -> column.name().equals(field.column()))
                    .map(Column::type)
                    .findFirst()
                    .orElseThrow();
            parts.add(field + "=" + field.text(type, route.values().get(i)));
        }
        return String.join(", ", parts);
    }

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
        return fields.stream().map(PartitionField::toString).collect(Collectors.joining(", "));
    }
}
