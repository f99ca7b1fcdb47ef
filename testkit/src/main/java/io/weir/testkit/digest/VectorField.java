package io.weir.testkit.digest;

import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;

import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * One value of a vector, in every form in which Weir meets it.
 *
 * @param sourceType what PostgreSQL's {@code format_type} prints
 * @param type Iceberg type as text, such as {@code decimal(12,2)}
 * @param wireHex the value of the field in {@code COPY … (FORMAT binary)}, without its length; null
 *     for NULL
 * @param sql DuckDB expression that yields the value as it is stored, of the type that the Iceberg
 *     type maps to
 * @param postgresql PostgreSQL expression that yields the value; null where no expression does
 * @param text for people
 */
public record VectorField(
        int fieldId,
        String sourceType,
        String type,
        @Nullable String wireHex,
        String sql,
        @Nullable String postgresql,
        String text) {
    public Type icebergType() {
        return Types.fromPrimitiveString(type);
    }

    /** A nullable column named {@code c} and the field id. */
    public Column column() {
        return new Column(
                fieldId, "c" + fieldId, sourceType, icebergType(), false, LossPolicy.FAIL);
    }
}
