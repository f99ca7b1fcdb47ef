package io.weir.source.postgresql;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.Bound;
import io.weir.core.run.KeyRange;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The statement that reads a range. */
final class CopySql {
    private static final Pattern TID = Pattern.compile("\\([0-9]{1,10},[0-9]{1,5}\\)");

    private CopySql() {}

    static String copy(RelationName table, List<CatalogColumn> columns, KeyRange range) {
        String select =
                columns.stream().map(CatalogColumn::selectSql).collect(Collectors.joining(", "));
        return "copy (select " + select + " from " + table.quoted() + where(range)
                + ") to stdout (format binary)";
    }

    /** The condition of a range; empty for every row. */
    static String where(KeyRange range) {
        if (range.isNull()) {
            throw new WeirException(
                    ErrorCode.INTERNAL, "Cannot read a range of NULLs: ctid is never NULL");
        }
        Bound lower = range.lower();
        Bound upper = range.upper();
        StringBuilder sql = new StringBuilder();
        if (lower != null) {
            sql.append(" where ctid >= ").append(literal(lower));
        }
        if (upper != null) {
            sql.append(lower == null ? " where" : " and").append(" ctid < ").append(literal(upper));
        }
        return sql.toString();
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
