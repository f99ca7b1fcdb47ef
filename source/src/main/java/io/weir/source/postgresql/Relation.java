package io.weir.source.postgresql;

import java.util.List;
import java.util.Optional;

/**
 * A relation as the catalog has it.
 *
 * @param primaryKey empty also where the key of a parent does not bind the tables that inherit
 * @param members the relation and everything that is read with it: partitions, inheriting tables,
 *     what a view selects from
 */
record Relation(
        long oid,
        RelationName name,
        Kind kind,
        Access access,
        List<CatalogColumn> columns,
        List<String> primaryKey,
        List<Member> members) {

    /** {@code pg_class.relkind}. */
    enum Kind {
        TABLE('r', "table"),
        PARTITIONED('p', "partitioned table"),
        VIEW('v', "view"),
        MATERIALIZED_VIEW('m', "materialized view"),
        FOREIGN('f', "foreign table"),
        OTHER('?', "other relation");

        private final char code;
        private final String text;

        Kind(char code, String text) {
            this.code = code;
            this.text = text;
        }

        String text() {
            return text;
        }

        static Kind of(String code) {
            for (Kind kind : values()) {
                if (code.charAt(0) == kind.code) {
                    return kind;
                }
            }
            return OTHER;
        }
    }

    /**
     * What the user may do.
     *
     * @param secured whether the table has row-level security
     * @param hidden whether its policies apply to the user
     */
    record Access(boolean schemaUsage, boolean select, boolean secured, boolean hidden) {}

    /**
     * One relation that is read.
     *
     * @param mainBytes size of the blocks that {@code ctid} counts
     * @param tableBytes the same with values stored out of line
     */
    record Member(
            long oid, Kind kind, boolean heap, String name, long mainBytes, long tableBytes) {}

    Optional<CatalogColumn> column(String columnName) {
        return columns.stream().filter(c -> c.name().equals(columnName)).findFirst();
    }

    /** Whether {@code LOCK TABLE} accepts it. */
    boolean isLockable() {
        return kind == Kind.TABLE || kind == Kind.PARTITIONED || kind == Kind.VIEW;
    }

    /** Whether rows have a {@code ctid} that ranges can be made of. */
    boolean hasBlocks() {
        return kind != Kind.VIEW
                && members.stream()
                        .filter(member -> member.kind() != Kind.PARTITIONED)
                        .allMatch(Member::heap);
    }

    long tableBytes() {
        return members.stream().mapToLong(Member::tableBytes).sum();
    }
}
