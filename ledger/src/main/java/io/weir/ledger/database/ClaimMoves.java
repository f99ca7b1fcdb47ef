package io.weir.ledger.database;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.run.RunId;
import io.weir.core.run.SnapshotHolder;
import io.weir.core.run.SnapshotToken;
import io.weir.ledger.books.Claimed;
import io.weir.ledger.books.PartitionMove;
import io.weir.ledger.partition.PartitionKey;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * First claims of partitions that were seen without a lock, with their events, as one statement
 * that is its own transaction. A claim begins when its row is held, by the clock of the database,
 * so the server completes the event.
 */
final class ClaimMoves {
    /** Waits for nobody: a row that somebody else holds is left out. */
    static final String CLAIM = """
            with call as (
                select
                    unnest(cast(? as bigint[])) as place,
                    unnest(cast(cast(? as text[]) as uuid[])) as run_id,
                    unnest(cast(? as text[])) as id,
                    unnest(cast(? as bigint[])) as version_before,
                    unnest(cast(cast(? as text[]) as uuid[])) as token,
                    unnest(cast(? as text[])) as worker,
                    unnest(cast(? as text[])) as details,
                    unnest(cast(? as boolean[])) as next
            ), free as (
                select call.*
                from call
                cross join lateral (
                    select
                    from weir.partition as p
                    where p.run_id = call.run_id and p.id = call.id
                      and p.version = call.version_before
                      and not (call.next and exists (
                        select
                        from weir.partition as back
                        where back.run_id = call.run_id and back.state = 'RETRY'))
                    for no key update skip locked) as locked
            ), moved as (
                update weir.partition as p
                set state = 'RUNNING',
                    version = p.version + 1,
                    epoch = p.epoch + 1,
                    token = free.token,
                    worker = free.worker,
                    started_at = clock_timestamp(),
                    lease_until = clock_timestamp() + ? * interval '1 millisecond'
                from free
                where p.run_id = free.run_id and p.id = free.id
                  and p.version = free.version_before
                returning free.place, p.run_id, p.id, p.started_at, free.details
            ), told as (
                insert into weir.event (at, run_id, partition_id, name, details)
                select started_at, run_id, id, ?,
                    cast(details || to_json(started_at) || '}}' as jsonb)
                from moved
            )
            select moved.place, moved.started_at, held.*
            from moved
            left join lateral (
                select id as holder, snapshot_kind, snapshot_text, worker, lease_until
                from weir.snapshot_holder as h
                where h.run_id = moved.run_id
                order by h.lease_until desc, h.id
                limit 1) as held on true
            """;

    private final List<PartitionMove> moves;
    private final Set<PartitionKey> next;
    private final Duration lease;

    ClaimMoves(List<PartitionMove> moves, Set<PartitionKey> next, Duration lease) {
        this.moves = MoveArrays.sorted(moves);
        this.next = next;
        this.lease = lease;
    }

    /** Those that were left out are missing. */
    Map<PartitionKey, Claimed> run(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(CLAIM)) {
            MoveArrays arrays = new MoveArrays(connection, statement);
            arrays.places(moves);
            arrays.texts(moves, move -> move.after().runId().toString());
            arrays.texts(moves, move -> move.after().id().value());
            arrays.longs(moves, move -> move.before().version());
            arrays.texts(moves, move -> Objects.toString(move.after().token(), null));
            arrays.texts(moves, move -> move.after().worker());
            arrays.texts(moves, ClaimMoves::detailsUntilStart);
            arrays.truths(moves, move -> next.contains(PartitionKey.of(move.after())));
            statement.setLong(arrays.next(), lease.toMillis());
            statement.setString(arrays.next(), moves.get(0).name());
            try (ResultSet rows = statement.executeQuery()) {
                return read(rows);
            }
        }
    }

    /** The event up to the time that the database has to say: one document to parse, not two. */
    private static String detailsUntilStart(PartitionMove move) {
        ObjectNode details = MoveArrays.details(move);
        ObjectNode partition = (ObjectNode) details.elements().next();
        partition.remove("started_at");
        String line = Json.line(details);
        return line.substring(0, line.length() - "}}".length()) + ",\"started_at\":";
    }

    private Map<PartitionKey, Claimed> read(ResultSet rows) throws SQLException {
        Map<PartitionKey, Claimed> claimed = new HashMap<>();
        Fields fields = new Fields(rows);
        while (rows.next()) {
            PartitionMove move = moves.get(fields.count("place") - 1);
            PartitionKey key = PartitionKey.of(move.after());
            claimed.put(
                    key,
                    Claimed.of(
                            move.after(),
                            fields.instant("started_at"),
                            lease,
                            holder(fields, key.runId())));
        }
        return claimed;
    }

    private static @Nullable SnapshotHolder holder(Fields fields, RunId runId) throws SQLException {
        UUID id = fields.uuidOrNull("holder");
        return id == null
                ? null
                : new SnapshotHolder(
                        runId,
                        id,
                        new SnapshotToken(
                                fields.text("snapshot_kind"), fields.text("snapshot_text")),
                        fields.text("worker"),
                        fields.instant("lease_until"));
    }
}
