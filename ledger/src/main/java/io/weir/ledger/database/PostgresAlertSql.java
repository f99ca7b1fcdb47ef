package io.weir.ledger.database;

/** Statements of alerts. */
final class PostgresAlertSql {
    static final String OPEN = """
            insert into weir.alert_channel (channel, since)
            select :channel, clock_timestamp()
            where not exists (select from weir.alert_channel where channel = :channel)
            on conflict do nothing
            """;

    /** A job that is new is told of from its beginning, any other from that of the channel. */
    static final String ADD_JOBS = """
            insert into weir.alert (channel, job, position, cut, attempts, due_at)
            select open.channel, replication.job,
                coalesce((
                    select max(sequence) from weir.replica_event
                    where job = replication.job and at < open.since), 0),
                coalesce((
                    select max(number) from weir.replica_cut
                    where job = replication.job and closed_at < open.since), 0),
                0, clock_timestamp()
            from weir.replication
            cross join weir.alert_channel as open
            where open.channel = :channel
              and not exists (
                select from weir.alert
                where alert.channel = open.channel and alert.job = replication.job)
            on conflict do nothing
            """;

    static final String LOCK_DUE = """
            select alert.channel, alert.job, alert.position, alert.cut,
                coalesce(alert.summed_at, open.since) as summed_at
            from weir.alert
            join weir.alert_channel as open on open.channel = alert.channel
            where alert.channel = :channel and alert.due_at <= clock_timestamp()
              and (cast(:all as boolean) or alert.job = any (:jobs))
            order by alert.due_at, alert.job
            for update of alert skip locked
            """;

    static final String EVENTS = """
            select event.sequence, event.at, event.job,
                coalesce(event.source_table, '') as source_table,
                coalesce(replica.target, '') as target,
                event.name, event.details, event.at < clock_timestamp() - interval '7 days' as stale
            from weir.replica_event as event
            left join weir.replica
              on replica.job = event.job and replica.source_table = event.source_table
            where event.job = :job and event.sequence > :position and event.name = any (:names)
            order by event.sequence
            limit :most
            """;

    static final String BEFORE = """
            select name as before
            from weir.replica_event
            where job = :job and source_table = :source_table and sequence < :sequence
              and name in (
                'REPLICA_FAILED', 'REPLICA_STOPPED', 'REPLICA_ENDING', 'REPLICA_ADVANCED',
                'REPLICA_LOADED')
            order by sequence desc
            limit 1
            """;

    /** A good window sets the failure to null, which is a text of its own: none. */
    static final String FAILURE_BEFORE = """
            select details ->> 'failure' as before
            from weir.replica_event
            where job = :job and source_table = :source_table and sequence < :sequence
              and (details -> 'failure') is not null
            order by sequence desc
            limit 1
            """;

    /** A window that was good since makes the same stop another one. */
    static final String JOB_STOP_BEFORE = """
            select details ->> 'stop_message' as before
            from weir.replica_event
            where job = :job and sequence < :sequence
              and name in ('REPLICATION_STOPPED', 'REPLICA_ADVANCED', 'REPLICA_LOADED')
            order by sequence desc
            limit 1
            """;

    /** The first run that failed and is due; those of before the channel was opened are not. */
    static final String LEASE_RUN = """
            insert into weir.alert_run as mine (channel, run_id, told, token, attempts, due_at)
            select open.channel, run.id, false, gen_random_uuid(), 0,
                clock_timestamp() + interval '60 seconds'
            from weir.run
            join weir.alert_channel as open on open.channel = :channel
            left join weir.alert_run as known
              on known.channel = open.channel and known.run_id = run.id
            where run.ended_at is not null and run.state <> 'SUCCESS'
              and run.ended_at > open.since
              and run.ended_at > clock_timestamp() - interval '7 days'
              and (cast(:all as boolean) or run.job = any (:jobs))
              and (known.run_id is null
                or (not known.told and known.due_at <= clock_timestamp()))
            order by run.ended_at, run.id
            limit 1
            on conflict (channel, run_id) do update
            set token = excluded.token, due_at = excluded.due_at
            where not mine.told and mine.due_at <= clock_timestamp()
            returning mine.run_id, mine.token
            """;

    static final String FAILED_RUN = """
            select id, ended_at, job, target, business_key, state, failure_code,
                coalesce(failure_message, 'it ended ' || state) as failure_message
            from weir.run
            where id = :run_id
            """;

    /** How the run before failed, if people were told of it or of another one like it. */
    static final String FAILED_RUN_BEFORE = """
            select case when known.run_id is null then null
                else coalesce(earlier.failure_message, 'it ended ' || earlier.state)
                end as before
            from weir.run
            join weir.run as earlier
              on earlier.target = run.target and earlier.job = run.job
                and earlier.ended_at < run.ended_at
            left join weir.alert_run as known
              on known.channel = :channel and known.run_id = earlier.id
                and earlier.state <> 'SUCCESS'
            where run.id = :run_id
            order by earlier.ended_at desc
            limit 1
            """;

    static final String RUN_TOLD = """
            update weir.alert_run
            set told = true, token = null, attempts = 0, due_at = clock_timestamp()
            where channel = :channel and run_id = :run_id and token = :token
            """;

    static final String POSTPONE_RUN = """
            update weir.alert_run
            set attempts = attempts + 1, token = null,
                due_at = clock_timestamp()
                    + least(interval '5 minutes', interval '5 seconds' * 2 ^ least(attempts, 10))
            where channel = :channel and run_id = :run_id and token = :token
            """;

    static final String PASS = """
            update weir.alert set position = :position where channel = :channel and job = :job
            """;

    /** At most one in an hour of the clock: cuts of a minute would be noise. */
    static final String CUT = """
            select * from weir.replica_cut
            where job = :job and number > :cut
              and closed_at > clock_timestamp() - interval '7 days'
              and (cast(:first as boolean)
                or floor(extract(epoch from closed_at) / 3600)
                    > floor(extract(epoch from cast(:summed_at as timestamptz)) / 3600))
            order by number desc
            limit 1
            """;

    static final String SUMS = """
            select replica.source_table, replica.target, replica.state,
                count(merged.target) as windows,
                coalesce(sum(merged.events), 0) as events,
                coalesce(sum(merged.appended_rows), 0) as rows_in,
                coalesce(sum(merged.removed_rows), 0) as rows_out,
                greatest(coalesce(
                    replication.captured_place - replica.verified_place, 0), 0) as lag_bytes,
                coalesce(max(cast(
                    extract(epoch from merged.ended_at - merged.opened_at) * 1000 as bigint)), 0)
                    as longest_ms
            from weir.replica
            join weir.replication on replication.job = replica.job
            left join weir.replica_window as merged
              on merged.job = replica.job and merged.source_table = replica.source_table
                and merged.state = 'PUBLISHED' and merged.ended_at > :since
                and merged.ended_at <= :until
            where replica.job = :job
            group by replica.job, replica.source_table, replication.job
            order by replica.source_table
            """;

    static final String LEASE = """
            update weir.alert
            set token = gen_random_uuid(), due_at = clock_timestamp() + interval '60 seconds'
            where channel = :channel and job = :job
            returning token
            """;

    static final String TOLD = """
            update weir.alert
            set position = :position, token = null, attempts = 0, due_at = clock_timestamp()
            where channel = :channel and job = :job and token = :token
            """;

    static final String SUMMED = """
            update weir.alert
            set cut = :cut, summed_at = :summed_at, token = null, attempts = 0,
                due_at = clock_timestamp()
            where channel = :channel and job = :job and token = :token
            """;

    static final String POSTPONE = """
            update weir.alert
            set attempts = attempts + 1, token = null,
                due_at = clock_timestamp()
                    + least(interval '5 minutes', interval '5 seconds' * 2 ^ least(attempts, 10))
            where channel = :channel and job = :job and token = :token
            """;

    private PostgresAlertSql() {}
}
