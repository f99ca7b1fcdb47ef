package io.weir.ledger.database;

import io.weir.core.json.Json;
import io.weir.core.run.Loss;
import io.weir.ledger.books.PartitionMove;
import io.weir.ledger.chunk.ChunkRow;
import io.weir.ledger.partition.PartitionKey;
import io.weir.ledger.sql.LossJson;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * New chunks of partitions that were seen without a lock, with what the partitions count then and
 * with their events, as one statement that is its own transaction: one message, one commit.
 */
final class ReportMoves {
    /**
     * Waits for nobody: a row that somebody else holds is left out. Chunks find their partition by
     * its place in arrays, and what is called comes out of its arrays side by side: without a join
     * and without a buffer for each array. Losses, which are the same for many, are read once each.
     */
    static final String REPORT = """
            with call as (
                select
                    unnest(cast(? as bigint[])) as place,
                    unnest(cast(cast(? as text[]) as uuid[])) as run_id,
                    unnest(cast(? as text[])) as id,
                    unnest(cast(? as bigint[])) as version_before,
                    unnest(cast(? as integer[])) as chunk_count,
                    unnest(cast(? as bigint[])) as bytes,
                    unnest(cast(? as bigint[])) as rows,
                    unnest(cast(? as text[])) as digest_sum,
                    unnest(cast(? as text[])) as details
            ), free as (
                select call.*
                from call
                cross join lateral (
                    select
                    from weir.partition as p
                    where p.run_id = call.run_id and p.id = call.id
                      and p.version = call.version_before
                    for no key update skip locked) as locked
            ), moved as (
                update weir.partition as p
                set version = p.version + 1,
                    chunk_count = free.chunk_count,
                    bytes = free.bytes,
                    rows = free.rows,
                    digest_sum = cast(free.digest_sum as numeric),
                    lease_until = clock_timestamp() + ? * interval '1 millisecond'
                from free
                where p.run_id = free.run_id and p.id = free.id
                  and p.version = free.version_before
                returning free.place, p.run_id, p.id, p.epoch, free.details,
                    clock_timestamp() as at
            ), written as (
                select
                    array_agg(moved.run_id order by call.place) as run_ids,
                    array_agg(moved.id order by call.place) as ids,
                    array_agg(moved.epoch order by call.place) as epochs,
                    cast(cast(? as text[]) as jsonb[]) as losses
                from call
                left join moved on moved.place = call.place
            ), brought as (
                insert into weir.chunk (
                    run_id, partition_id, epoch, chunk_index, bytes, rows, digest_sum, losses,
                    last, state)
                select
                    written.run_ids[c.place], written.ids[c.place], written.epochs[c.place],
                    c.chunk_index, c.bytes, c.rows, cast(c.digest_sum as numeric),
                    written.losses[c.place_of_losses], false, 'WRITTEN'
                from (
                    select
                        unnest(cast(? as integer[])) as place,
                        unnest(cast(? as integer[])) as chunk_index,
                        unnest(cast(? as bigint[])) as bytes,
                        unnest(cast(? as bigint[])) as rows,
                        unnest(cast(? as text[])) as digest_sum,
                        unnest(cast(? as integer[])) as place_of_losses) as c
                cross join written
                where written.epochs[c.place] is not null
            ), told as (
                insert into weir.event (at, run_id, partition_id, name, details)
                select at, run_id, id, ?, cast(details as jsonb) from moved
            )
            select place, at from moved
            """;

    private final List<PartitionMove> moves;
    private final Duration lease;

    ReportMoves(List<PartitionMove> moves, Duration lease) {
        this.moves = MoveArrays.sorted(moves);
        this.lease = lease;
    }

    /** When each was written; those that were left out are missing. */
    Map<PartitionKey, Instant> run(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(REPORT)) {
            MoveArrays arrays = new MoveArrays(connection, statement);
            bindMoves(arrays);
            statement.setLong(arrays.next(), lease.toMillis());
            List<Placed> placed = placed();
            Map<List<Loss>, Integer> places = new LinkedHashMap<>();
            placed.forEach(chunk -> places.putIfAbsent(chunk.row.losses(), places.size() + 1));
            arrays.texts(List.copyOf(places.keySet()), one -> Json.line(LossJson.write(one)));
            bindChunks(arrays, placed, places);
            statement.setString(arrays.next(), moves.get(0).name());
            try (ResultSet rows = statement.executeQuery()) {
                Map<PartitionKey, Instant> written = new HashMap<>();
                Fields fields = new Fields(rows);
                while (rows.next()) {
                    written.put(
                            PartitionKey.of(moves.get(fields.count("place") - 1).after()),
                            fields.instant("at"));
                }
                return written;
            }
        }
    }

    private void bindMoves(MoveArrays arrays) throws SQLException {
        arrays.places(moves);
        arrays.texts(moves, move -> move.after().runId().toString());
        arrays.texts(moves, move -> move.after().id().value());
        arrays.longs(moves, move -> move.before().version());
        arrays.ints(moves, move -> move.after().chunkCount());
        arrays.longs(moves, move -> move.after().bytes());
        arrays.longs(moves, move -> move.after().balance().rows());
        arrays.texts(moves, move -> move.after().balance().digestSum().toString());
        arrays.texts(moves, move -> Json.line(MoveArrays.details(move)));
    }

    private List<Placed> placed() {
        List<Placed> placed = new ArrayList<>();
        for (int i = 0; i < moves.size(); i++) {
            for (ChunkRow row : moves.get(i).chunks()) {
                placed.add(new Placed(i + 1, row));
            }
        }
        return placed;
    }

    private static void bindChunks(
            MoveArrays arrays, List<Placed> placed, Map<List<Loss>, Integer> placesOfLosses)
            throws SQLException {
        arrays.ints(placed, Placed::place);
        arrays.ints(placed, chunk -> chunk.row.chunk().index());
        arrays.longs(placed, chunk -> chunk.row.chunk().bytes());
        arrays.longs(placed, chunk -> chunk.row.chunk().balance().rows());
        arrays.texts(placed, chunk -> chunk.row.chunk().balance().digestSum().toString());
        arrays.ints(
                placed,
                chunk -> Objects.requireNonNull(
                        placesOfLosses.get(chunk.row.losses()), "place of losses"));
    }

    private record Placed(int place, ChunkRow row) {}
}
