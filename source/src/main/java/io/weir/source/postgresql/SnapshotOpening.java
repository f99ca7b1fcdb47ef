package io.weir.source.postgresql;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.Position;
import io.weir.core.run.SnapshotToken;
import io.weir.source.ServerFacts;
import io.weir.source.SourceConfig;
import io.weir.source.SourceSnapshot;
import io.weir.source.TableSpec;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Opens a snapshot. Order matters: a table that is truncated or rewritten between snapshot and lock
 * would look empty at the snapshot, so tables are locked before the first statement that takes one.
 * What cannot be locked is compared with what the snapshot sees instead.
 */
final class SnapshotOpening {
    private static final String BEGIN = "begin isolation level repeatable read read only";
    private static final String EXPORT_FROM_PRIMARY =
            "select pg_export_snapshot(), pg_current_wal_lsn()::text";
    private static final String EXPORT_FROM_STANDBY =
            "select pg_export_snapshot(), pg_last_wal_replay_lsn()::text";
    private static final String LSN = "lsn";

    private final SourceConfig config;
    private final Duration lockTimeout;
    private final List<TableSpec> specs;
    private final List<PostgresSession> sessions = new ArrayList<>();

    SnapshotOpening(SourceConfig config, Duration lockTimeout, List<TableSpec> specs) {
        this.config = config;
        this.lockTimeout = lockTimeout;
        this.specs = List.copyOf(specs);
    }

    SourceSnapshot open(int readers) {
        boolean complete = false;
        try {
            SourceSnapshot snapshot = connectAll(readers);
            complete = true;
            return snapshot;
        } finally {
            if (!complete) {
                sessions.forEach(PostgresSession::close);
            }
        }
    }

    private SourceSnapshot connectAll(int readers) {
        PostgresSession coordinator = connect();
        Activity opening = Activity.of("open a snapshot of source " + config.name());
        Inspector before = new Inspector(coordinator);
        List<Relation> relations =
                specs.stream().map(spec -> judged(before, spec).relation()).toList();

        coordinator.execute(BEGIN, opening);
        relations.forEach(relation -> lock(coordinator, relation));
        Exported exported = export(coordinator, before.server().facts(), opening);
        relations.forEach(relation -> touch(coordinator, relation));

        Catalog catalog = new Catalog(coordinator, opening);
        Inspector inspector = new Inspector(coordinator);
        Map<TableSpec, SnapshotTable> tables = new LinkedHashMap<>();
        for (TableSpec spec : specs) {
            SnapshotTable table = judged(inspector, spec);
            refuseRewritten(catalog, table.relation());
            tables.put(spec, table);
        }
        for (int i = 0; i < readers; i++) {
            join(
                    exported.token(),
                    tables.values().stream().map(SnapshotTable::relation).toList());
        }
        return new PostgresSnapshot(
                exported.token(),
                exported.position(),
                tables,
                inspector,
                sessions.get(0),
                sessions.subList(1, sessions.size()));
    }

    private PostgresSession connect() {
        PostgresSession session = PostgresSession.open(config, lockTimeout);
        sessions.add(session);
        return session;
    }

    private static SnapshotTable judged(Inspector inspector, TableSpec spec) {
        Inspector.Found found = inspector.inspect(spec);
        return new SnapshotTable(
                found.relation().orElseThrow(() -> found.refusal()), found.table());
    }

    private record Exported(SnapshotToken token, Position position) {}

    private Exported export(PostgresSession session, ServerFacts server, Activity activity) {
        return session.query(
                        server.role() == ServerFacts.Role.STANDBY
                                ? EXPORT_FROM_STANDBY
                                : EXPORT_FROM_PRIMARY,
                        activity,
                        row -> new Exported(
                                new SnapshotToken(Inspector.SNAPSHOT_KIND, row.getString(1)),
                                new Position(LSN, row.getString(2))))
                .get(0);
    }

    /** One more session at the snapshot; it keeps the snapshot alive even if others end. */
    private void join(SnapshotToken token, List<Relation> relations) {
        PostgresSession session = connect();
        join(session, token);
        relations.forEach(relation -> lock(session, relation));
        relations.forEach(relation -> touch(session, relation));
    }

    static void join(PostgresSession session, SnapshotToken token) {
        Activity importing = Activity.importing(session.endpoint().source(), token.text());
        session.execute(BEGIN, importing);
        session.execute(
                "set transaction snapshot '" + token.text().replace("'", "''") + "'", importing);
    }

    private void lock(PostgresSession session, Relation relation) {
        if (relation.isLockable()) {
            session.execute(
                    "lock table " + relation.name().quoted() + " in access share mode",
                    Activity.onTable("lock", relation.name(), config.user()));
        }
    }

    /** Locks what {@code LOCK TABLE} does not: planning a query locks all that it reads. */
    private void touch(PostgresSession session, Relation relation) {
        session.execute(
                "select from " + relation.name().quoted() + " where false",
                Activity.onTable("lock", relation.name(), config.user()));
    }

    static void refuseRewritten(Catalog catalog, Relation relation) {
        List<String> rewritten = catalog.rewritten(relation);
        if (!rewritten.isEmpty()) {
            throw new WeirException(
                    ErrorCode.SOURCE_SNAPSHOT_EXPIRED,
                    "Cannot open a snapshot of table " + relation.name()
                            + ": it was rewritten while the snapshot was taken (rewritten="
                            + String.join(", ", rewritten) + ")");
        }
    }
}
