package io.weir.source.postgresql;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.Bound;
import io.weir.core.run.KeyRange;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The statement that reads a range. */
final class CopySql {
    private static final Pattern TID = Pattern.compile("\\([0-9]{1,10},[0-9]{1,5}\\)");

    private CopySql() {}

    /** Reads those rows of a range for which a condition holds; an empty one always does. */
    static String copy(
            RelationName table, List<CatalogColumn> columns, KeyRange range, String condition) {
        String select =
                columns.stream().map(CatalogColumn::selectSql).collect(Collectors.joining(", "));
        return "copy (select " + select + " from " + table.quoted() + where(range, condition)
                + ") to stdout (format binary)";
    }

    /** The clause for a range and a condition; empty for every row. */
    static String where(KeyRange range, String condition) {
        if (range.isNull()) {
            throw new WeirException(
                    ErrorCode.INTERNAL, "Cannot read a range of NULLs: ctid is never NULL");
        }
        Bound lower = range.lower();
        Bound upper = range.upper();
        List<String> conditions = new ArrayList<>();
        if (lower != null) {
            conditions.add("ctid >= " + literal(lower));
        }
        if (upper != null) {
            conditions.add("ctid < " + literal(upper));
        }
        if (!condition.isEmpty()) {
            conditions.add(condition);
        }
        return conditions.isEmpty() ? "" : " where " + String.join(" and ", conditions);
    }

    private static String literal(Bound bound) {
        if (!bound.kind().equals(CtidSplit.KIND) || !TID.matcher(bound.text()).matches()) {
            throw new WeirException(
                    ErrorCode.INTERNAL,
                    "Cannot read a range: its bound is no ctid (kind=" + bound.kind() + ", text="
                            + bound.text() + ")");
        }
        return "'" + bound.text() + "'::tid";
    }
}
