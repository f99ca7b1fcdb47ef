package io.weir.ledger.database;

import io.weir.core.run.WorkerSign;
import io.weir.ledger.process.WorkerStore;

import org.jdbi.v3.core.Handle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

/** Statements on the table of worker processes. */
final class PostgresWorkerStore implements WorkerStore {
    static final String PUT = """
            insert into weir.worker (id, name, sources, slots, busy, started_at, seen_at)
            values (:id, :name, :sources, :slots, :busy, :started_at, :seen_at)
            on conflict (id) do update
            set sources = excluded.sources, slots = excluded.slots, busy = excluded.busy,
                seen_at = excluded.seen_at
            """;

    static final String REMOVE_SEEN_BEFORE = """
            delete from weir.worker
            where id in (
                select id from weir.worker where seen_at < :before
                order by seen_at
                limit :most
                for update skip locked)
            """;

    static final String SINCE = """
            select * from weir.worker where seen_at >= :since order by seen_at desc, id
            """;

    private final Handle handle;

    PostgresWorkerStore(Handle handle) {
        this.handle = handle;
    }

    @Override
    public void put(WorkerSign sign) {
        handle.createUpdate(PUT)
                .bind("id", sign.id())
                .bind("name", sign.name())
                .bind("sources", sign.sources().toArray(new String[0]))
                .bind("slots", sign.slots())
                .bind("busy", sign.busy())
                .bind("started_at", sign.startedAt().atOffset(ZoneOffset.UTC))
                .bind("seen_at", sign.seenAt().atOffset(ZoneOffset.UTC))
                .execute();
    }

    @Override
    public int removeSeenBefore(Instant time, int most) {
        return handle.createUpdate(REMOVE_SEEN_BEFORE)
                .bind("before", time.atOffset(ZoneOffset.UTC))
                .bind("most", most)
                .execute();
    }

    @Override
    public List<WorkerSign> since(Instant time) {
        return handle.createQuery(SINCE)
                .bind("since", time.atOffset(ZoneOffset.UTC))
                .map((rows, context) -> read(rows))
                .list();
    }

    private static WorkerSign read(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new WorkerSign(
                fields.uuid("id"),
                fields.text("name"),
                fields.texts("sources"),
                fields.count("slots"),
                fields.count("busy"),
                fields.instant("started_at"),
                fields.instant("seen_at"));
    }
}
