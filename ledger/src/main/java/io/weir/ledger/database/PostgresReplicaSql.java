package io.weir.ledger.database;

/** Statements on the tables of replication. */
final class PostgresReplicaSql {
    static final String ADD_REPLICATION = """
            insert into weir.replication (
                job, version, source, slot, state, epoch, token, owner,
                lease_until, begun_place, begun_position,
                captured_place, captured_position,
                stop_code, stop_message, stop_command)
            values (
                :job, :version, :source, :slot, :state, :epoch, :token,
                :owner, :lease_until, :begun_place, :begun_position,
                :captured_place, :captured_position,
                :stop_code, :stop_message, :stop_command)
            on conflict do nothing
            """;

    static final String LOCK_REPLICATION = """
            select * from weir.replication where job = :job for update
            """;

    static final String REPLICATION = """
            select * from weir.replication where job = :job
            """;

    static final String REPLICATIONS = """
            select * from weir.replication order by job
            """;

    static final String UPDATE_REPLICATION = """
            update weir.replication
            set
                version = :version,
                source = :source,
                slot = :slot,
                state = :state,
                epoch = :epoch,
                token = :token,
                owner = :owner,
                lease_until = :lease_until,
                begun_place = :begun_place,
                begun_position = :begun_position,
                captured_place = :captured_place,
                captured_position = :captured_position,
                stop_code = :stop_code,
                stop_message = :stop_message,
                stop_command = :stop_command
            where job = :job and version = :version_before
            """;

    static final String ADD_REPLICA = """
            insert into weir.replica (
                job, source_table, target, version, state, generation,
                load_run, loaded_place, loaded_position, verified_place,
                verified_position, failures, next_attempt_at, failure,
                ends_place, ends_position, stop_code, stop_message,
                stop_command, stop_key, stop_expected, stop_found)
            values (
                :job, :source_table, :target, :version, :state,
                :generation, :load_run, :loaded_place, :loaded_position,
                :verified_place, :verified_position, :failures,
                :next_attempt_at, :failure, :ends_place, :ends_position,
                :stop_code, :stop_message, :stop_command, :stop_key,
                :stop_expected, :stop_found)
            on conflict do nothing
            """;

    static final String REPLICAS = """
            select * from weir.replica where job = :job order by source_table
            """;

    static final String LOCK_REPLICA = """
            select * from weir.replica
            where job = :job and source_table = :source_table
            for update
            """;

    static final String NAMED_REPLICA = """
            select * from weir.replica
            where source_table = :name or target = :name
            order by job, source_table
            """;

    static final String UPDATE_REPLICA = """
            update weir.replica
            set
                target = :target,
                version = :version,
                state = :state,
                generation = :generation,
                load_run = :load_run,
                loaded_place = :loaded_place,
                loaded_position = :loaded_position,
                verified_place = :verified_place,
                verified_position = :verified_position,
                failures = :failures,
                next_attempt_at = :next_attempt_at,
                failure = :failure,
                ends_place = :ends_place,
                ends_position = :ends_position,
                stop_code = :stop_code,
                stop_message = :stop_message,
                stop_command = :stop_command,
                stop_key = :stop_key,
                stop_expected = :stop_expected,
                stop_found = :stop_found
            where job = :job and source_table = :source_table and version = :version_before
            """;

    static final String ADD_WINDOW = """
            insert into weir.replica_window (
                target, epoch, run_id, token, state, version, job,
                source_table, job_epoch, from_place, from_position,
                to_place, to_position, base_snapshot_id,
                staged_snapshot_id, evidence, events, replays, inserted,
                updated, deleted, opening_rows, opening_digest_sum,
                removed_rows, removed_digest_sum, appended_rows,
                appended_digest_sum, closing_rows, closing_digest_sum,
                before_rows, before_digest_sum, after_rows,
                after_digest_sum, all_keys, opened_at, ended_at)
            values (
                :target, :epoch, :run_id, :token, :state, :version,
                :job, :source_table, :job_epoch, :from_place,
                :from_position, :to_place, :to_position,
                :base_snapshot_id, :staged_snapshot_id, :evidence,
                :events, :replays, :inserted, :updated, :deleted,
                :opening_rows, :opening_digest_sum, :removed_rows,
                :removed_digest_sum, :appended_rows,
                :appended_digest_sum, :closing_rows,
                :closing_digest_sum, :before_rows, :before_digest_sum,
                :after_rows, :after_digest_sum, :all_keys, :opened_at, :ended_at)
            """;

    static final String UPDATE_WINDOW = """
            update weir.replica_window
            set
                run_id = :run_id,
                token = :token,
                state = :state,
                version = :version,
                job = :job,
                source_table = :source_table,
                job_epoch = :job_epoch,
                from_place = :from_place,
                from_position = :from_position,
                to_place = :to_place,
                to_position = :to_position,
                base_snapshot_id = :base_snapshot_id,
                staged_snapshot_id = :staged_snapshot_id,
                evidence = :evidence,
                events = :events,
                replays = :replays,
                inserted = :inserted,
                updated = :updated,
                deleted = :deleted,
                opening_rows = :opening_rows,
                opening_digest_sum = :opening_digest_sum,
                removed_rows = :removed_rows,
                removed_digest_sum = :removed_digest_sum,
                appended_rows = :appended_rows,
                appended_digest_sum = :appended_digest_sum,
                closing_rows = :closing_rows,
                closing_digest_sum = :closing_digest_sum,
                before_rows = :before_rows,
                before_digest_sum = :before_digest_sum,
                after_rows = :after_rows,
                after_digest_sum = :after_digest_sum,
                all_keys = :all_keys,
                opened_at = :opened_at,
                ended_at = :ended_at
            where target = :target and epoch = :epoch and version = :version_before
            """;

    static final String LOCK_WINDOW = """
            select * from weir.replica_window
            where target = :target and epoch = :epoch
            for update
            """;

    /** Another publish of the target that may have been sent. */
    static final String BUSY = """
            select run_id from weir.publish_attempt
            where target = :target and state in ('OPEN', 'UNKNOWN')
            union all
            select run_id from weir.replica_window
            where target = :target and state in ('OPEN', 'UNKNOWN')
            """;

    static final String UNSETTLED = """
            select * from weir.replica_window
            where job = :job and source_table = :source_table
              and state in ('STAGED', 'OPEN', 'UNKNOWN')
            order by epoch
            """;

    static final String WINDOWS = """
            select * from weir.replica_window
            where job = :job
            order by opened_at desc
            limit :most
            """;

    static final String ADD_CUT = """
            insert into weir.replica_cut (
                job, number, place, position, tables, missing, opened_at)
            select :job, coalesce(max(number), 0) + 1, :place, :position, :tables, '{}',
                clock_timestamp()
            from weir.replica_cut
            where job = :job
            returning *
            """;

    static final String CLOSE_CUT = """
            update weir.replica_cut
            set closed_at = clock_timestamp(), missing = :missing
            where job = :job and number = :number and closed_at is null
            returning *
            """;

    static final String LAST_CUT = """
            select * from weir.replica_cut where job = :job order by number desc limit 1
            """;

    static final String ADD_EVENT = """
            insert into weir.replica_event (
                at, job, source_table, name, operator, reason, details)
            values (
                clock_timestamp(), :job, :source_table, :name, :operator, :reason,
                cast(:details as jsonb))
            """;

    static final String EVENTS = """
            select * from weir.replica_event where job = :job order by sequence desc limit :most
            """;

    /** The load of a table looks at every key, too; so does a window without net change. */
    static final String ALL_KEYS_DUE = """
            with changed as (
                select coalesce(max(at), '-infinity') as at
                from weir.replica_event
                where job = :job and source_table = :source_table
                  and name in ('REPLICA_GREW', 'REPLICA_ROLLED_BACK', 'REPLICA_REWRITTEN')
            ), looks as (
                select ended_at as at
                from weir.replica_window
                where job = :job and source_table = :source_table and state = 'PUBLISHED'
                  and all_keys
                union all
                select at
                from weir.replica_event
                where job = :job and source_table = :source_table
                  and name in ('REPLICA_LOADED', 'REPLICA_LOOKED')
            )
            select not exists (
                select from looks
                where looks.at > (select at from changed)
                  and looks.at > clock_timestamp() - interval '1 day') as due
            """;

    /** After the lock: leases are measured by the clock of the books. */
    static final String NOW = """
            select clock_timestamp() as now
            """;

    private PostgresReplicaSql() {}

    static final String ADD_FILE = """
            insert into weir.replica_file (
                job, source_table, generation, path, bytes, modified_at, checksum, rows,
                first_place, last_place, taken_at)
            values (
                :job, :source_table, :generation, :path, :bytes, :modified_at, :checksum, :rows,
                :first_place, :last_place, clock_timestamp())
            on conflict do nothing
            """;

    static final String FILES = """
            select * from weir.replica_file
            where job = :job and source_table = :source_table and generation = :generation
            order by path
            """;
}
