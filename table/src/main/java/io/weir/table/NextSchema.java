package io.weir.table;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Column;

import org.apache.iceberg.PartitionField;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The columns that a table gets together with the rows of its next load. They are announced before
 * anything is written, so that files and change log have their field ids; readers see the old
 * columns and the old rows until one commit shows both. Snapshots keep the columns that they were
 * made with.
 */
final class NextSchema {
    private static final String ID = "weir.next.schema";
    private static final String SOURCE = "weir.next.source-";
    private static final String SOURCE_TYPE = SOURCE + "type.";

    private NextSchema() {}

    /** Whether other columns are announced than readers see. */
    static boolean isAnnounced(TableMetadata metadata) {
        return metadata.properties().containsKey(ID);
    }

    /**
     * Announces columns, or takes back what was announced if the table has them.
     *
     * @return whether anything was to be changed
     * @throws WeirException {@link ErrorCode#TARGET_SCHEMA_MISMATCH} if the table is partitioned by
     *     a column that goes
     */
    static boolean announce(
            String target, PinnedOperations look, List<Column> columns, List<String> key) {
        TableMetadata metadata = look.current();
        Schema next = of(metadata, columns, key);
        requirePartitions(target, metadata, next);
        return announce(look, next, sources(next, columns));
    }

    /**
     * Announces which columns of the source the rows of the next load come from, and no other
     * columns of the table.
     *
     * @return whether anything was to be changed
     */
    static boolean announceSources(PinnedOperations look, List<Column> columns) {
        Schema next = view(look.current()).schema();
        return announce(look, next, sources(next, columns));
    }

    private static Map<String, String> sources(Schema next, List<Column> columns) {
        Map<String, String> sources = new HashMap<>();
        for (Column column : columns) {
            int id = next.findField(column.name()).fieldId();
            sources.put(SOURCE_TYPE + id, column.sourceType());
        }
        TargetSchema.sourceMarks(next, columns)
                .forEach((name, value) -> sources.put(announced(name), value));
        return sources;
    }

    private static boolean announce(
            PinnedOperations look, Schema next, Map<String, String> sources) {
        TableMetadata metadata = look.current();
        boolean same = next.sameSchema(metadata.schema())
                && sources.entrySet().stream()
                        .allMatch(source -> source.getValue()
                                .equals(metadata.properties().get(current(source.getKey()))));
        if (same && !isAnnounced(metadata)) {
            return false;
        }
        TableMetadata.Builder plain =
                TableMetadata.buildFrom(metadata).removeProperties(words(metadata));
        look.commit(
                metadata,
                same ? plain.build() : with(plain.addSchema(next).build(), next, sources));
        return true;
    }

    private static TableMetadata with(
            TableMetadata metadata, Schema next, Map<String, String> sources) {
        int id = metadata.schemas().stream()
                .filter(next::sameSchema)
                .findFirst()
                .orElseThrow()
                .schemaId();
        return TableMetadata.buildFrom(metadata)
                .setProperties(sources)
                .setProperties(Map.of(ID, Integer.toString(id)))
                .build();
    }

    private static void requirePartitions(String target, TableMetadata metadata, Schema next) {
        for (PartitionField field : metadata.spec().fields()) {
            if (next.findField(field.sourceId()) == null) {
                throw Staging.mismatch(
                        target,
                        List.of("it is partitioned by column "
                                + metadata.schema().findColumnName(field.sourceId())
                                + ", which the source no longer has as it was"));
            }
        }
    }

    private static Set<String> words(TableMetadata metadata) {
        Set<String> words = new HashSet<>();
        for (String name : metadata.properties().keySet()) {
            if (name.equals(ID) || name.startsWith(SOURCE)) {
                words.add(name);
            }
        }
        return words;
    }

    /** The property that says of a field in use what the one with this name says of a next one. */
    private static String current(String name) {
        return TargetSchema.SOURCE + name.substring(SOURCE.length());
    }

    private static String announced(String name) {
        return SOURCE + name.substring(TargetSchema.SOURCE.length());
    }

    /** A column goes on under its field id where Iceberg can read its older values as the new. */
    private static Schema of(TableMetadata metadata, List<Column> columns, List<String> key) {
        Schema now = metadata.schema();
        int rowHash = ReplicaWords.rowHashField(metadata);
        int id = metadata.lastColumnId();
        List<Types.NestedField> fields = new ArrayList<>();
        for (Column column : columns) {
            Types.NestedField known = now.findField(column.name());
            boolean goesOn = known != null
                    && known.fieldId() != rowHash
                    && isPromotion(known.type(), column.type());
            fields.add((goesOn ? Types.NestedField.from(known) : newField(++id, column))
                    .ofType(column.type())
                    .isOptional(!column.required())
                    .build());
        }
        Schema plain = TargetSchema.identified(fields, key);
        List<Types.NestedField> all = new ArrayList<>(fields);
        all.add(now.findField(rowHash));
        return new Schema(all, plain.identifierFieldIds());
    }

    private static Types.NestedField.Builder newField(int id, Column column) {
        return Types.NestedField.builder().withId(id).withName(column.name());
    }

    private static boolean isPromotion(Type from, Type to) {
        return from.equals(to)
                || (to.isPrimitiveType()
                        && TypeUtil.isPromotionAllowed(from, to.asPrimitiveType()));
    }

    /** The table as its next load sees it; nothing is committed. */
    static TableMetadata view(TableMetadata metadata) {
        String id = metadata.properties().get(ID);
        if (id == null) {
            return metadata;
        }
        Map<String, String> sources = new HashMap<>();
        metadata.properties().forEach((name, value) -> {
            if (name.startsWith(SOURCE)) {
                sources.put(current(name), value);
            }
        });
        return TableMetadata.buildFrom(metadata)
                .setCurrentSchema(Integer.parseInt(id))
                .setProperties(sources)
                .build();
    }

    /** Operations of the next load: what they commit has the next columns, main the old ones. */
    static PinnedOperations toLoad(PinnedOperations look) {
        return over(look, false);
    }

    /** The same, and what they commit makes the next columns those of main. */
    static PinnedOperations toPublish(PinnedOperations look) {
        return over(look, true);
    }

    private static PinnedOperations over(PinnedOperations look, boolean adopts) {
        return isAnnounced(look.current())
                ? new PinnedOperations(look.table().name(), new Operations(look, adopts))
                : look;
    }

    private static final class Operations extends ForwardedOperations {
        private final PinnedOperations look;
        private final boolean adopts;
        private final TableMetadata base;
        private final TableMetadata viewed;
        private @Nullable TableMetadata committed;

        Operations(PinnedOperations look, boolean adopts) {
            super(look);
            this.look = look;
            this.adopts = adopts;
            this.base = look.current();
            this.viewed = view(base);
        }

        @Override
        public TableMetadata current() {
            TableMetadata done = committed;
            return done == null ? viewed : done;
        }

        @Override
        public TableMetadata refresh() {
            return current();
        }

        @Override
        public void commit(TableMetadata from, TableMetadata metadata) {
            if (from != viewed) {
                throw new IllegalStateException("Not based on the announced columns");
            }
            look.commit(base, adopts ? adopted(metadata) : hidden(metadata));
            committed = look.current();
        }

        private TableMetadata adopted(TableMetadata metadata) {
            return TableMetadata.buildFrom(metadata)
                    .removeProperties(words(metadata))
                    .build();
        }

        /** Columns as they are in main; the schemas that snapshots name stay. */
        private TableMetadata hidden(TableMetadata metadata) {
            Map<String, String> before = new HashMap<>();
            Set<String> unknown = new HashSet<>();
            for (String name : metadata.properties().keySet()) {
                if (name.startsWith(TargetSchema.SOURCE)) {
                    String value = base.properties().get(name);
                    if (value == null) {
                        unknown.add(name);
                    } else {
                        before.put(name, value);
                    }
                }
            }
            return TableMetadata.buildFrom(metadata)
                    .setCurrentSchema(base.currentSchemaId())
                    .setProperties(before)
                    .removeProperties(unknown)
                    .build();
        }
    }
}
