package io.weir.source;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/**
 * What PostgreSQL's catalog says of a column, by which it is found out later whether rows that were
 * read still have the values that the source has in it. Not every value that changes is told by the
 * log: a column may be another one under the same name and type, and {@code ALTER COLUMN TYPE}
 * writes other values into every row. That makes a new file, as {@code VACUUM FULL}, {@code
 * CLUSTER} and {@code TRUNCATE} do, and a new version of the column's catalog row, as {@code SET
 * STATISTICS} does; nothing else does both at once.
 *
 * @param relation {@code pg_class.oid}
 * @param number {@code pg_attribute.attnum}: none comes again in its relation
 * @param dropped columns of the relation that were dropped so far
 * @param file {@code pg_class.relfilenode}
 * @param version {@code pg_attribute.xmin}
 * @param kept {@code pg_attribute.atthasmissing}: the default of older rows is kept once; a new
 *     file ends that, with a new version of the catalog row
 * @param defaultId {@code pg_attrdef.oid}, 0 if there is no default; another type has another one
 */
public record SourceMark(
        long relation,
        int number,
        int dropped,
        long file,
        long version,
        boolean kept,
        long defaultId) {
    private static final String SEPARATOR = "/";
    private static final String KEPT = "kept";
    private static final String STORED = "stored";

    /** As it is remembered beside the rows. */
    public String text() {
        return String.join(
                SEPARATOR,
                Long.toString(relation),
                Integer.toString(number),
                Integer.toString(dropped),
                Long.toString(file),
                Long.toString(version),
                kept ? KEPT : STORED,
                Long.toString(defaultId));
    }

    /** Empty for what is no mark: nothing can be said of such a column. */
    private static Optional<SourceMark> parse(@Nullable String text) {
        List<String> parts = text == null ? List.of() : List.of(text.split(SEPARATOR, -1));
        if (parts.size() != 7) {
            return Optional.empty();
        }
        try {
            return Optional.of(new SourceMark(
                    Long.parseLong(parts.get(0)),
                    Integer.parseInt(parts.get(1)),
                    Integer.parseInt(parts.get(2)),
                    Long.parseLong(parts.get(3)),
                    Long.parseLong(parts.get(4)),
                    parts.get(5).equals(KEPT),
                    Long.parseLong(parts.get(6))));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /**
     * Why rows may have other values in a column than those that were read.
     *
     * @param before its mark when they were read, or when they were last known to be the same
     * @param now its mark now
     * @return empty if they are the same, or if a mark is missing
     */
    public static Optional<String> difference(@Nullable String before, @Nullable String now) {
        return parse(before).flatMap(then -> parse(now).flatMap(then::difference));
    }

    private Optional<String> difference(SourceMark now) {
        if (relation != now.relation || number != now.number) {
            return Optional.of("is not the one that its rows were read from; it was dropped and"
                    + " added again, or renamed (column=" + now.relation + SEPARATOR + now.number
                    + ", before=" + relation + SEPARATOR + number + ")");
        }
        if (file != now.file && isAltered(now)) {
            return Optional.of("was altered and the table written anew, so that its rows may have"
                    + " other values that no change told (file=" + now.file + ", before=" + file
                    + ")");
        }
        return Optional.empty();
    }

    private boolean isAltered(SourceMark now) {
        return (kept && defaultId != 0) ? defaultId != now.defaultId : version != now.version;
    }

    /**
     * Whether no column of the relation came and went since: then a new column has its first
     * default in every older row.
     *
     * @param before the mark of a column that was there
     * @param now the mark of one that is new
     */
    public static boolean isNext(@Nullable String before, @Nullable String now) {
        Optional<SourceMark> then = parse(before);
        Optional<SourceMark> next = parse(now);
        return then.isEmpty() || next.isEmpty() || then.get().dropped == next.get().dropped;
    }

    /**
     * The mark to remember for rows that have the same values still.
     *
     * @param before what was remembered
     * @param now the mark now
     */
    public static @Nullable String refreshed(@Nullable String before, @Nullable String now) {
        Optional<SourceMark> then = parse(before);
        Optional<SourceMark> next = parse(now);
        return then.isEmpty() || next.isEmpty()
                ? before
                : next.get().withDropped(then.get().dropped).text();
    }

    private SourceMark withDropped(int count) {
        return new SourceMark(relation, number, count, file, version, kept, defaultId);
    }
}
