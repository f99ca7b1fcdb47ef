package io.weir.ledger.database;

import io.weir.core.run.PartitionState;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.outside.OutsidePartition;
import io.weir.ledger.outside.OutsideReplies.Claimed;
import io.weir.ledger.outside.OutsideReplies.Reported;
import io.weir.ledger.outside.OutsideRequests.Chunk;
import io.weir.ledger.outside.OutsideRun;
import io.weir.ledger.outside.OutsideTransactions.Claim;
import io.weir.ledger.outside.OutsideTransactions.Report;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What flows ask most, for several of them as one statement that is its own transaction. Its guards
 * are those of the usual case; whatever they do not let through is decided under a lock instead. It
 * waits for nobody: a row that somebody else holds is left out.
 */
final class OutsideAdvance {
    /**
     * Only reports that leave their partition open, and only chunks that nobody reported before. A
     * chunk that is reported twice at the same time meets the primary key.
     */
    static final String REPORT = """
            with call as (
                select
                    unnest(cast(? as bigint[])) as place,
                    unnest(cast(cast(? as text[]) as uuid[])) as run_id,
                    unnest(cast(? as text[])) as id,
                    unnest(cast(? as text[])) as token_digest,
                    unnest(cast(? as bigint[])) as epoch,
                    unnest(cast(? as integer[])) as total,
                    unnest(cast(? as bigint[])) as rows,
                    unnest(cast(? as bigint[])) as bytes,
                    unnest(cast(? as integer[])) as chunks,
                    unnest(cast(? as text[])) as indexes,
                    unnest(cast(? as text[])) as path_start
            ), free as (
                select call.*, locked.held, run.run_path, run.state as run_state
                from call
                join weir.outside_run as run on run.id = call.run_id
                cross join lateral (
                    select p.epoch as held
                    from weir.outside_partition as p
                    where p.run_id = call.run_id and p.id = call.id and p.state = 'RUNNING'
                      and p.token_digest = call.token_digest
                      and p.epoch = coalesce(call.epoch, p.epoch)
                      and p.chunk_count + call.chunks < call.total
                    for no key update skip locked) as locked
                where (call.path_start is null
                        or starts_with(call.path_start, run.run_path || '/'))
                  and not exists (
                    select
                    from weir.outside_chunk as c
                    where c.run_id = call.run_id and c.partition_id = call.id
                      and c.epoch = locked.held
                      and c.chunk_index = any (cast(call.indexes as integer[])))
            ), moved as (
                update weir.outside_partition as p
                set rows = p.rows + free.rows,
                    bytes = p.bytes + free.bytes,
                    chunk_count = p.chunk_count + free.chunks,
                    lease_until = clock_timestamp() + p.lease_ms * interval '1 millisecond',
                    version = p.version + 1
                from free
                where p.run_id = free.run_id and p.id = free.id and p.state = 'RUNNING'
                  and p.token_digest = free.token_digest and p.epoch = free.held
                  and p.chunk_count + free.chunks < free.total
                returning free.place, p.run_id, p.id, p.epoch, p.chunk_count, free.total,
                    free.run_path, free.run_state
            ), written as (
                select
                    array_agg(moved.run_id order by call.place) as run_ids,
                    array_agg(moved.id order by call.place) as ids,
                    array_agg(moved.epoch order by call.place) as epochs,
                    array_agg(moved.total order by call.place) as totals,
                    array_agg(moved.run_path order by call.place) as run_paths
                from call
                left join moved on moved.place = call.place
            ), brought as (
                insert into weir.outside_chunk (
                    run_id, partition_id, epoch, chunk_index, chunk_total, fragment, path, rows,
                    bytes, state, written_at)
                select written.run_ids[c.place], written.ids[c.place], written.epochs[c.place],
                    c.chunk_index, written.totals[c.place], c.fragment,
                    coalesce(
                        c.path,
                        written.run_paths[c.place] || '/p=' || written.ids[c.place] || '/e='
                            || written.epochs[c.place] || '/' || c.file_name),
                    c.rows, c.bytes, 'WRITTEN', clock_timestamp()
                from (
                    select
                        unnest(cast(? as integer[])) as place,
                        unnest(cast(? as integer[])) as chunk_index,
                        unnest(cast(? as text[])) as fragment,
                        unnest(cast(? as text[])) as path,
                        unnest(cast(? as text[])) as file_name,
                        unnest(cast(? as bigint[])) as rows,
                        unnest(cast(? as bigint[])) as bytes) as c
                cross join written
                where written.epochs[c.place] is not null
            )
            select place, chunk_count, run_state from moved
            """;

    /** Only partitions that nobody had before: no dispatch of them can be open. */
    static final String CLAIM = """
            with call as (
                select *
                from unnest(
                    cast(cast(? as text[]) as uuid[]), cast(? as text[]), cast(? as text[]),
                    cast(? as text[]), cast(? as bigint[]))
                    with ordinality as call (run_id, id, token_digest, worker, lease_ms, place)
            ), free as (
                select call.*
                from call
                cross join lateral (
                    select
                    from weir.outside_partition as p
                    where p.run_id = call.run_id and p.id = call.id and p.state = 'PENDING'
                    for no key update skip locked) as locked
            ), moved as (
                update weir.outside_partition as p
                set state = 'RUNNING',
                    version = p.version + 1,
                    epoch = p.epoch + 1,
                    token_digest = free.token_digest,
                    worker = free.worker,
                    lease_ms = free.lease_ms,
                    lease_until = clock_timestamp() + free.lease_ms * interval '1 millisecond',
                    started_at = clock_timestamp(),
                    rows = 0,
                    bytes = 0,
                    chunk_count = 0,
                    failure_stage = null,
                    failure_code = null,
                    failure_message = null
                from free
                where p.run_id = free.run_id and p.id = free.id and p.state = 'PENDING'
                returning p.*, free.place
            ), told as (
                insert into weir.outside_event (
                    at, run_id, partition_id, level, name, message, details)
                select started_at, run_id, id, 'INFO', 'PARTITION_STARTED', '',
                    jsonb_build_object(
                        'partition/' || id, to_jsonb(moved) - 'lease_until' - 'place')
                from moved
            )
            select * from moved
            """;

    /** In the same message as the claims: what a worker has to know comes from its run. */
    static final String CLAIMED_RUNS = """
            select * from weir.outside_run where id = any (cast(cast(? as text[]) as uuid[]))
            """;

    private final Connection connection;

    OutsideAdvance(Connection connection) {
        this.connection = connection;
    }

    /** One answer for each, in order; empty, with nothing written, if it is not the usual case. */
    List<Optional<Reported>> report(List<Report> reports) throws SQLException {
        List<Integer> order =
                order(reports, Report::runId, report -> report.id().value());
        List<Report> calls = order.stream().map(reports::get).toList();
        List<Optional<Reported>> answers = unanswered(reports.size());
        try (PreparedStatement statement = connection.prepareStatement(REPORT)) {
            bind(new MoveArrays(connection, statement), calls);
            try (ResultSet rows = statement.executeQuery()) {
                Fields fields = new Fields(rows);
                while (rows.next()) {
                    int place = order.get(fields.count("place") - 1);
                    answers.set(
                            place,
                            Optional.of(new Reported(
                                    PartitionState.RUNNING,
                                    fields.constant("run_state", RunState.class),
                                    fields.count("chunk_count"),
                                    reports.get(place).total(),
                                    false)));
                }
            }
        }
        return answers;
    }

    private static void bind(MoveArrays arrays, List<Report> calls) throws SQLException {
        arrays.places(calls);
        arrays.texts(calls, call -> call.runId().toString());
        arrays.texts(calls, call -> call.id().value());
        arrays.texts(calls, Report::tokenDigest);
        arrays.numbers(calls, Report::epoch);
        arrays.ints(calls, Report::total);
        arrays.longs(calls, call -> sum(call.chunks(), Chunk::rows));
        arrays.longs(calls, call -> sum(call.chunks(), Chunk::bytes));
        arrays.ints(calls, call -> call.chunks().size());
        arrays.texts(calls, OutsideAdvance::indexes);
        arrays.texts(calls, OutsideAdvance::pathStart);
        List<Placed> placed = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            for (Chunk chunk : calls.get(i).chunks()) {
                placed.add(new Placed(i + 1, chunk));
            }
        }
        arrays.ints(placed, Placed::place);
        arrays.ints(placed, one -> one.chunk.index());
        arrays.texts(placed, one -> one.chunk.fragment());
        arrays.texts(placed, one -> one.chunk.path());
        arrays.texts(placed, one -> one.chunk.fileName());
        arrays.longs(placed, one -> one.chunk.rows());
        arrays.numbers(placed, one -> one.chunk.bytes());
    }

    /** An array as text: the server looks for each index, not through all chunks before. */
    private static String indexes(Report call) {
        return call.chunks().stream()
                .map(chunk -> String.valueOf(chunk.index()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    /** What all paths have in common: it lies below a directory exactly if they all do. */
    private static @Nullable String pathStart(Report call) {
        String start = null;
        for (Chunk chunk : call.chunks()) {
            String path = chunk.path();
            if (path != null) {
                start = start == null ? path : start.substring(0, common(start, path));
            }
        }
        return start;
    }

    private static int common(String one, String other) {
        int most = Math.min(one.length(), other.length());
        for (int i = 0; i < most; i++) {
            if (one.charAt(i) != other.charAt(i)) {
                return i;
            }
        }
        return most;
    }

    private record Placed(int place, Chunk chunk) {}

    /** The same for claims. */
    List<Optional<Claimed>> claim(List<Claim> claims) throws SQLException {
        List<Integer> order = order(claims, Claim::runId, claim -> claim.id().value());
        List<Claim> calls = order.stream().map(claims::get).toList();
        List<String> runs =
                calls.stream().map(call -> call.runId().toString()).distinct().toList();
        try (PreparedStatement statement =
                connection.prepareStatement(CLAIM + ";" + CLAIMED_RUNS)) {
            MoveArrays arrays = new MoveArrays(connection, statement);
            arrays.texts(calls, call -> call.runId().toString());
            arrays.texts(calls, call -> call.id().value());
            arrays.texts(calls, Claim::tokenDigest);
            arrays.texts(calls, Claim::worker);
            arrays.longs(calls, Claim::leaseMillis);
            arrays.texts(runs, id -> id);
            statement.execute();
            return read(statement, order);
        }
    }

    private static List<Optional<Claimed>> read(PreparedStatement statement, List<Integer> order)
            throws SQLException {
        List<Optional<Claimed>> answers = unanswered(order.size());
        // The runs come second, and every answer needs its run.
        Map<Integer, OutsidePartition> claimed = new HashMap<>();
        try (ResultSet rows = statement.getResultSet()) {
            Fields fields = new Fields(rows);
            while (rows.next()) {
                claimed.put(
                        order.get(fields.count("place") - 1), PostgresOutsideRows.partition(rows));
            }
        }
        statement.getMoreResults();
        Map<RunId, OutsideRun> runs = new HashMap<>();
        try (ResultSet rows = statement.getResultSet()) {
            while (rows.next()) {
                OutsideRun run = PostgresOutsideRows.run(rows);
                runs.put(run.id(), run);
            }
        }
        claimed.forEach((place, partition) -> answers.set(
                place,
                Optional.ofNullable(runs.get(partition.runId()))
                        .map(run -> new Claimed(true, run, partition))));
        return answers;
    }

    private static <A> List<Optional<A>> unanswered(int size) {
        return new ArrayList<>(Collections.nCopies(size, Optional.empty()));
    }

    /** One order of rows always, so that two of these never wait for each other. */
    private static <C> List<Integer> order(
            List<C> calls, Function<C, RunId> run, Function<C, String> id) {
        return IntStream.range(0, calls.size())
                .boxed()
                .sorted(Comparator.<Integer, UUID>comparing(
                                place -> run.apply(calls.get(place)).value())
                        .thenComparing(place -> id.apply(calls.get(place))))
                .toList();
    }

    private static long sum(List<Chunk> chunks, Function<Chunk, @Nullable Long> column) {
        long sum = 0;
        for (Chunk chunk : chunks) {
            Long value = column.apply(chunk);
            sum = Math.addExact(sum, value == null ? 0 : value);
        }
        return sum;
    }
}
