package io.weir.ledger.database;

import io.weir.core.run.RunId;
import io.weir.core.run.SnapshotHolder;
import io.weir.core.run.SnapshotToken;
import io.weir.ledger.process.HolderStore;

import org.jdbi.v3.core.Handle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

/** Statements on the table of snapshot holders. */
final class PostgresHolderStore implements HolderStore {
    static final String PUT = """
            insert into weir.snapshot_holder (
                run_id, id, snapshot_kind, snapshot_text, worker, lease_until)
            values (:run_id, :id, :snapshot_kind, :snapshot_text, :worker, :lease_until)
            on conflict (run_id, id) do update set lease_until = excluded.lease_until
            returning (xmax = 0) as added
            """;

    static final String REMOVE = """
            delete from weir.snapshot_holder where run_id = :run_id and id = :id
            """;

    /** Who is giving a sign right now holds its row: it is left for the next time. */
    static final String REMOVE_ENDED = """
            delete from weir.snapshot_holder
            where (run_id, id) in (
                select holder.run_id, holder.id
                from weir.snapshot_holder holder
                join weir.run on run.id = holder.run_id
                where run.ended_at is not null and holder.lease_until <= :now
                order by holder.lease_until
                limit :most
                for update of holder skip locked)
            """;

    static final String OF_RUN = """
            select * from weir.snapshot_holder where run_id = :run_id order by lease_until desc, id
            """;

    private final Handle handle;

    PostgresHolderStore(Handle handle) {
        this.handle = handle;
    }

    @Override
    public boolean put(SnapshotHolder holder) {
        return handle.createQuery(PUT)
                .bind("run_id", holder.runId().value())
                .bind("id", holder.id())
                .bind("snapshot_kind", holder.token().kind())
                .bind("snapshot_text", holder.token().text())
                .bind("worker", holder.worker())
                .bind("lease_until", holder.leaseUntil().atOffset(ZoneOffset.UTC))
                .map((rows, context) -> rows.getBoolean("added"))
                .one();
    }

    @Override
    public boolean remove(RunId runId, UUID id) {
        return handle.createUpdate(REMOVE)
                        .bind("run_id", runId.value())
                        .bind("id", id)
                        .execute()
                == 1;
    }

    @Override
    public int removeEnded(Instant now, int most) {
        return handle.createUpdate(REMOVE_ENDED)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("most", most)
                .execute();
    }

    @Override
    public List<SnapshotHolder> ofRun(RunId runId) {
        return handle.createQuery(OF_RUN)
                .bind("run_id", runId.value())
                .map((rows, context) -> read(rows))
                .list();
    }

    private static SnapshotHolder read(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new SnapshotHolder(
                new RunId(fields.uuid("run_id")),
                fields.uuid("id"),
                new SnapshotToken(fields.text("snapshot_kind"), fields.text("snapshot_text")),
                fields.text("worker"),
                fields.instant("lease_until"));
    }
}
