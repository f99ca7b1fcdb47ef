package io.weir.source.postgresql;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.ErrorKind;
import io.weir.core.error.WeirException;
import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;
import io.weir.core.run.SnapshotToken;
import io.weir.source.Refusal;
import io.weir.source.RowSecurity;
import io.weir.source.SourceTable;
import io.weir.source.TableInspection;
import io.weir.source.TableSpec;
import io.weir.source.UnsupportedColumn;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Judges one table by its catalog entry: what speaks against reading it, and how it would go. */
final class Inspector {
    static final String SNAPSHOT_KIND = SnapshotToken.POSTGRESQL;

    private static final int VERSION_MIN = 120_000;
    private static final int TID_RANGE_SCAN = 140_000;
    private static final String NO_RELATION = "none";

    private final PostgresSession session;
    private final Catalog.Server server;
    private final String user;

    Inspector(PostgresSession session) {
        this.session = session;
        this.user = session.endpoint().user();
        this.server = new Catalog(
                        session,
                        Activity.of("inspect source " + session.endpoint().source()))
                .server();
    }

    /** A table as judged; the relation is absent if it does not exist. */
    record Found(TableInspection inspection, Optional<Relation> relation) {
        /** The table, or the first refusal. */
        SourceTable table() {
            return inspection.tableOrThrow();
        }

        WeirException refusal() {
            return inspection.refusals().get(0).exception();
        }
    }

    Catalog.Server server() {
        return server;
    }

    Found inspect(TableSpec spec) {
        RelationName name = RelationName.parse(spec.table());
        if (server.facts().versionNumber() < VERSION_MIN) {
            return new Found(refused(tooOld(name)), Optional.empty());
        }
        Catalog catalog = new Catalog(session, Activity.onTable("inspect", name, user));
        Optional<Relation> relation = catalog.relation(name);
        if (relation.isEmpty()) {
            return new Found(refused(missing(name, catalog.names())), relation);
        }
        return new Found(judge(spec, relation.get(), catalog), relation);
    }

    private Refusal tooOld(RelationName name) {
        return new Refusal(
                ErrorCode.CONFIG_INVALID,
                "Cannot read table " + name + ": the server is older than PostgreSQL 12 (version="
                        + server.facts().version() + ")");
    }

    private static Refusal missing(RelationName name, List<RelationName> existing) {
        List<String> near = NearNames.of(name, existing);
        String hint = near.isEmpty()
                ? ErrorCode.SOURCE_TABLE_NOT_FOUND.hint()
                : "Did you mean " + String.join(" or ", near) + "?";
        return new Refusal(
                ErrorCode.SOURCE_TABLE_NOT_FOUND,
                "Cannot read table " + name + ": it does not exist",
                hint);
    }

    private TableInspection refused(Refusal refusal) {
        return new TableInspection(
                null,
                List.of(refusal),
                NO_RELATION,
                List.of(),
                0,
                0,
                SNAPSHOT_KIND,
                TableInspection.NO_SPLIT,
                List.of(),
                RowSecurity.NONE,
                server.facts(),
                List.of());
    }

    private TableInspection judge(TableSpec spec, Relation relation, Catalog catalog) {
        TableRules rules = new TableRules(spec, relation, user);
        List<Refusal> refusals = new ArrayList<>(rules.relationRefusals());
        List<UnsupportedColumn> unsupported = rules.unsupported();
        refusals.addAll(rules.columnRefusals(unsupported));
        Catalog.Estimate estimate = estimate(relation, catalog, refusals);
        boolean stored = relation.kind() != Relation.Kind.VIEW;
        long bytes = stored ? relation.tableBytes() : estimate.rows() * estimate.rowBytes();
        // The planner takes an empty table for one that was not yet counted.
        long rows = stored && relation.tableBytes() == 0 ? 0 : estimate.rows();
        @Nullable
        SourceTable table = refusals.isEmpty() ? table(spec, relation, rows, bytes) : null;
        Optional<Refusal> unusable = table == null ? Optional.empty() : rules.checkKey(table);
        if (unusable.isPresent()) {
            refusals.add(unusable.get());
            table = null;
        }
        return new TableInspection(
                table,
                refusals,
                relation.kind().text(),
                unsupported,
                rows,
                bytes,
                SNAPSHOT_KIND,
                isSplittable(relation) ? CtidSplit.KIND : TableInspection.NO_SPLIT,
                rules.privileges(),
                rules.rowSecurity(),
                server.facts(),
                notes(spec, relation));
    }

    /** Planning also finds what the catalog entry does not say: rights and policies under views. */
    private static Catalog.Estimate estimate(
            Relation relation, Catalog catalog, List<Refusal> refusals) {
        if (!refusals.isEmpty()) {
            return new Catalog.Estimate(0, 0);
        }
        try {
            return catalog.estimate(relation.name());
        } catch (WeirException e) {
            if (e.code().kind() != ErrorKind.TERMINAL) {
                throw e;
            }
            refusals.add(new Refusal(e.code(), e.text(), e.hint()));
            return new Catalog.Estimate(0, 0);
        }
    }

    /** Older servers answer each range with a scan of the whole table. */
    boolean isSplittable(Relation relation) {
        return server.facts().versionNumber() >= TID_RANGE_SCAN && relation.hasBlocks();
    }

    private static SourceTable table(TableSpec spec, Relation relation, long rows, long bytes) {
        List<Column> columns = new ArrayList<>();
        for (CatalogColumn column : relation.columns()) {
            Optional<PostgresTypes.Mapping> mapping = column.mapping();
            if (!spec.exclude().contains(column.name()) && mapping.isPresent()) {
                columns.add(new Column(
                        columns.size() + 1,
                        column.name(),
                        column.sourceType(),
                        mapping.get().type(),
                        column.notNull(),
                        spec.policies().getOrDefault(column.name(), LossPolicy.FAIL),
                        null,
                        column.mark().text()));
            }
        }
        return new SourceTable(
                relation.name().toString(), columns, usableKey(spec, relation), rows, bytes);
    }

    private static List<String> usableKey(TableSpec spec, Relation relation) {
        boolean complete = relation.primaryKey().stream().noneMatch(spec.exclude()::contains);
        return complete ? relation.primaryKey() : List.of();
    }

    private List<String> notes(TableSpec spec, Relation relation) {
        List<String> notes = new ArrayList<>();
        if (relation.kind() == Relation.Kind.VIEW) {
            notes.add("A view is read in one partition; what its functions return is not part of"
                    + " the snapshot.");
        } else if (!relation.hasBlocks()) {
            notes.add("The table is read in one partition: it is not stored as heap.");
        } else if (!isSplittable(relation)) {
            notes.add("The table is read in one partition: ranges of ctid need PostgreSQL 14.");
        }
        if (relation.kind() == Relation.Kind.TABLE && relation.members().size() > 1) {
            notes.add("Tables that inherit from this one are read with it, as SELECT does ("
                    + (relation.members().size() - 1) + "); its primary key does not bind them.");
        }
        if (relation.primaryKey().isEmpty()) {
            notes.add("Without a primary key equal rows may repeat; duplicate keys are not looked"
                    + " for.");
        } else if (usableKey(spec, relation).isEmpty()) {
            notes.add("The primary key is not used, because one of its columns is left out.");
        }
        spec.policies().forEach((column, policy) -> {
            boolean idle = relation.column(column)
                    .flatMap(CatalogColumn::mapping)
                    .filter(mapping -> !WireGuard.mayRefuse(mapping.wire()))
                    .isPresent();
            if (idle && policy != LossPolicy.FAIL) {
                notes.add("The policy of column " + column + " never applies: its type holds every"
                        + " value.");
            }
        });
        return notes;
    }
}
