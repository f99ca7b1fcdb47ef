-- Runs that a flow of somebody else drives through the API. They have tables of their own: what
-- is proven of them is less (no digests, no fenced target), and no gate of weir.run gets weaker.
create table weir.outside_run (
    id uuid not null,
    job text not null,
    business_key text not null,
    state text not null,
    -- Grows with every change and guards every update.
    version bigint not null,
    -- Only from flows that name one.
    idempotency_key text,
    -- The request as JSON: the same key must come with the same request.
    fingerprint text not null,
    run_path text not null,
    stage_table text not null,
    allow_empty boolean not null,
    parameters jsonb not null,
    -- SHA-256 of the manifest, so that the same one again is recognised.
    manifest_digest text,
    snapshot numeric(38, 0),
    source_count bigint,
    source_null_split_count bigint,
    source_min_split numeric(38, 0),
    source_max_split numeric(38, 0),
    partition_count integer not null,
    succeeded_partitions integer not null,
    failed_partitions integer not null,
    extracted_rows bigint not null,
    staging_count bigint,
    target_count bigint,
    -- SHA-256 of what the validating flow names itself; only from flows that do.
    validator_digest text,
    -- SHA-256 of the token of the flow that publishes; the token itself is nowhere.
    publish_token_digest text,
    failure_stage text,
    failure_code text,
    failure_message text,
    created_at timestamptz not null,
    -- The last sign of progress.
    heartbeat_at timestamptz not null,
    -- When the run ends unless it began to publish by then.
    deadline timestamptz not null,
    extracted_at timestamptz,
    publish_started_at timestamptz,
    published_at timestamptz,
    ended_at timestamptz,
    cleaned_at timestamptz,
    constraint outside_run_pk primary key (id),
    constraint outside_run_idempotency_key_once unique (idempotency_key),
    constraint outside_run_state_known check (state in (
        'CREATED', 'EXTRACTING', 'EXTRACTED_VALIDATED', 'STAGE_VALIDATING', 'STAGING_VALIDATED',
        'PUBLISHING', 'PUBLISH_UNKNOWN', 'PUBLISHED', 'SUCCESS', 'FAILED_MANIFEST',
        'FAILED_EXTRACT', 'FAILED_SNAPSHOT_EXPIRED', 'FAILED_STAGE_VALIDATION', 'FAILED_PUBLISH',
        'FAILED_TARGET_VALIDATION', 'TIMED_OUT', 'CANCELLED')),
    constraint outside_run_ended_exactly_when_terminal check ((ended_at is null) = (state in (
        'CREATED', 'EXTRACTING', 'EXTRACTED_VALIDATED', 'STAGE_VALIDATING', 'STAGING_VALIDATED',
        'PUBLISHING', 'PUBLISH_UNKNOWN', 'PUBLISHED'))),
    constraint outside_run_reads_only_with_manifest check (
        state in ('CREATED', 'FAILED_MANIFEST', 'TIMED_OUT', 'CANCELLED')
        or (manifest_digest is not null and source_count is not null and partition_count > 0)),
    constraint outside_run_goes_on_only_when_everything_arrived check (
        state not in (
            'EXTRACTED_VALIDATED', 'STAGE_VALIDATING', 'STAGING_VALIDATED', 'PUBLISHING',
            'PUBLISH_UNKNOWN', 'PUBLISHED', 'SUCCESS')
        or (succeeded_partitions = partition_count and extracted_rows = source_count)),
    constraint outside_run_published_names_its_time check (
        state not in ('PUBLISHED', 'SUCCESS', 'FAILED_TARGET_VALIDATION')
        or published_at is not null),
    constraint outside_run_publisher_has_a_token check (
        state not in ('PUBLISHING', 'PUBLISH_UNKNOWN', 'PUBLISHED', 'SUCCESS')
        or publish_token_digest is not null),
    constraint outside_run_cleaned_only_when_ended check (
        cleaned_at is null or ended_at is not null),
    constraint outside_run_counts_are_possible check (
        source_count >= 0 and source_null_split_count >= 0 and extracted_rows >= 0
        and staging_count >= 0 and target_count >= 0 and failed_partitions >= 0
        and succeeded_partitions between 0 and partition_count)
);

-- The only thing that keeps two loads of the same data apart; no code checks it instead.
create unique index outside_run_one_active_per_key on weir.outside_run (job, business_key)
    where state in (
        'CREATED', 'EXTRACTING', 'EXTRACTED_VALIDATED', 'STAGE_VALIDATING', 'STAGING_VALIDATED',
        'PUBLISHING', 'PUBLISH_UNKNOWN', 'PUBLISHED');
create index outside_run_newest_first on weir.outside_run (created_at desc, id);
create index outside_run_newest_of_job_first on weir.outside_run (job, created_at desc, id);
create index outside_run_to_clean on weir.outside_run (ended_at)
    where ended_at is not null and cleaned_at is null;

create table weir.outside_partition (
    run_id uuid not null,
    id text not null,
    ordinal integer not null,
    lower_bound numeric(38, 0),
    upper_bound numeric(38, 0),
    upper_inclusive boolean not null,
    is_null boolean not null,
    state text not null,
    version bigint not null,
    -- Number of the latest claim, 0 before the first.
    epoch bigint not null,
    -- SHA-256 of the token of the claim.
    token_digest text,
    worker text,
    lease_ms bigint not null,
    expected_rows bigint not null,
    rows bigint not null,
    bytes bigint not null,
    chunk_count integer not null,
    failure_stage text,
    failure_code text,
    failure_message text,
    started_at timestamptz,
    lease_until timestamptz,
    ended_at timestamptz,
    constraint outside_partition_pk primary key (run_id, id),
    constraint outside_partition_of_run foreign key (run_id) references weir.outside_run (id),
    constraint outside_partition_ordinal_once unique (run_id, ordinal),
    constraint outside_partition_id_form check (id ~ '^([0-9]{4}|NULL)$'),
    constraint outside_partition_state_known check (state in (
        'PENDING', 'RUNNING', 'RETRY', 'SUCCESS', 'FAILED', 'TIMED_OUT')),
    constraint outside_partition_bounds_are_a_range check (
        is_null = (lower_bound is null) and is_null = (upper_bound is null)
        and (lower_bound is null or lower_bound <= upper_bound)),
    constraint outside_partition_token_from_first_claim check (
        (token_digest is null) = (epoch = 0)),
    constraint outside_partition_lease_exactly_when_running check (
        (lease_until is not null) = (state = 'RUNNING')),
    constraint outside_partition_ended_exactly_when_terminal check (
        (ended_at is not null) = (state in ('SUCCESS', 'FAILED', 'TIMED_OUT'))),
    -- The gate of a partition: what arrived is what the source counted.
    constraint outside_partition_success_has_expected_rows check (
        state <> 'SUCCESS' or rows = expected_rows),
    constraint outside_partition_counts_are_possible check (
        epoch >= 0 and expected_rows >= 0 and chunk_count >= 0 and bytes >= 0 and rows >= 0
        and lease_ms > 0)
);
create index outside_partition_running on weir.outside_partition (lease_until)
    where state = 'RUNNING';

create table weir.outside_chunk (
    run_id uuid not null,
    partition_id text not null,
    epoch bigint not null,
    chunk_index integer not null,
    -- How many the partition has, as this report says.
    chunk_total integer not null,
    fragment text,
    path text not null,
    rows bigint not null,
    bytes bigint,
    -- LATE came after its partition ended; FAILED was given up with its claim. Neither counts.
    state text not null,
    written_at timestamptz not null,
    constraint outside_chunk_pk primary key (run_id, partition_id, epoch, chunk_index),
    constraint outside_chunk_of_partition foreign key (run_id, partition_id)
        references weir.outside_partition (run_id, id),
    constraint outside_chunk_state_known check (state in ('WRITTEN', 'FAILED', 'LATE')),
    constraint outside_chunk_counts_are_possible check (
        epoch > 0 and chunk_index >= 0 and chunk_total > chunk_index and rows >= 0
        and bytes >= 0)
);
-- One file backs one chunk that counts.
create unique index outside_chunk_path_once on weir.outside_chunk (path) where state = 'WRITTEN';

create table weir.outside_metric (
    run_id uuid not null,
    stage text not null,
    name text not null,
    query_version text not null,
    expected text,
    actual text,
    tolerance text,
    -- What the flow says, and the stricter of that and what the ledger computes.
    result text not null,
    verdict text not null,
    details jsonb not null,
    measured_at timestamptz not null,
    constraint outside_metric_pk primary key (run_id, stage, name, query_version),
    constraint outside_metric_of_run foreign key (run_id) references weir.outside_run (id),
    constraint outside_metric_stage_known check (stage in ('SOURCE', 'STAGING', 'TARGET')),
    constraint outside_metric_result_known check (result in ('PASS', 'FAIL', 'WARN')),
    constraint outside_metric_verdict_is_no_better check (
        verdict = 'FAIL' or (verdict = result and result <> 'FAIL'))
);

create table weir.outside_dispatch (
    id uuid not null,
    run_id uuid not null,
    kind text not null,
    partition_id text,
    cycle integer not null,
    state text not null,
    attempts integer not null,
    created_at timestamptz not null,
    -- When it is delivered next; while a delivery is under way, when that one counts as lost.
    due_at timestamptz not null,
    sent_at timestamptz,
    acknowledged_at timestamptz,
    http_status integer,
    last_error text,
    constraint outside_dispatch_pk primary key (id),
    constraint outside_dispatch_of_run foreign key (run_id) references weir.outside_run (id),
    constraint outside_dispatch_kind_known check (kind in (
        'VALIDATE_RUN', 'REISSUE_PARTITION', 'PUBLISH_RUN', 'CONFIRM_RUN')),
    constraint outside_dispatch_partition_exactly_when_reissued check (
        (partition_id is not null) = (kind = 'REISSUE_PARTITION')),
    constraint outside_dispatch_state_known check (state in (
        'PENDING', 'SENT', 'ACKED', 'DEAD', 'CANCELLED')),
    constraint outside_dispatch_acknowledged_exactly_when_acked check (
        (acknowledged_at is not null) = (state = 'ACKED')),
    constraint outside_dispatch_counts_are_possible check (cycle > 0 and attempts >= 0)
);
create unique index outside_dispatch_once_per_cycle
    on weir.outside_dispatch (run_id, kind, coalesce(partition_id, ''), cycle);
create index outside_dispatch_due on weir.outside_dispatch (due_at) where state = 'PENDING';
create index outside_dispatch_open on weir.outside_dispatch (run_id)
    where state in ('PENDING', 'SENT', 'DEAD');

-- Append only; written in the transaction of the change.
create table weir.outside_event (
    sequence bigint generated always as identity,
    at timestamptz not null,
    run_id uuid not null,
    partition_id text,
    level text not null,
    name text not null,
    message text not null,
    -- {"run": {...}} and the like: the columns that changed.
    details jsonb not null,
    constraint outside_event_pk primary key (run_id, sequence),
    constraint outside_event_level_known check (level in ('INFO', 'WARN', 'ERROR'))
);
create index outside_event_failed_cleanups on weir.outside_event (at)
    where name = 'CLEANUP_FAILED';
