-- One row per job that replicates tables of a source through one slot.
create table weir.replication (
    job text not null,
    version bigint not null,
    source text not null,
    slot text not null,
    state text not null,
    -- Number of the latest claim; only grows.
    epoch bigint not null,
    -- Of the process that replicates the job now.
    token uuid,
    owner text,
    lease_until timestamptz,
    -- Where the slot begins.
    begun_place bigint,
    begun_position text,
    -- Up to where all change logs hold every change.
    captured_place bigint,
    captured_position text,
    constraint replication_pk primary key (job),
    constraint replication_slot_once unique (source, slot),
    constraint replication_state_known check (state in ('RUNNING', 'PAUSED')),
    constraint replication_owner_is_whole check (
        num_nulls(token, owner, lease_until) in (0, 3)),
    constraint replication_places_are_whole check (
        num_nulls(begun_place, begun_position) in (0, 2)
        and num_nulls(captured_place, captured_position) in (0, 2))
);

-- One row per table that is kept equal to a table of the source.
create table weir.replica (
    job text not null,
    source_table text not null,
    target text not null,
    version bigint not null,
    state text not null,
    -- Number of its change log.
    generation integer not null,
    load_run uuid,
    -- Where that run read it; the change log holds what came behind.
    loaded_place bigint,
    loaded_position text,
    verified_place bigint,
    verified_position text,
    -- In a row.
    failures integer not null,
    next_attempt_at timestamptz,
    failure text,
    -- Where its change log ends, because what follows cannot be read.
    ends_place bigint,
    ends_position text,
    stop_code text,
    stop_message text,
    stop_command text,
    constraint replica_pk primary key (job, source_table),
    constraint replica_target_once unique (target),
    constraint replica_of_replication foreign key (job) references weir.replication (job),
    constraint replica_state_known check (state in (
        'LOADING', 'RUNNING', 'ENDING', 'STOPPED')),
    constraint replica_generation_from_one check (generation > 0),
    constraint replica_failures_counted check (failures >= 0),
    constraint replica_place_is_whole check (
        num_nulls(verified_place, verified_position) in (0, 2)
        and num_nulls(loaded_place, loaded_position) in (0, 2)
        and num_nulls(ends_place, ends_position) in (0, 2)),
    constraint replica_runs_from_a_place check (
        state not in ('RUNNING', 'ENDING') or verified_place is not null),
    constraint replica_stop_exactly_when_stopped check (
        num_nulls(stop_code, stop_message, stop_command)
            = case when state in ('ENDING', 'STOPPED') then 0 else 3 end)
);

-- One row per try to publish the changes between two places.
create table weir.replica_window (
    target text not null,
    epoch bigint not null,
    run_id uuid not null,
    token uuid not null,
    state text not null,
    version bigint not null,
    job text not null,
    source_table text not null,
    -- Claim of the job under which it was opened.
    job_epoch bigint not null,
    from_place bigint not null,
    from_position text not null,
    to_place bigint not null,
    to_position text not null,
    base_snapshot_id bigint not null,
    staged_snapshot_id bigint,
    evidence text,
    events bigint,
    replays bigint,
    inserted bigint,
    updated bigint,
    deleted bigint,
    opening_rows bigint,
    opening_digest_sum numeric(39, 0),
    removed_rows bigint,
    removed_digest_sum numeric(39, 0),
    appended_rows bigint,
    appended_digest_sum numeric(39, 0),
    closing_rows bigint,
    closing_digest_sum numeric(39, 0),
    -- As the changes tell; absent where they hold no whole rows.
    before_rows bigint,
    before_digest_sum numeric(39, 0),
    after_rows bigint,
    after_digest_sum numeric(39, 0),
    -- Whether every key of the table was looked at, not only those that came in.
    all_keys boolean,
    opened_at timestamptz not null,
    ended_at timestamptz,
    constraint replica_window_pk primary key (target, epoch),
    constraint replica_window_run_once unique (run_id),
    constraint replica_window_of_target foreign key (target) references weir.target (name),
    constraint replica_window_of_replica foreign key (job, source_table)
        references weir.replica (job, source_table),
    constraint replica_window_state_known check (state in (
        'STAGED', 'OPEN', 'PUBLISHED', 'FAILED', 'UNKNOWN')),
    constraint replica_window_goes_forward check (to_place > from_place),
    constraint replica_window_evidence_exactly_when_tried check (
        (evidence is not null) = (state in ('PUBLISHED', 'FAILED', 'UNKNOWN'))),
    constraint replica_window_ended_exactly_when_settled check (
        (ended_at is not null) = (state in ('PUBLISHED', 'FAILED'))),
    -- The last gate: nothing is published whose balances do not add up.
    constraint replica_window_sent_only_when_balanced check (
        state in ('STAGED', 'FAILED') or coalesce(
            closing_rows = opening_rows - removed_rows + appended_rows
            and (closing_digest_sum - opening_digest_sum + removed_digest_sum
                    - appended_digest_sum)
                % 340282366920938463463374607431768211456 = 0, false))
);

-- While the outcome of one window is open or unknown, nobody else publishes to the target.
create unique index replica_window_one_open_per_target on weir.replica_window (target)
    where state in ('OPEN', 'UNKNOWN');
create index replica_window_newest_first on weir.replica_window (job, opened_at desc);
create index replica_window_of_all_keys on weir.replica_window (job, source_table, ended_at)
    where all_keys;
create index replica_window_unsettled on weir.replica_window (job, source_table, epoch)
    where state in ('STAGED', 'OPEN', 'UNKNOWN');

-- All tables of a job at one place.
create table weir.replica_cut (
    job text not null,
    number bigint not null,
    place bigint not null,
    position text not null,
    tables integer not null,
    missing text[] not null,
    opened_at timestamptz not null,
    closed_at timestamptz,
    constraint replica_cut_pk primary key (job, number),
    constraint replica_cut_of_replication foreign key (job) references weir.replication (job),
    constraint replica_cut_has_tables check (tables > 0)
);

-- Every change of these, in the transaction that made it.
create table weir.replica_event (
    sequence bigint generated always as identity,
    at timestamptz not null,
    job text not null,
    source_table text,
    name text not null,
    operator text,
    reason text,
    details jsonb not null,
    constraint replica_event_pk primary key (sequence),
    constraint replica_event_operator_has_a_reason check ((operator is null) = (reason is null))
);
create index replica_event_of_job on weir.replica_event (job, sequence desc);
-- What makes a look at every key due, or was one.
create index replica_event_of_keys on weir.replica_event (job, source_table, at)
    where name in ('REPLICA_LOADED', 'REPLICA_GREW', 'REPLICA_ROLLED_BACK');
