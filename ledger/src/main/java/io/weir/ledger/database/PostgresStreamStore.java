package io.weir.ledger.database;

import io.weir.core.run.StreamState;
import io.weir.core.run.StreamTransaction;
import io.weir.ledger.process.StreamStore;

import org.jdbi.v3.core.Handle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Statements on the table of open transactions of streaming connections. */
final class PostgresStreamStore implements StreamStore {
    static final String PUT = """
            insert into weir.stream_transaction (
                id, target, agent, worker, source, sequence, state, records, timeout_ms, begun_at,
                lease_until, reason)
            values (
                :id, :target, :agent, :worker, :source, :sequence, :state, :records, :timeout_ms,
                :begun_at, :lease_until, :reason)
            on conflict (id) do update
            set state = excluded.state, records = excluded.records,
                lease_until = excluded.lease_until, reason = excluded.reason
            """;

    static final String LOCK = """
            select * from weir.stream_transaction where id = :id for update
            """;

    static final String REMOVE = """
            delete from weir.stream_transaction where id = :id
            """;

    static final String REMOVE_ENDED_BEFORE = """
            delete from weir.stream_transaction
            where id in (
                select id from weir.stream_transaction where lease_until < :before
                order by lease_until
                limit :most
                for update skip locked)
            """;

    static final String ALL = """
            select * from weir.stream_transaction order by begun_at, id
            """;

    private final Handle handle;

    PostgresStreamStore(Handle handle) {
        this.handle = handle;
    }

    @Override
    public void put(StreamTransaction row) {
        handle.createUpdate(PUT)
                .bind("id", row.id())
                .bind("target", row.target())
                .bind("agent", row.agent())
                .bind("worker", row.worker())
                .bind("source", row.source())
                .bind("sequence", row.sequence())
                .bind("state", row.state().name())
                .bind("records", row.records())
                .bind("timeout_ms", row.timeout().toMillis())
                .bind("begun_at", row.begunAt().atOffset(ZoneOffset.UTC))
                .bind("lease_until", row.leaseUntil().atOffset(ZoneOffset.UTC))
                .bind("reason", row.reason())
                .execute();
    }

    @Override
    public Optional<StreamTransaction> lock(UUID id) {
        return handle.createQuery(LOCK)
                .bind("id", id)
                .map((rows, context) -> read(rows))
                .findOne();
    }

    @Override
    public void remove(UUID id) {
        handle.createUpdate(REMOVE).bind("id", id).execute();
    }

    @Override
    public int removeEndedBefore(Instant time, int most) {
        return handle.createUpdate(REMOVE_ENDED_BEFORE)
                .bind("before", time.atOffset(ZoneOffset.UTC))
                .bind("most", most)
                .execute();
    }

    @Override
    public List<StreamTransaction> all() {
        return handle.createQuery(ALL).map((rows, context) -> read(rows)).list();
    }

    private static StreamTransaction read(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new StreamTransaction(
                fields.uuid("id"),
                fields.text("target"),
                fields.text("agent"),
                fields.text("worker"),
                fields.textOrNull("source"),
                fields.numberOrNull("sequence"),
                StreamState.valueOf(fields.text("state")),
                fields.number("records"),
                Duration.ofMillis(fields.number("timeout_ms")),
                fields.instant("begun_at"),
                fields.instant("lease_until"),
                fields.textOrNull("reason"));
    }
}
