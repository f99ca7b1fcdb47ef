package io.weir.ledger.database;

import io.weir.ledger.sql.Columns;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Statements on the tables of outside runs. */
final class PostgresOutsideSql {
    static final String NOW = "select clock_timestamp() as now";

    static final String NEW_ID = "select gen_random_uuid()";

    static final String FIND_RUN = "select * from weir.outside_run where id = :id";

    static final String LOCK_RUN = "select * from weir.outside_run where id = :id for update";

    static final String LOCK_RUN_IF_FREE = """
            select * from weir.outside_run where id = :id for update skip locked
            """;

    static final String RUN_OF_KEY = """
            select * from weir.outside_run where idempotency_key = :key
            """;

    static final String ACTIVE_RUN = """
            select * from weir.outside_run
            where job = :job and business_key = :business_key and
            """ + active();

    static final String ACTIVE_RUNS = "select id from weir.outside_run where " + active()
            + " order by created_at, id limit :most";

    static final String NEWEST_RUNS = """
            select * from weir.outside_run
            where (cast(:job as text) is null or job = :job)
              and (cast(:business_key as text) is null or business_key = :business_key)
              and (cast(:state as text) is null or state = :state)
            order by created_at desc, id
            limit :most
            """;

    static final String CLEANABLE = """
            select * from weir.outside_run
            where ended_at is not null and cleaned_at is null
              and (cast(:job as text) is null or job = :job)
              and ended_at < case when state = 'SUCCESS'
                then cast(:succeeded as timestamptz) else cast(:failed as timestamptz) end
            order by ended_at, id
            limit :most
            """;

    static final String INSERT_PARTITIONS = """
            insert into weir.outside_partition
            select * from json_populate_recordset(
                null::weir.outside_partition, cast(:rows as json))
            """;

    static final String LOCK_PARTITION = """
            select * from weir.outside_partition
            where run_id = :run_id and id = :id
            for update
            """;

    static final String PARTITIONS = """
            select * from weir.outside_partition where run_id = :run_id order by ordinal
            """;

    /** Only those: a report leaves a row that is locked to a slower way. */
    static final String LOCK_LOST_PARTITIONS = """
            select * from weir.outside_partition
            where run_id = :run_id and state = 'RUNNING' and lease_until <= :now
            order by ordinal
            for update
            """;

    static final String CLOSE_PARTITIONS = """
            update weir.outside_partition
            set state = 'TIMED_OUT', lease_until = null, ended_at = :at, version = version + 1
            where run_id = :run_id and state in ('PENDING', 'RUNNING', 'RETRY')
            returning *
            """;

    static final String CHUNKS = """
            select * from weir.outside_chunk
            where run_id = :run_id and partition_id = :partition_id and epoch = :epoch
            order by chunk_index
            """;

    static final String COUNTED_CHUNKS = """
            select chunk.*
            from weir.outside_partition as partition
            join weir.outside_chunk as chunk
              on chunk.run_id = partition.run_id and chunk.partition_id = partition.id
                and chunk.epoch = partition.epoch and chunk.state = 'WRITTEN'
            where partition.run_id = :run_id
            order by partition.ordinal, chunk.chunk_index
            """;

    static final String FAIL_CHUNKS = """
            update weir.outside_chunk set state = 'FAILED'
            where run_id = :run_id and partition_id = :partition_id and state = 'WRITTEN'
            """;

    static final String UPSERT_METRICS = """
            insert into weir.outside_metric
            select * from json_populate_recordset(null::weir.outside_metric, cast(:rows as json))
            on conflict (run_id, stage, name, query_version) do update
            set expected = excluded.expected, actual = excluded.actual,
                tolerance = excluded.tolerance, result = excluded.result,
                verdict = excluded.verdict, details = excluded.details,
                measured_at = excluded.measured_at
            """;

    static final String METRICS = """
            select * from weir.outside_metric
            where run_id = :run_id
            order by array_position(array['SOURCE', 'STAGING', 'TARGET'], stage), name,
                query_version
            """;

    static final String LOCK_DISPATCH = """
            select * from weir.outside_dispatch where id = :id and run_id = :run_id for update
            """;

    static final String DISPATCHES = """
            select * from weir.outside_dispatch
            where run_id = :run_id
            order by created_at, kind, partition_id, cycle
            """;

    static final String LOCK_UNSETTLED = """
            select * from weir.outside_dispatch
            where run_id = :run_id and state in ('PENDING', 'SENT', 'DEAD')
            order by id
            for update
            """;

    static final String LOCK_DUE = """
            select * from weir.outside_dispatch
            where state = 'PENDING' and due_at <= :now
              and kind = any (string_to_array(:kinds, ','))
            order by due_at
            limit :most
            for update skip locked
            """;

    static final String EVENTS = """
            select * from (
                select * from weir.outside_event
                where run_id = :run_id
                order by sequence desc
                limit :most
            ) as newest
            order by sequence
            """;

    static final String FAILED_CLEANUPS = """
            select distinct on (event.run_id) event.*
            from weir.outside_event as event
            join weir.outside_run as run on run.id = event.run_id
            where event.name = 'CLEANUP_FAILED' and event.at >= :since and run.cleaned_at is null
            order by event.run_id, event.sequence desc
            """;

    static final String DISPATCH_COUNTS = """
            select state, count(*) as count
            from weir.outside_dispatch
            group by state
            order by state
            """;

    static final String ACTIVE_COUNTS = "select state, count(*) as count from weir.outside_run"
            + " where " + active() + " group by state order by state";

    static final String ENDED_SINCE = """
            select count(*) from weir.outside_run where ended_at >= :since
            """;

    static final String DEAD_DISPATCHES = """
            select dispatch.*
            from weir.outside_dispatch as dispatch
            where state = 'DEAD'
            order by created_at desc
            limit :most
            """;

    static final String FAILED_SINCE = """
            select * from weir.outside_run
            where ended_at >= :since and state not in ('SUCCESS', 'CANCELLED')
            order by ended_at desc, id
            limit :most
            """;

    private PostgresOutsideSql() {}

    private static String active() {
        return """
                state in (
                    'CREATED', 'EXTRACTING', 'EXTRACTED_VALIDATED', 'STAGE_VALIDATING',
                    'STAGING_VALIDATED', 'PUBLISHING', 'PUBLISH_UNKNOWN', 'PUBLISHED')
                """;
    }

    /** Names of columns come from the code only. */
    static String insert(String table, Columns row) {
        Map<String, String> places = places(row);
        return "insert into weir." + table + " (" + String.join(", ", places.keySet())
                + ") values (" + String.join(", ", places.values()) + ")";
    }

    /** Up to the last assignment. */
    static String update(String table, Columns changes) {
        return "update weir." + table + " set "
                + places(changes).entrySet().stream()
                        .map(place -> place.getKey() + " = " + place.getValue())
                        .collect(Collectors.joining(", "));
    }

    private static Map<String, String> places(Columns row) {
        return row.names().stream()
                .collect(Collectors.toMap(
                        name -> name,
                        name -> row.isDocument(name) ? "cast(:" + name + " as jsonb)" : ":" + name,
                        (left, right) -> left,
                        LinkedHashMap::new));
    }
}
