package io.weir.ledger.database;

import io.weir.core.run.PartitionId;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.outside.OutsidePartition;
import io.weir.ledger.outside.OutsideReplies.Claimed;
import io.weir.ledger.outside.OutsideReplies.Reported;
import io.weir.ledger.outside.OutsideRequests.Chunk;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What flows ask most, as one statement that is its own transaction. Its guards are those of the
 * usual case; whatever they do not let through is decided under a lock instead.
 */
final class OutsideAdvance {
    /**
     * Only reports that leave their partition open, and only chunks that nobody reported before. A
     * chunk that is reported twice at the same time meets the primary key.
     */
    static final String REPORT = """
            with call as (
                select *
                from unnest(
                    cast(? as integer[]), cast(? as text[]), cast(? as text[]), cast(? as text[]),
                    cast(? as bigint[]), cast(? as bigint[]))
                    as call (chunk_index, fragment, path, file_name, rows, bytes)
            ), moved as (
                update weir.outside_partition as p
                set rows = p.rows + ?,
                    bytes = p.bytes + ?,
                    chunk_count = p.chunk_count + ?,
                    lease_until = clock_timestamp() + p.lease_ms * interval '1 millisecond',
                    version = p.version + 1
                from weir.outside_run as r
                where p.run_id = ? and p.id = ? and p.state = 'RUNNING' and p.token_digest = ?
                  and p.epoch = coalesce(?, p.epoch) and p.chunk_count + ? < ?
                  and r.id = p.run_id
                  and not exists (
                    select from call
                    where call.path is not null
                      and not starts_with(call.path, r.run_path || '/'))
                  and not exists (
                    select
                    from weir.outside_chunk as c
                    where c.run_id = p.run_id and c.partition_id = p.id and c.epoch = p.epoch
                      and c.chunk_index in (select chunk_index from call))
                returning p.run_id, p.id, p.epoch, p.chunk_count, r.run_path,
                    r.state as run_state
            ), brought as (
                insert into weir.outside_chunk (
                    run_id, partition_id, epoch, chunk_index, chunk_total, fragment, path, rows,
                    bytes, state, written_at)
                select moved.run_id, moved.id, moved.epoch, call.chunk_index, ?, call.fragment,
                    coalesce(
                        call.path,
                        moved.run_path || '/p=' || moved.id || '/e=' || moved.epoch || '/'
                            || call.file_name),
                    call.rows, call.bytes, 'WRITTEN', clock_timestamp()
                from moved
                cross join call
            )
            select chunk_count, run_state from moved
            """;

    /** Only a partition that nobody had before: no dispatch of it can be open. */
    static final String CLAIM = """
            with moved as (
                update weir.outside_partition as p
                set state = 'RUNNING',
                    version = p.version + 1,
                    epoch = p.epoch + 1,
                    token_digest = ?,
                    worker = ?,
                    lease_ms = ?,
                    lease_until = clock_timestamp() + ? * interval '1 millisecond',
                    started_at = clock_timestamp(),
                    rows = 0,
                    bytes = 0,
                    chunk_count = 0,
                    failure_stage = null,
                    failure_code = null,
                    failure_message = null
                where p.run_id = ? and p.id = ? and p.state = 'PENDING'
                returning p.*
            ), told as (
                insert into weir.outside_event (
                    at, run_id, partition_id, level, name, message, details)
                select started_at, run_id, id, 'INFO', 'PARTITION_STARTED', '',
                    jsonb_build_object('partition/' || id, to_jsonb(moved) - 'lease_until')
                from moved
            )
            select * from moved
            """;

    /** In the same message as the claim: what a worker has to know comes from its run. */
    static final String CLAIMED_RUN = """
            select * from weir.outside_run where id = ?
            """;

    private final Connection connection;

    OutsideAdvance(Connection connection) {
        this.connection = connection;
    }

    /** Empty, with nothing written, if this is not the usual case. */
    Optional<Reported> report(
            RunId runId,
            PartitionId id,
            String tokenDigest,
            @Nullable Long epoch,
            int total,
            List<Chunk> chunks)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(REPORT)) {
            array(statement, 1, "integer", chunks, Chunk::index);
            array(statement, 2, "text", chunks, Chunk::fragment);
            array(statement, 3, "text", chunks, Chunk::path);
            array(statement, 4, "text", chunks, Chunk::fileName);
            array(statement, 5, "bigint", chunks, Chunk::rows);
            array(statement, 6, "bigint", chunks, Chunk::bytes);
            statement.setLong(7, sum(chunks, Chunk::rows));
            statement.setLong(8, sum(chunks, Chunk::bytes));
            statement.setInt(9, chunks.size());
            statement.setObject(10, runId.value());
            statement.setString(11, id.value());
            statement.setString(12, tokenDigest);
            statement.setObject(13, epoch, Types.BIGINT);
            statement.setInt(14, chunks.size());
            statement.setInt(15, total);
            statement.setInt(16, total);
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    return Optional.empty();
                }
                Fields fields = new Fields(rows);
                return Optional.of(new Reported(
                        PartitionState.RUNNING,
                        fields.constant("run_state", RunState.class),
                        fields.count("chunk_count"),
                        total,
                        false));
            }
        }
    }

    private <T> void array(
            PreparedStatement statement,
            int place,
            String type,
            List<T> rows,
            Function<T, @Nullable Object> column)
            throws SQLException {
        Object[] values = rows.stream().map(column).toArray();
        statement.setArray(place, connection.createArrayOf(type, values));
    }

    private static long sum(List<Chunk> chunks, Function<Chunk, @Nullable Long> column) {
        long sum = 0;
        for (Chunk chunk : chunks) {
            Long value = column.apply(chunk);
            sum = Math.addExact(sum, value == null ? 0 : value);
        }
        return sum;
    }

    /** Empty, with nothing written, if somebody had the partition before, or if there is none. */
    Optional<Claimed> claim(
            RunId runId, PartitionId id, String tokenDigest, String worker, long leaseMillis)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(CLAIM + ";" + CLAIMED_RUN)) {
            statement.setString(1, tokenDigest);
            statement.setString(2, worker);
            statement.setLong(3, leaseMillis);
            statement.setLong(4, leaseMillis);
            statement.setObject(5, runId.value());
            statement.setString(6, id.value());
            statement.setObject(7, runId.value());
            statement.execute();
            OutsidePartition partition;
            try (ResultSet rows = statement.getResultSet()) {
                if (!rows.next()) {
                    return Optional.empty();
                }
                partition = PostgresOutsideRows.partition(rows);
            }
            statement.getMoreResults();
            try (ResultSet rows = statement.getResultSet()) {
                rows.next();
                return Optional.of(new Claimed(true, PostgresOutsideRows.run(rows), partition));
            }
        }
    }
}
