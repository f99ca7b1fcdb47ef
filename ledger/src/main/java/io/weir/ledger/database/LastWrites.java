package io.weir.ledger.database;

import com.fasterxml.jackson.databind.node.ArrayNode;

import io.weir.core.json.Json;
import io.weir.ledger.books.PartitionMove;
import io.weir.ledger.chunk.ChunkColumns;
import io.weir.ledger.chunk.ChunkRow;
import io.weir.ledger.event.EventColumns;
import io.weir.ledger.event.EventDraft;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.partition.PartitionColumns;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The writes that end a transaction, sent with its COMMIT in one message. The server refuses the
 * whole of it if one of them is refused; so each checks by itself that it did what it had to.
 */
final class LastWrites {
    static final String UPDATE_PARTITIONS = """
            with done as (
                update weir.partition as old
                set state = new.state,
                    version = new.version,
                    epoch = new.epoch,
                    token = new.token,
                    worker = new.worker,
                    progress_rows = new.progress_rows,
                    progress_bytes = new.progress_bytes,
                    chunk_count = new.chunk_count,
                    bytes = new.bytes,
                    rows = new.rows,
                    digest_sum = new.digest_sum,
                    failure_stage = new.failure_stage,
                    failure_code = new.failure_code,
                    failure_message = new.failure_message,
                    started_at = new.started_at,
                    ended_at = new.ended_at,
                    lease_until = new.lease_until
                from json_to_recordset(cast(? as json)) as new (
                    run_id uuid, id text, state text, version bigint, epoch bigint,
                    token uuid, worker text, progress_rows bigint, progress_bytes bigint,
                    chunk_count integer, bytes bigint, rows bigint, digest_sum numeric,
                    failure_stage text, failure_code text, failure_message text,
                    started_at timestamptz, ended_at timestamptz, lease_until timestamptz,
                    version_before bigint, state_before text)
                where old.run_id = new.run_id and old.id = new.id
                  and old.version = new.version_before and old.state = new.state_before
                returning 1)
            select weir.require(count(*) = ?, 'a row moved although it was locked') from done
            """;

    static final String INSERT_CHUNKS = """
            insert into weir.chunk (
                run_id, partition_id, epoch, chunk_index, path, bytes, rows, digest_sum, losses,
                last, state)
            select
                run_id, partition_id, epoch, chunk_index, path, bytes, rows, digest_sum, losses,
                last, state
            from json_populate_recordset(cast(null as weir.chunk), cast(? as json))
            """;

    static final String INSERT_EVENTS = """
            insert into weir.event (at, run_id, partition_id, name, details)
            select at, run_id, partition_id, name, details
            from json_to_recordset(cast(? as json)) as row (
                at timestamptz, run_id uuid, partition_id text, name text, details jsonb)
            """;

    static final String COMMIT = """
            COMMIT
            """;

    private static final List<String> ALL =
            List.of(UPDATE_PARTITIONS, INSERT_CHUNKS, INSERT_EVENTS, COMMIT);
    private static final List<String> WITHOUT_CHUNKS =
            List.of(UPDATE_PARTITIONS, INSERT_EVENTS, COMMIT);

    private final ArrayNode partitions = Json.array();
    private final ArrayNode chunks = Json.array();
    private final List<EventDraft> events = new ArrayList<>();

    LastWrites(List<PartitionMove> moves, Instant now) {
        moves.forEach(move -> add(move, now));
    }

    private void add(PartitionMove move, Instant now) {
        List<RowChange> changes = new ArrayList<>();
        changes.add(PartitionColumns.changed(move.before(), move.after()));
        for (ChunkRow chunk : move.chunks()) {
            // What is added to the event of a new row is the row.
            RowChange added = ChunkColumns.added(chunk);
            chunks.add(added.fields());
            changes.add(added);
        }
        partitions.add(PartitionColumns.of(move.after())
                .set("version_before", move.before().version())
                .set("state_before", move.before().state().name())
                .document());
        events.add(move.event(now, changes));
    }

    /** Writes and commits; after an error nothing of both is done. */
    void commit(Connection connection) throws SQLException {
        String sql = String.join(";", chunks.isEmpty() ? WITHOUT_CHUNKS : ALL);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int place = 1;
            statement.setString(place++, Json.line(partitions));
            statement.setInt(place++, partitions.size());
            if (!chunks.isEmpty()) {
                statement.setString(place++, Json.line(chunks));
            }
            statement.setString(
                    place, JsonRows.of(events, draft -> EventColumns.of(draft).document()));
            statement.execute();
        }
        events.forEach(PostgresEventStore::log);
    }
}
