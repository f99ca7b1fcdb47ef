package io.weir.testkit.digest;

import io.weir.core.row.RowSchema;

import java.util.List;

/**
 * One row with its canonical bytes and digest.
 *
 * @param fields in source order, which is not the order of field ids
 * @param canonicalHex canonical bytes; empty for a row of NULLs
 * @param digest 32 hexadecimal digits, top bit cleared
 */
public record DigestVector(
        String name, List<VectorField> fields, String canonicalHex, String digest) {
    public DigestVector {
        fields = List.copyOf(fields);
    }

    /** The columns of the row, in source order. */
    public RowSchema schema() {
        return new RowSchema(fields.stream().map(VectorField::column).toList(), List.of());
    }

    /** As test reports show it. */
    @Override
    public String toString() {
        return name;
    }
}
