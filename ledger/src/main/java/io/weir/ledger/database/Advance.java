package io.weir.ledger.database;

import io.weir.core.json.Json;
import io.weir.core.run.RunId;
import io.weir.core.run.SnapshotHolder;
import io.weir.core.run.SnapshotToken;
import io.weir.ledger.books.Advanced;
import io.weir.ledger.books.PartitionMove;
import io.weir.ledger.chunk.ChunkColumns;
import io.weir.ledger.chunk.ChunkRow;
import io.weir.ledger.event.EventDraft;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.partition.PartitionColumns;
import io.weir.ledger.partition.PartitionKey;
import io.weir.ledger.sql.LossJson;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * Moves of partitions that were seen without a lock, with their chunks and events, as one statement
 * that is its own transaction: one message, one commit. A column is one array, because the driver
 * and the server read arrays faster than anything else that holds many rows.
 */
final class Advance {
    /** Waits for nobody: a row that somebody else holds is left out. */
    static final String ADVANCE = """
            with call as (
                select *
                from unnest(
                    cast(? as uuid[]), cast(? as text[]), cast(? as bigint[]), cast(? as text[]),
                    cast(? as text[]), cast(? as bigint[]), cast(? as bigint[]), cast(? as uuid[]),
                    cast(? as text[]), cast(? as integer[]), cast(? as bigint[]),
                    cast(? as bigint[]), cast(? as numeric[]), cast(? as timestamptz[]),
                    cast(? as text[]), cast(? as text[]))
                    with ordinality as call (
                    run_id, id, version_before, state_before, state, version, epoch, token, worker,
                    chunk_count, bytes, rows, digest_sum, started_at, event, details, place)
            ), free as (
                select call.*
                from call
                cross join lateral (
                    select
                    from weir.partition as p
                    where p.run_id = call.run_id and p.id = call.id
                      and p.version = call.version_before and p.state = call.state_before
                    for no key update skip locked) as locked
            ), moved as (
                update weir.partition as p
                set state = free.state,
                    version = free.version,
                    epoch = free.epoch,
                    token = free.token,
                    worker = free.worker,
                    chunk_count = free.chunk_count,
                    bytes = free.bytes,
                    rows = free.rows,
                    digest_sum = free.digest_sum,
                    started_at = free.started_at,
                    lease_until = clock_timestamp() + ? * interval '1 millisecond'
                from free
                where p.run_id = free.run_id and p.id = free.id
                  and p.version = free.version_before
                returning free.place, p.run_id, p.id, p.epoch, free.event, free.details,
                    clock_timestamp() as at
            ), brought as (
                insert into weir.chunk (
                    run_id, partition_id, epoch, chunk_index, path, bytes, rows, digest_sum,
                    losses, last, state)
                select
                    moved.run_id, moved.id, moved.epoch, c.chunk_index, c.path, c.bytes, c.rows,
                    c.digest_sum, cast(c.losses as jsonb), c.last, c.state
                from unnest(
                    cast(? as bigint[]), cast(? as integer[]), cast(? as text[]),
                    cast(? as bigint[]), cast(? as bigint[]), cast(? as numeric[]),
                    cast(? as text[]), cast(? as boolean[]), cast(? as text[]))
                    as c (place, chunk_index, path, bytes, rows, digest_sum, losses, last, state)
                join moved on moved.place = c.place
            ), told as (
                insert into weir.event (at, run_id, partition_id, name, details)
                select at, run_id, id, event, cast(details as jsonb) from moved
            )
            select moved.place, moved.at, held.*
            from moved
            left join lateral (
                select id as holder, snapshot_kind, snapshot_text, worker, lease_until
                from weir.snapshot_holder as h
                where h.run_id = moved.run_id
                order by h.lease_until desc, h.id
                limit 1) as held on true
            """;

    /** In one order always, so that two of these never wait for each other. */
    private static final Comparator<PartitionMove> ORDER =
            Comparator.<PartitionMove, UUID>comparing(
                            move -> move.after().runId().value())
                    .thenComparing(move -> move.after().ordinal());

    private final List<PartitionMove> moves;
    private final Duration lease;

    Advance(List<PartitionMove> moves, Duration lease) {
        this.moves = moves.stream().sorted(ORDER).toList();
        this.lease = lease;
    }

    Map<PartitionKey, Advanced> run(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(ADVANCE)) {
            Arrays arrays = new Arrays(connection, statement);
            bindMoves(arrays);
            statement.setLong(arrays.next(), lease.toMillis());
            bindChunks(arrays);
            try (ResultSet rows = statement.executeQuery()) {
                return read(rows);
            }
        }
    }

    private void bindMoves(Arrays arrays) throws SQLException {
        arrays.of("uuid", moves, move -> move.after().runId().value());
        arrays.of("text", moves, move -> move.after().id().value());
        arrays.of("bigint", moves, move -> move.before().version());
        arrays.of("text", moves, move -> move.before().state().name());
        arrays.of("text", moves, move -> move.after().state().name());
        arrays.of("bigint", moves, move -> move.after().version());
        arrays.of("bigint", moves, move -> move.after().epoch());
        arrays.of("uuid", moves, move -> move.after().token());
        arrays.of("text", moves, move -> move.after().worker());
        arrays.of("integer", moves, move -> move.after().chunkCount());
        arrays.of("bigint", moves, move -> move.after().bytes());
        arrays.of("bigint", moves, move -> move.after().balance().rows());
        arrays.of("numeric", moves, move -> digits(move.after().balance().digestSum()));
        arrays.of("timestamptz", moves, move -> move.after().startedAt());
        arrays.of("text", moves, PartitionMove::name);
        arrays.of("text", moves, move -> Json.line(draft(move).details()));
    }

    private void bindChunks(Arrays arrays) throws SQLException {
        List<Placed> placed = new ArrayList<>();
        for (int i = 0; i < moves.size(); i++) {
            for (ChunkRow row : moves.get(i).chunks()) {
                placed.add(new Placed(i + 1, row));
            }
        }
        arrays.of("bigint", placed, Placed::place);
        arrays.of("integer", placed, chunk -> chunk.row.chunk().index());
        arrays.of("text", placed, chunk -> chunk.row.chunk().path());
        arrays.of("bigint", placed, chunk -> chunk.row.chunk().bytes());
        arrays.of("bigint", placed, chunk -> chunk.row.chunk().balance().rows());
        arrays.of("numeric", placed, chunk -> digits(chunk.row.chunk().balance().digestSum()));
        arrays.of("text", placed, chunk -> Json.line(LossJson.write(chunk.row.losses())));
        arrays.of("boolean", placed, chunk -> chunk.row.chunk().last());
        arrays.of("text", placed, chunk -> chunk.row.chunk().state().name());
    }

    private record Placed(long place, ChunkRow row) {}

    private static BigDecimal digits(BigInteger sum) {
        return new BigDecimal(sum);
    }

    /** Its time is the database's. */
    private static EventDraft draft(PartitionMove move) {
        List<RowChange> changes = new ArrayList<>();
        changes.add(PartitionColumns.changed(move.before(), move.after()));
        move.chunks().forEach(chunk -> changes.add(ChunkColumns.added(chunk)));
        return new EventDraft(
                Instant.EPOCH, move.after().runId(), move.after().id(), move.name(), changes);
    }

    private Map<PartitionKey, Advanced> read(ResultSet rows) throws SQLException {
        Map<PartitionKey, Advanced> advanced = new HashMap<>();
        Fields fields = new Fields(rows);
        while (rows.next()) {
            PartitionMove move = moves.get(fields.count("place") - 1);
            PartitionKey key = PartitionKey.of(move.after());
            UUID holder = fields.uuidOrNull("holder");
            advanced.put(
                    key,
                    new Advanced(
                            fields.instant("at"),
                            holder == null ? null : holder(fields, key.runId(), holder)));
        }
        return advanced;
    }

    private static SnapshotHolder holder(Fields fields, RunId runId, UUID id) throws SQLException {
        return new SnapshotHolder(
                runId,
                id,
                new SnapshotToken(fields.text("snapshot_kind"), fields.text("snapshot_text")),
                fields.text("worker"),
                fields.instant("lease_until"));
    }

    /** Binds columns of rows, one parameter each. */
    private static final class Arrays {
        private final Connection connection;
        private final PreparedStatement statement;
        private int place;

        Arrays(Connection connection, PreparedStatement statement) {
            this.connection = connection;
            this.statement = statement;
        }

        int next() {
            return ++place;
        }

        <T> void of(String type, List<T> rows, Function<T, ?> column) throws SQLException {
            Object[] values = rows.stream().map(column).toArray();
            statement.setArray(next(), connection.createArrayOf(type, values));
        }
    }
}
