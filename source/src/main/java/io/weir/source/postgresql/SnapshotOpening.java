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
import java.util.Optional;

/**
 * Opens a snapshot, or joins one. Order matters: a table that is truncated or rewritten between
 * snapshot and lock would look empty at the snapshot, so tables are locked before the first
 * statement that takes one. A joined snapshot is older than its locks, but whoever holds it until
 * then holds the same locks, so that none of its tables was unlocked in between. What cannot be
 * locked is compared with what the snapshot sees instead.
 */
final class SnapshotOpening {
    private static final String BEGIN = "begin isolation level repeatable read read only";
    private static final String EXPORT_FROM_PRIMARY =
            "select pg_export_snapshot(), pg_current_wal_lsn()::text";
    private static final String EXPORT_FROM_STANDBY =
            "select pg_export_snapshot(), pg_last_wal_replay_lsn()::text";
    private static final String EXPORT_AGAIN = "select pg_export_snapshot()";
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
        return opened("open a snapshot of source " + config.name(), this::take, readers);
    }

    SourceSnapshot join(SnapshotToken held, int readers) {
        if (!held.kind().equals(Inspector.SNAPSHOT_KIND)) {
            throw new WeirException(
                    ErrorCode.INTERNAL,
                    "Cannot join the snapshot of source " + config.name()
                            + ": its token is of another kind (kind=" + held.kind() + ", expected="
                            + Inspector.SNAPSHOT_KIND + ")");
        }
        return opened(
                "join the snapshot of source " + config.name(),
                (session, server, activity) -> takeOver(session, held, activity),
                readers);
    }

    /** The first statements of the transaction that will hold the snapshot. */
    @FunctionalInterface
    private interface Taking {
        Exported take(PostgresSession session, ServerFacts server, Activity activity);
    }

    private SourceSnapshot opened(String action, Taking taking, int readers) {
        boolean complete = false;
        try {
            SourceSnapshot snapshot = connectAll(Activity.of(action), taking, readers);
            complete = true;
            return snapshot;
        } finally {
            if (!complete) {
                sessions.forEach(PostgresSession::close);
            }
        }
    }

    private SourceSnapshot connectAll(Activity opening, Taking taking, int readers) {
        PostgresSession coordinator = connect();
        Inspector before = new Inspector(coordinator);
        List<Relation> relations = specs.stream()
                .map(spec -> judged(before.inspect(spec)).relation())
                .toList();

        coordinator.execute(BEGIN, opening);
        relations.forEach(relation -> lock(coordinator, relation));
        Exported exported = taking.take(coordinator, before.server().facts(), opening);
        relations.forEach(relation -> touch(coordinator, relation));

        Catalog catalog = new Catalog(coordinator, opening);
        Inspector inspector = new Inspector(coordinator);
        Map<TableSpec, SnapshotTable> tables = new LinkedHashMap<>();
        for (TableSpec spec : specs) {
            Inspector.Found found = inspector.inspect(spec);
            // Of a table that was dropped since, the catalog would tell that nobody may read it.
            found.relation().ifPresent(relation -> refuseRewritten(catalog, relation));
            tables.put(spec, judged(found));
        }
        for (int i = 0; i < readers; i++) {
            addReader(
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

    private static SnapshotTable judged(Inspector.Found found) {
        return new SnapshotTable(
                found.relation().orElseThrow(() -> found.refusal()), found.table());
    }

    private record Exported(SnapshotToken token, Optional<Position> position) {}

    private Exported take(PostgresSession session, ServerFacts server, Activity activity) {
        return session.query(
                        server.role() == ServerFacts.Role.STANDBY
                                ? EXPORT_FROM_STANDBY
                                : EXPORT_FROM_PRIMARY,
                        activity,
                        row -> new Exported(
                                token(row.getString(1)),
                                Optional.of(new Position(LSN, row.getString(2)))))
                .get(0);
    }

    /** The token of another holder dies with it, so this holder gives one of its own. */
    private static Exported takeOver(
            PostgresSession session, SnapshotToken held, Activity activity) {
        importInto(session, held);
        return session.query(
                        EXPORT_AGAIN,
                        activity,
                        row -> new Exported(token(row.getString(1)), Optional.empty()))
                .get(0);
    }

    private static SnapshotToken token(String text) {
        return new SnapshotToken(Inspector.SNAPSHOT_KIND, text);
    }

    /** One more session at the snapshot; it keeps the snapshot alive even if others end. */
    private void addReader(SnapshotToken token, List<Relation> relations) {
        PostgresSession session = connect();
        Activity activity = Activity.of("join the snapshot of source " + config.name());
        session.silenceMax(config.readTimeout(), activity);
        session.execute(BEGIN, activity);
        importInto(session, token);
        relations.forEach(relation -> lock(session, relation));
        relations.forEach(relation -> touch(session, relation));
    }

    private static void importInto(PostgresSession session, SnapshotToken token) {
        session.execute(
                "set transaction snapshot '" + token.text().replace("'", "''") + "'",
                Activity.importing(session.endpoint().source(), token.text()));
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
                            + ": it was rewritten after the snapshot was taken (rewritten="
                            + String.join(", ", rewritten) + ")");
        }
    }
}
