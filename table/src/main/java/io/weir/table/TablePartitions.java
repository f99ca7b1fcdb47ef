package io.weir.table;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.route.PartitionBy;
import io.weir.core.route.PartitionField;
import io.weir.core.route.PartitionTransform;
import io.weir.core.route.Route;
import io.weir.core.row.Column;

import org.apache.iceberg.ContentFile;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.exceptions.ValidationException;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns what a job says about partitions into Iceberg's words and back. */
final class TablePartitions {
    private static final Pattern TRANSFORM = Pattern.compile("([a-z]+)(?:\\[([0-9]{1,9})])?");

    private TablePartitions() {}

    /**
     * Checks that a table of these columns can be partitioned so.
     *
     * @throws WeirException {@link ErrorCode#CONFIG_INVALID} with every reason
     */
    static void check(String target, List<Column> columns, PartitionBy partitionBy) {
        List<String> problems = new ArrayList<>(partitionBy.problems(columns));
        if (problems.isEmpty()) {
            try {
                spec(TargetSchema.create(columns, List.of()), partitionBy);
            } catch (IllegalArgumentException | ValidationException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        if (!problems.isEmpty()) {
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID,
                    "Cannot partition table " + target + ": " + String.join("; ", problems)
                            + " (partition-by=" + partitionBy + ")");
        }
    }

    static PartitionSpec spec(Schema schema, PartitionBy partitionBy) {
        PartitionSpec.Builder spec = PartitionSpec.builderFor(schema);
        for (PartitionField field : partitionBy.fields()) {
            switch (field.transform()) {
                case IDENTITY -> spec.identity(field.column());
                case YEAR -> spec.year(field.column());
                case MONTH -> spec.month(field.column());
                case DAY -> spec.day(field.column());
                case HOUR -> spec.hour(field.column());
                case BUCKET -> spec.bucket(field.column(), field.width());
                case TRUNCATE -> spec.truncate(field.column(), field.width());
            }
        }
        return spec.build();
    }

    /** What a table is partitioned by; fields that Weir cannot write are left out. */
    static PartitionBy of(PartitionSpec spec) {
        List<PartitionField> fields = new ArrayList<>();
        for (org.apache.iceberg.PartitionField field : spec.fields()) {
            field(spec, field).ifPresent(fields::add);
        }
        return new PartitionBy(fields);
    }

    /** Why rows that are partitioned so, or however the table is, cannot go into it. */
    static List<String> differences(TableMetadata metadata, PartitionBy wanted) {
        PartitionSpec spec = metadata.spec();
        PartitionBy found = of(spec);
        if (found.fields().size() != spec.fields().size()) {
            return List.of("it is partitioned by " + spec.fields() + ", which Weir cannot write");
        }
        if (!wanted.isPartitioned() || found.equals(wanted)) {
            return List.of();
        }
        return List.of("it is "
                + (found.isPartitioned() ? "partitioned by " + found : "not" + " partitioned")
                + ", the job says partition-by " + wanted);
    }

    private static Optional<PartitionField> field(
            PartitionSpec spec, org.apache.iceberg.PartitionField field) {
        String column = spec.schema().findColumnName(field.sourceId());
        Matcher matcher = TRANSFORM.matcher(field.transform().toString());
        if (column == null || !matcher.matches()) {
            return Optional.empty();
        }
        int width = matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2));
        for (PartitionTransform transform : PartitionTransform.values()) {
            if (transform.name().toLowerCase(Locale.ROOT).equals(matcher.group(1))) {
                PartitionField found = new PartitionField(transform, width, column);
                return found.accepts(spec.schema().findType(field.sourceId()))
                        ? Optional.of(found)
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** The route of a file of this spec. */
    static Route route(PartitionSpec spec, ContentFile<?> file) {
        StructLike partition = file.partition();
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < spec.fields().size(); i++) {
            values.add(partition.get(i, Object.class));
        }
        return new Route(values);
    }

    /** A file must say where it belongs, in exactly the words of the table. */
    static void checkRoute(StagedFile file, PartitionSpec spec) {
        if (file.route().values().size() != spec.fields().size()) {
            throw new WeirException(
                    ErrorCode.VALIDATION_FAILED,
                    "Cannot stage file " + file.path()
                            + ": its route does not fit the partitions of the table (route="
                            + file.route().values() + ", partition-by=" + of(spec) + ")");
        }
    }

    static PartitionData data(PartitionSpec spec, Route route) {
        PartitionData data = new PartitionData(spec.partitionType());
        for (int i = 0; i < route.values().size(); i++) {
            data.set(i, route.values().get(i));
        }
        return data;
    }
}
