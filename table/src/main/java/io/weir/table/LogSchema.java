package io.weir.table;

import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;
import io.weir.core.row.RowSchema;

import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a change log is made of: its own columns, and the row of the source in two structs. */
final class LogSchema {
    private static final String SOURCE = "weir.log.source";
    private static final String FIELD = "weir.log.field.";
    private static final String TYPE = "weir.log.type.";

    private LogSchema() {}

    /** The columns of a log of rows; field ids inside of the structs are the table's to give. */
    static List<Column> columns(RowSchema rows) {
        // Iceberg gives new ids to all fields; these only have to differ.
        Type before = struct(rows, 1_000);
        Type after = struct(rows, 1_000 + rows.columns().size());
        return List.of(
                column(LogColumn.PLACE, Types.LongType.get(), "bigint", true),
                column(LogColumn.ORDINAL, Types.LongType.get(), "bigint", true),
                column(LogColumn.TRANSACTION, Types.StringType.get(), "text", true),
                column(
                        LogColumn.COMMITTED,
                        Types.TimestampType.withZone(),
                        "timestamp with time zone",
                        true),
                column(LogColumn.OP, Types.StringType.get(), "text", true),
                column(LogColumn.BEFORE, before, "record", false),
                column(LogColumn.AFTER, after, "record", false),
                column(LogColumn.BEFORE_DIGEST, Types.UUIDType.get(), "uuid", false),
                column(LogColumn.AFTER_DIGEST, Types.UUIDType.get(), "uuid", false),
                column(LogColumn.BEFORE_MISSING, Types.StringType.get(), "text", false),
                column(LogColumn.AFTER_MISSING, Types.StringType.get(), "text", false));
    }

    private static Column column(LogColumn name, Type type, String sourceType, boolean required) {
        return new Column(0, name.text(), sourceType, type, required, LossPolicy.FAIL);
    }

    /** Every field may be NULL, because an image may be partial. */
    private static Type struct(RowSchema rows, int firstId) {
        int id = firstId;
        List<Types.NestedField> fields = new ArrayList<>();
        for (Column column : rows.columns()) {
            fields.add(Types.NestedField.optional(id++, column.name(), column.type()));
        }
        return Types.StructType.of(fields);
    }

    /** What the table has to remember so that its digests can be computed again. */
    static Map<String, String> properties(String source, RowSchema rows) {
        Map<String, String> properties = new HashMap<>();
        properties.put(SOURCE, source);
        for (Column column : rows.columns()) {
            properties.put(FIELD + column.fieldId(), column.name());
            properties.put(TYPE + column.fieldId(), column.sourceType());
        }
        return properties;
    }

    /** The log's columns as the table has them. */
    static RowSchema rows(TableMetadata metadata) {
        return TargetSchema.rows(metadata);
    }

    /** Every reason why a table is no log of these rows. */
    static List<String> differences(TableMetadata metadata, String source, RowSchema rows) {
        List<String> differences = new ArrayList<>();
        Map<String, String> properties = metadata.properties();
        Map<String, String> wanted = properties(source, rows);
        wanted.forEach((key, value) -> {
            if (!value.equals(properties.get(key))) {
                differences.add(key + " is " + properties.get(key) + ", not " + value);
            }
        });
        properties.keySet().stream()
                .filter(key -> key.startsWith(FIELD) && !wanted.containsKey(key))
                .sorted()
                .forEach(key -> differences.add(
                        "column " + properties.get(key) + " is no column of the source"));
        for (Column column : columns(rows)) {
            Types.NestedField field = metadata.schema().findField(column.name());
            if (field == null || !sameShape(field.type(), column.type())) {
                differences.add("column " + column.name() + " is "
                        + (field == null ? "missing" : field.type()) + ", not " + column.type());
            }
        }
        return differences;
    }

    private static boolean sameShape(Type found, Type wanted) {
        if (!wanted.isStructType() || !found.isStructType()) {
            return found.equals(wanted);
        }
        List<Types.NestedField> fields = found.asStructType().fields();
        List<Types.NestedField> others = wanted.asStructType().fields();
        boolean same = fields.size() == others.size();
        for (int i = 0; same && i < fields.size(); i++) {
            same = fields.get(i).name().equals(others.get(i).name())
                    && fields.get(i).type().equals(others.get(i).type());
        }
        return same;
    }
}
