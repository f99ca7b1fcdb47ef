package io.weir.capture.postgresql;

import io.weir.core.row.RowSchema;

import java.util.List;

/**
 * A table of the source whose changes are read.
 *
 * @param qualifiedName for people and in changes
 * @param excluded columns that are left out
 */
record CapturedRelation(
        String qualifiedName,
        String schemaName,
        String name,
        List<String> excluded,
        RowSchema schema) {
    static String quote(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    /** For SQL. */
    String quoted() {
        return quote(schemaName) + "." + quote(name);
    }
}
