package io.weir.core.row;

import org.apache.iceberg.types.Type;
import org.jspecify.annotations.Nullable;

/**
 * One column on its way from the source to the table.
 *
 * @param fieldId the Iceberg field id, the identity of the column in files and digests
 * @param name the name at the source and in the table
 * @param sourceType the type as the source database writes it, such as {@code numeric(12,2)}
 * @param type the Iceberg type
 * @param required whether the table refuses NULL
 * @param policy what happens to a value that {@code type} cannot hold
 * @param initialDefault what rows have that are older than the column, in Iceberg's internal form;
 *     null for NULL
 * @param sourceMark what the source says of the column, by which it is found out later whether rows
 *     have other values in it than were read; null if nobody asked the source
 */
public record Column(
        int fieldId,
        String name,
        String sourceType,
        Type type,
        boolean required,
        LossPolicy policy,
        @Nullable Object initialDefault,
        @Nullable String sourceMark) {
    /** A column whose source nobody asked. */
    public Column(
            int fieldId,
            String name,
            String sourceType,
            Type type,
            boolean required,
            LossPolicy policy,
            @Nullable Object initialDefault) {
        this(fieldId, name, sourceType, type, required, policy, initialDefault, null);
    }

    /** A column that is NULL in rows older than it. */
    public Column(
            int fieldId,
            String name,
            String sourceType,
            Type type,
            boolean required,
            LossPolicy policy) {
        this(fieldId, name, sourceType, type, required, policy, null);
    }

    public CanonicalType canonicalType() {
        return CanonicalType.of(type, sourceType);
    }

    /** The same column under the field id that a table gave it. */
    public Column withFieldId(int id) {
        return new Column(id, name, sourceType, type, required, policy, initialDefault, sourceMark);
    }

    /** The same column with this value in older rows, in Iceberg's internal form. */
    public Column withInitialDefault(@Nullable Object value) {
        return new Column(fieldId, name, sourceType, type, required, policy, value, sourceMark);
    }

    /** The same column as the source tells it. */
    public Column withSourceMark(@Nullable String mark) {
        return new Column(fieldId, name, sourceType, type, required, policy, initialDefault, mark);
    }

    /**
     * The canonical bytes of the field where it holds the initial default: digests leave such a
     * field out.
     *
     * @return null if that is NULL
     */
    public byte @Nullable [] initialDefaultBytes() {
        if (initialDefault == null) {
            return null;
        }
        CanonicalRow row = new CanonicalRow();
        CanonicalValue.put(row, fieldId, canonicalType(), initialDefault);
        return row.bytes();
    }
}
