package io.weir.capture.postgresql;

import io.weir.capture.RowImage;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.CanonicalValue;
import io.weir.core.row.Column;

import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Reads rows of one table; the fields are found once for each schema. */
final class ImageReader {
    private final String table;
    private final List<Column> columns;
    private final List<ValueReader> readers = new ArrayList<>();
    private Set<String> added;
    private @Nullable Schema known;
    private @Nullable Field[] fields = new Field[0];

    /**
     * For one table.
     *
     * @param added columns that rows may lack until {@link #settle}, if they came before the first
     *     row that has them; they hold the initial default then
     */
    ImageReader(CapturedRelation relation, Set<String> added) {
        this.added = Set.copyOf(added);
        this.table = relation.qualifiedName();
        this.columns = relation.schema().columns();
        for (Column column : columns) {
            readers.add(new ValueReader(column));
        }
    }

    /** From here on a row that lacks a column tells of one that is gone. */
    void settle() {
        added = Set.of();
        for (Field field : fields) {
            if (field == null) {
                known = null;
            }
        }
    }

    RowImage read(Struct row) {
        if (row.schema() != known) {
            fields = find(row.schema());
            known = row.schema();
        }
        @Nullable Object[] values = new Object[fields.length];
        BitSet missing = new BitSet();
        for (int i = 0; i < fields.length; i++) {
            Field field = fields[i];
            if (field == null) {
                values[i] = initial(columns.get(i));
                continue;
            }
            Object value = row.getWithoutDefault(field.name());
            if (ValueReader.isUnavailable(value)) {
                missing.set(i);
            } else if (value != null) {
                values[i] = readers.get(i).read(value);
            }
        }
        return new RowImage(values, missing);
    }

    private static @Nullable Object initial(Column column) {
        Object value = column.initialDefault();
        return value instanceof ByteBuffer ? CanonicalValue.bytes(value) : value;
    }

    /** An image of which only some columns count. */
    RowImage readOnly(Struct row, Set<String> names) {
        RowImage image = read(row);
        BitSet missing = new BitSet();
        @Nullable Object[] values = new Object[columns.size()];
        for (int i = 0; i < columns.size(); i++) {
            if (names.contains(columns.get(i).name())) {
                values[i] = image.value(i);
            } else {
                missing.set(i);
            }
        }
        return new RowImage(values, missing);
    }

    /** The name of a column that has NULL and must not; null if there is none. */
    @Nullable
    String brokenRule(RowImage image) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).required() && image.value(i) == null && !image.isMissing(i)) {
                return columns.get(i).name();
            }
        }
        return null;
    }

    private @Nullable Field[] find(Schema schema) {
        Set<String> unknown = new TreeSet<>();
        schema.fields().forEach(field -> unknown.add(field.name()));
        @Nullable Field[] found = new Field[columns.size()];
        for (int i = 0; i < found.length; i++) {
            Column column = columns.get(i);
            Field field = schema.field(column.name());
            if (field == null) {
                if (added.contains(column.name()) && !isKnown(column.name())) {
                    continue;
                }
                throw changed("column " + column.name() + " is gone");
            }
            Field before = known == null ? field : known.field(column.name());
            if (before != null && !isSame(before.schema(), field.schema())) {
                throw changed("column " + column.name() + " has another type (type="
                        + text(field.schema()) + ", before=" + text(before.schema()) + ")");
            }
            found[i] = field;
            unknown.remove(column.name());
        }
        if (!unknown.isEmpty()) {
            throw changed("it has new columns (columns=" + unknown + ")");
        }
        return found;
    }

    private boolean isKnown(String name) {
        return known != null && known.field(name) != null;
    }

    /** Whether values stay what they were; whether NULL is allowed is the source's to know. */
    private static boolean isSame(Schema before, Schema now) {
        return before.type() == now.type()
                && Objects.equals(before.name(), now.name())
                && Objects.equals(before.parameters(), now.parameters());
    }

    private static String text(Schema schema) {
        return schema.name() == null ? schema.type().name() : schema.name();
    }

    private WeirException changed(String reason) {
        return new WeirException(
                ErrorCode.CAPTURE_SCHEMA_CHANGED, "Cannot capture table " + table + ": " + reason);
    }
}
