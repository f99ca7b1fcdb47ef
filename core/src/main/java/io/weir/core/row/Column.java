package io.weir.core.row;

import org.apache.iceberg.types.Type;

/**
 * One column on its way from the source to the table.
 *
 * @param fieldId the Iceberg field id, the identity of the column in files and digests
 * @param name the name at the source and in the table
 * @param sourceType the type as the source database writes it, such as {@code numeric(12,2)}
 * @param type the Iceberg type
 * @param required whether the table refuses NULL
 * @param policy what happens to a value that {@code type} cannot hold
 */
public record Column(
        int fieldId,
        String name,
        String sourceType,
        Type type,
        boolean required,
        LossPolicy policy) {
    public CanonicalType canonicalType() {
        return CanonicalType.of(type, sourceType);
    }

    /** The same column under the field id that a table gave it. */
    public Column withFieldId(int id) {
        return new Column(id, name, sourceType, type, required, policy);
    }
}
