package io.weir.capture.postgresql;

import io.weir.core.error.ErrorCode;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;
import io.weir.source.Refusal;
import io.weir.source.SourceMark;

import org.jspecify.annotations.Nullable;

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
     * Why rows may have other values in a column than were read, although the log tells of none.
     *
     * @param known the columns that the rows were read from
     */
    List<Refusal> untold(RowSchema known) {
        List<Refusal> found = new ArrayList<>();
        for (Column before : known.columns()) {
            SourceMark.difference(before.sourceMark(), markOf(before))
                    .ifPresent(reason -> found.add(new Refusal(
                            ErrorCode.CAPTURE_SCHEMA_CHANGED,
                            "Cannot capture table " + qualifiedName + ": column " + before.name()
                                    + " " + reason)));
        }
        return found;
    }

    /** The same columns with what the source says of them now. */
    RowSchema refreshed(RowSchema known) {
        List<Column> columns = known.columns().stream()
                .map(column -> column.withSourceMark(
                        SourceMark.refreshed(column.sourceMark(), markOf(column))))
                .toList();
        return new RowSchema(columns, known.key());
    }

    /** Null also for a column that is gone. */
    private @Nullable String markOf(Column known) {
        return schema.names().contains(known.name())
                ? schema.column(known.name()).sourceMark()
                : null;
    }

    /** For SQL. */
    String quoted() {
        return quote(schemaName) + "." + quote(name);
    }
}
