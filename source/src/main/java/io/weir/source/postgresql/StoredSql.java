package io.weir.source.postgresql;

import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;

/** A column as SQL, with its policy applied: what the lake will hold. */
final class StoredSql {
    private StoredSql() {}

    static String of(WireType wire, Column column) {
        String sql = RelationName.quote(column.name());
        if (column.policy() == LossPolicy.FAIL) {
            return sql;
        }
        return switch (wire) {
            case NUMERIC -> numeric(sql, column.policy());
            case DATE ->
                bounded(
                        sql,
                        "date '" + WireGuard.FIRST_DAY + "'",
                        "date '" + WireGuard.LAST_DAY + "'",
                        column.policy());
            case TIMESTAMP -> timestamps(sql, "timestamp", "", column.policy());
            case TIMESTAMP_TZ -> timestamps(sql, "timestamptz", "+00", column.policy());
            case TIME -> bounded(sql, "time '00:00:00'", "time '23:59:59.999999'", column.policy());
            case BOOLEAN, INT2, INT4, INT8, FLOAT4, FLOAT8, TEXT, JSONB, BYTEA, UUID -> sql;
        };
    }

    private static String timestamps(String sql, String type, String zone, LossPolicy policy) {
        return bounded(
                sql,
                type + " '" + WireGuard.FIRST_DAY + " 00:00:00" + zone + "'",
                type + " '" + WireGuard.LAST_DAY + " 23:59:59.999999" + zone + "'",
                policy);
    }

    private static String bounded(String sql, String min, String max, LossPolicy policy) {
        if (policy == LossPolicy.NULL) {
            return "case when " + sql + " between " + min + " and " + max + " then " + sql + " end";
        }
        return "case when " + sql + " < " + min + " then " + min + " when " + sql + " > " + max
                + " then " + max + " else " + sql + " end";
    }

    /** A numeric with precision has no infinities, and nothing is near NaN. */
    private static String numeric(String sql, LossPolicy policy) {
        return policy == LossPolicy.NULL
                ? "case when " + sql + " <> 'NaN' then " + sql + " end"
                : sql;
    }
}
