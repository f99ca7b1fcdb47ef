package io.weir.flow.replicate;

import io.weir.capture.Capture;
import io.weir.capture.CaptureCheck;
import io.weir.capture.CaptureSpec;
import io.weir.capture.ChangeStream;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;
import io.weir.source.Refusal;
import io.weir.source.Source;
import io.weir.source.SourceMark;
import io.weir.source.SourceTable;
import io.weir.source.TableInspection;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The tables of a job at the source: what they are now, and whether every change is told. */
final class SourceTables {
    /** Never because of a table, not even of the only one of a job. */
    private static final Set<ErrorCode> OF_THE_JOB = EnumSet.of(
            ErrorCode.CAPTURE_SERVER_UNFIT,
            ErrorCode.CAPTURE_SLOT_MISSING,
            ErrorCode.CAPTURE_SLOT_LOST,
            ErrorCode.CAPTURE_SLOT_BUSY,
            ErrorCode.CAPTURE_SLOT_FULL);

    private final ReplicateJob job;
    private final Map<String, ReplicateTable> tables;
    private final Source source;
    private final Capture capture;

    /**
     * Looks at nothing yet.
     *
     * @param tables by qualified name
     */
    SourceTables(
            ReplicateJob job, Map<String, ReplicateTable> tables, Source source, Capture capture) {
        this.job = job;
        this.tables = tables;
        this.source = source;
        this.capture = capture;
    }

    ReplicateTable named(String table) {
        ReplicateTable found = tables.get(table);
        if (found == null) {
            throw new IllegalStateException("No table " + table + " in job " + job.name());
        }
        return found;
    }

    boolean has(String table) {
        return tables.containsKey(table);
    }

    /** What has to be captured for some of the tables. */
    CaptureSpec spec(List<String> names) {
        return job.spec(names.stream().map(name -> named(name).spec()).toList());
    }

    /**
     * A table as it is now.
     *
     * @throws WeirException why it cannot be read; it names the table in its details
     */
    SourceTable live(String table) {
        TableInspection inspection = source.inspect(named(table).spec());
        SourceTable found = inspection.table();
        if (found == null) {
            throw of(table, inspection.refusals().get(0));
        }
        return found;
    }

    /**
     * Makes sure that the source tells every change of the tables.
     *
     * @param known by table, the columns that its rows in the lake come from
     * @return the same, to be compared with the next time
     * @throws WeirException the first reason why not; one that concerns a table alone names it in
     *     its details
     */
    Map<String, RowSchema> check(List<String> names, Map<String, RowSchema> known) {
        CaptureCheck found = capture.check(spec(names), known);
        List<Refusal> all = found.refusals();
        if (all.isEmpty()) {
            return found.known();
        }
        for (Refusal refusal : all) {
            if (OF_THE_JOB.contains(refusal.code())) {
                throw refusal.exception();
            }
        }
        Map<String, List<Refusal>> each = new LinkedHashMap<>();
        names.forEach(name ->
                each.put(name, capture.check(spec(List.of(name)), known).refusals()));
        List<Refusal> common = new ArrayList<>(all);
        each.values().forEach(common::retainAll);
        if (!common.isEmpty() && names.size() > 1) {
            throw common.get(0).exception();
        }
        each.forEach((name, refusals) -> {
            if (!refusals.isEmpty()) {
                throw of(name, refusals.get(0));
            }
        });
        throw all.get(0).exception();
    }

    private static WeirException of(String table, Refusal refusal) {
        return refusal.exception().with(Map.of(ChangeStream.TABLE, table));
    }

    /**
     * Columns that a table has now besides known ones.
     *
     * @param columns with what older rows have in them; none if rows would have to be read for it
     * @param obstacle why there are none
     */
    record Added(List<Column> columns, String obstacle) {
        static Added none(String obstacle) {
            return new Added(List.of(), obstacle);
        }
    }

    /**
     * The columns that the table has more than the known ones, if nothing else changed and older
     * rows all have the same in them.
     */
    Added added(String table, RowSchema known) {
        List<Column> live = live(table).columns();
        List<Column> added = new ArrayList<>();
        for (Column column : live) {
            if (!known.names().contains(column.name())) {
                added.add(column);
                continue;
            }
            Optional<String> difference = difference(known.column(column.name()), column);
            if (difference.isPresent()) {
                return Added.none("column " + column.name() + " " + difference.get());
            }
        }
        if (added.isEmpty()) {
            return Added.none("it has no new column now");
        }
        if (live.size() != known.columns().size() + added.size()) {
            return Added.none("columns are gone");
        }
        return isNext(known, added)
                ? withInitialDefaults(table, added)
                : Added.none("other columns came and went since its rows were read");
    }

    private static boolean isNext(RowSchema known, List<Column> added) {
        return known.columns().stream()
                .allMatch(before -> added.stream()
                        .allMatch(column ->
                                SourceMark.isNext(before.sourceMark(), column.sourceMark())));
    }

    private Added withInitialDefaults(String table, List<Column> added) {
        Map<String, Optional<Object>> values = capture.initialValues(table, added);
        List<Column> found = new ArrayList<>();
        for (Column column : added) {
            Optional<Object> value = values.get(column.name());
            if (value == null ? column.required() : value.isEmpty()) {
                return Added.none("no change tells what older rows have in column " + column.name()
                        + ", whose default is another one for each row or was set later");
            }
            found.add(column.withInitialDefault(value == null ? null : value.get()));
        }
        return new Added(found, "");
    }

    private static Optional<String> difference(Column known, Column live) {
        boolean same = live.type().equals(known.type())
                && live.sourceType().equals(known.sourceType())
                && live.required() == known.required();
        return same
                ? SourceMark.difference(known.sourceMark(), live.sourceMark())
                : Optional.of("is another one now");
    }
}
