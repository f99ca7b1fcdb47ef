package io.weir.table;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.route.PartitionBy;
import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;
import io.weir.core.row.RowDigest;
import io.weir.core.row.RowSchema;

import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Turns the columns of a source into the schema of a table and compares the two. */
final class TargetSchema {
    static final String DIGEST = "weir.digest";
    static final String SOURCE = "weir.source-";
    static final String SOURCE_TYPE = SOURCE + "type.";
    static final String SOURCE_MARK = SOURCE + "mark.";
    private static final String METADATA_VERSIONS_MAX = "100";

    private TargetSchema() {}

    /** The schema of a new table; field ids are 1, 2, … in the order of the columns. */
    static Schema create(List<Column> columns, List<String> key) {
        List<Types.NestedField> fields = new ArrayList<>();
        for (Column column : columns) {
            int id = fields.size() + 1;
            fields.add(
                    column.required()
                            ? Types.NestedField.required(id, column.name(), column.type())
                            : Types.NestedField.optional(id, column.name(), column.type()));
        }
        return identified(fields, key);
    }

    /** A schema whose identifier is the key, if Iceberg takes it for one. */
    static Schema identified(List<Types.NestedField> fields, List<String> key) {
        Set<Integer> keyIds = new HashSet<>();
        boolean identifies = !key.isEmpty();
        for (Types.NestedField field : fields) {
            if (key.contains(field.name())) {
                keyIds.add(field.fieldId());
                identifies &= field.isRequired() && !isFloating(field.type());
            }
        }
        return identifies ? new Schema(fields, keyIds) : new Schema(fields);
    }

    /** Refuses columns that no table can have, and a key that is not among them. */
    static void checkColumns(String target, List<Column> columns, List<String> key) {
        Set<String> names = new HashSet<>();
        for (Column column : columns) {
            if (!names.add(column.name())) {
                throw new WeirException(
                        ErrorCode.TARGET_SCHEMA_MISMATCH,
                        "Cannot use table " + target + ": column " + column.name()
                                + " comes twice from the source");
            }
        }
        if (!names.containsAll(key)) {
            throw new WeirException(
                    ErrorCode.TARGET_SCHEMA_MISMATCH,
                    "Cannot use table " + target + ": a key column is not among the columns (key="
                            + key + ", columns=" + names + ")");
        }
    }

    /** Refuses rows that have a column of the name that digests are kept under. */
    static void checkReplica(String target, List<Column> columns) {
        for (Column column : columns) {
            if (column.name().equalsIgnoreCase(ReplicaTable.ROW_HASH)) {
                throw new WeirException(
                        ErrorCode.TARGET_SCHEMA_MISMATCH,
                        "Cannot replicate into table " + target
                                + ": the source has a column of the name that Weir keeps digests"
                                + " under (column=" + column.name() + ")",
                        "Rename the column at the source, or leave it out.",
                        null);
            }
        }
    }

    /** The same with a last field for the digest of the row. */
    static Schema createReplica(List<Column> columns, List<String> key) {
        Schema plain = create(columns, key);
        List<Types.NestedField> fields = new ArrayList<>(plain.columns());
        fields.add(Types.NestedField.optional(
                fields.size() + 1, ReplicaTable.ROW_HASH, Types.UUIDType.get()));
        return new Schema(fields, plain.identifierFieldIds());
    }

    /** The field of a replicated table that holds digests, as a column. */
    static Column rowHash(TableMetadata metadata) {
        Types.NestedField field = metadata.schema().findField(ReplicaWords.rowHashField(metadata));
        return new Column(
                field.fieldId(), field.name(), "uuid", field.type(), false, LossPolicy.FAIL);
    }

    /** The properties of a new table. */
    static Map<String, String> properties(Schema schema, List<Column> columns) {
        Map<String, String> properties = new HashMap<>();
        properties.put("format-version", "2");
        properties.put(DIGEST, Integer.toString(RowDigest.VERSION));
        properties.put("commit.retry.num-retries", "0");
        properties.put("write.parquet.compression-codec", "zstd");
        properties.put("write.metadata.delete-after-commit.enabled", "true");
        properties.put("write.metadata.previous-versions-max", METADATA_VERSIONS_MAX);
        properties.put(SnapshotLimit.PROPERTY, Integer.toString(SnapshotLimit.DEFAULT));
        for (Column column : columns) {
            int id = schema.findField(column.name()).fieldId();
            properties.put(SOURCE_TYPE + id, column.sourceType());
        }
        return properties;
    }

    /** Which columns of the source a replicated table has, as far as it is known. */
    static Map<String, String> sourceMarks(Schema schema, List<Column> columns) {
        Map<String, String> properties = new HashMap<>();
        for (Column column : columns) {
            String sourceMark = column.sourceMark();
            if (sourceMark != null) {
                properties.put(SOURCE_MARK + schema.findField(column.name()).fieldId(), sourceMark);
            }
        }
        return properties;
    }

    /** The source's columns, in their order, under the field ids of the table. */
    static RowSchema rows(Schema schema, List<Column> columns, List<String> key) {
        List<Column> withIds = columns.stream()
                .map(column -> under(schema.findField(column.name()), column))
                .toList();
        return new RowSchema(withIds, key);
    }

    /** Adds a column with its initial default, which writers then use, too. */
    static void add(UpdateSchema update, Column column) {
        Object value = column.initialDefault();
        if (value == null) {
            update.addColumn(column.name(), column.type());
            return;
        }
        Literal<?> initial = Expressions.lit(value);
        if (column.required()) {
            update.addRequiredColumn(column.name(), column.type(), initial);
        } else {
            update.addColumn(column.name(), column.type(), initial);
        }
    }

    private static Column under(Types.NestedField field, Column column) {
        return column.withFieldId(field.fieldId()).withInitialDefault(field.initialDefault());
    }

    /** What the table alone tells about its rows: columns and key in the order of its schema. */
    static RowSchema rows(TableMetadata metadata) {
        Schema schema = metadata.schema();
        List<Column> columns = new ArrayList<>();
        List<String> key = new ArrayList<>();
        int rowHash = ReplicaWords.rowHashField(metadata);
        for (Types.NestedField field : schema.columns()) {
            if (field.fieldId() == rowHash) {
                // It is made of the row, so it is none of its values.
                continue;
            }
            columns.add(new Column(
                    field.fieldId(),
                    field.name(),
                    sourceType(metadata, field),
                    field.type(),
                    field.isRequired(),
                    LossPolicy.FAIL,
                    field.initialDefault(),
                    metadata.properties().get(SOURCE_MARK + field.fieldId())));
            if (schema.identifierFieldIds().contains(field.fieldId())) {
                key.add(field.name());
            }
        }
        return new RowSchema(columns, key);
    }

    /**
     * Every reason why the table cannot take rows of these columns; empty if it can.
     *
     * @param partitionBy nothing: however the table is partitioned
     */
    static List<String> differences(
            TableMetadata metadata, List<Column> columns, PartitionBy partitionBy) {
        List<String> differences = new ArrayList<>(unwritable(metadata, partitionBy));
        if (!metadata.properties().containsKey(DIGEST)) {
            return differences;
        }
        Set<String> names = new HashSet<>();
        for (Column column : columns) {
            names.add(column.name());
            Types.NestedField field = metadata.schema().findField(column.name());
            if (field == null) {
                differences.add("column " + column.name() + " is missing in the table");
            } else {
                differences.addAll(differences(metadata, field, column));
            }
        }
        for (Types.NestedField field : metadata.schema().columns()) {
            if (!names.contains(field.name())
                    && field.fieldId() != ReplicaWords.rowHashField(metadata)) {
                differences.add("column " + field.name() + " of the table has no source column");
            }
        }
        return differences;
    }

    /** Every reason why the table cannot take rows, whatever their columns. */
    static List<String> unwritable(TableMetadata metadata) {
        return unwritable(metadata, PartitionBy.NOTHING);
    }

    /** Columns whose values are digested in a way that streams do not know. */
    static List<String> initialDefaults(TableMetadata metadata) {
        return metadata.schema().columns().stream()
                .filter(field -> field.initialDefault() != null)
                .map(field -> "column " + field.name() + " has an initial default ("
                        + field.initialDefault() + ")")
                .toList();
    }

    private static List<String> unwritable(TableMetadata metadata, PartitionBy partitionBy) {
        String digest = metadata.properties().get(DIGEST);
        if (digest == null) {
            return List.of("it was not created by Weir (property weir.digest is missing)");
        }
        List<String> problems = new ArrayList<>();
        if (!digest.equals(Integer.toString(RowDigest.VERSION))) {
            problems.add("weir.digest is " + digest + ", not " + RowDigest.VERSION);
        }
        problems.addAll(TablePartitions.differences(metadata, partitionBy));
        return problems;
    }

    private static List<String> differences(
            TableMetadata metadata, Types.NestedField field, Column column) {
        String subject = "column " + column.name();
        List<String> differences = new ArrayList<>();
        if (!field.type().equals(column.type())) {
            differences.add(subject + " is " + field.type() + " in the table, the source needs "
                    + column.type());
        }
        if (field.isRequired() && !column.required()) {
            differences.add(subject + " is required in the table, the source may send NULL");
        }
        String sourceType = sourceType(metadata, field);
        if (!sourceType.equals(column.sourceType())) {
            differences.add(subject + " was loaded from type " + sourceType
                    + ", the source now has " + column.sourceType());
        }
        return differences;
    }

    private static String sourceType(TableMetadata metadata, Types.NestedField field) {
        String recorded = metadata.properties().get(SOURCE_TYPE + field.fieldId());
        return recorded == null ? "unknown" : recorded;
    }

    private static boolean isFloating(Type type) {
        return type.typeId() == Type.TypeID.FLOAT || type.typeId() == Type.TypeID.DOUBLE;
    }
}
