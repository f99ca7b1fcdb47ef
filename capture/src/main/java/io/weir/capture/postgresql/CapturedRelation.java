package io.weir.capture.postgresql;

import io.weir.core.error.ErrorCode;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;
import io.weir.source.Refusal;

import java.util.ArrayList;
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

    /**
     * Why rows that were read from other columns can no longer be told by changes. A column of the
     * same name and type that is another one brings values of its own into old rows; the log says
     * nothing of it.
     *
     * @param known the columns that the rows were read from
     */
    List<Refusal> renewed(RowSchema known) {
        List<Refusal> found = new ArrayList<>();
        for (Column column : schema.columns()) {
            if (!known.names().contains(column.name())) {
                continue;
            }
            Column before = known.column(column.name());
            if (!column.isOfSource(before.sourceId())) {
                found.add(new Refusal(
                        ErrorCode.CAPTURE_SCHEMA_CHANGED,
                        "Cannot capture table " + qualifiedName + ": column " + column.name()
                                + " is not the one that its rows were read from; it was dropped"
                                + " and added again, or renamed (column=" + column.sourceId()
                                + ", before=" + before.sourceId() + ")"));
            }
        }
        return found;
    }

    /** For SQL. */
    String quoted() {
        return quote(schemaName) + "." + quote(name);
    }
}
