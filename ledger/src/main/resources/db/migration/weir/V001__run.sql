-- One row per attempt to load a job for a business key.
create table weir.run (
    id uuid not null,
    job text not null,
    business_key text not null,
    state text not null,
    -- Grows with every state change and guards every update; signs of life do not change it.
    version bigint not null,
    idempotency_key text not null,
    -- The request as JSON: the same key must come with the same request.
    fingerprint text not null,
    source text not null,
    source_table text not null,
    target text not null,
    publish_mode text not null,
    allow_empty boolean not null,
    data_path text not null,
    lease_ms bigint not null,
    -- Computed by this database after it held the row; no other clock is ever compared with it.
    lease_until timestamptz not null,
    column_names text[] not null,
    key_columns text[] not null,
    -- SHA-256 of the manifest, so that the same one again is recognised.
    manifest_digest text,
    snapshot_kind text,
    snapshot_text text,
    position_kind text,
    position_text text,
    consistency text,
    source_count bigint,
    partition_count integer not null,
    succeeded_partitions integer not null,
    extracted_rows bigint not null,
    -- Sum of 128-bit row digests modulo 2^128.
    extracted_digest_sum numeric(39, 0) not null,
    -- Values changed by declared policies: {"column": count}.
    losses jsonb not null,
    -- Who started the audit; only this owner may be told again that it audits.
    auditor text,
    staged_snapshot_id bigint,
    published_snapshot_id bigint,
    failure_stage text,
    failure_code text,
    failure_message text,
    created_at timestamptz not null,
    extracted_at timestamptz,
    published_at timestamptz,
    ended_at timestamptz,
    constraint run_pk primary key (id),
    constraint run_idempotency_key_once unique (idempotency_key),
    constraint run_state_known check (state in (
        'CREATED', 'EXTRACTING', 'EXTRACTED_VALIDATED', 'STAGE_VALIDATING', 'STAGING_VALIDATED',
        'PUBLISHING', 'PUBLISH_UNKNOWN', 'PUBLISHED', 'SUCCESS', 'FAILED_MANIFEST',
        'FAILED_EXTRACT', 'FAILED_SNAPSHOT_EXPIRED', 'FAILED_STAGE_VALIDATION', 'FAILED_PUBLISH',
        'FAILED_TARGET_VALIDATION', 'TIMED_OUT', 'CANCELLED')),
    constraint run_publish_mode_known check (publish_mode in ('APPEND', 'REPLACE')),
    constraint run_ended_exactly_when_terminal check ((ended_at is null) = (state in (
        'CREATED', 'EXTRACTING', 'EXTRACTED_VALIDATED', 'STAGE_VALIDATING', 'STAGING_VALIDATED',
        'PUBLISHING', 'PUBLISH_UNKNOWN', 'PUBLISHED'))),
    constraint run_reads_only_with_manifest check (
        state in ('CREATED', 'FAILED_MANIFEST', 'TIMED_OUT', 'CANCELLED')
        or (manifest_digest is not null and snapshot_text is not null
            and source_count is not null and partition_count > 0)),
    -- The first gate: nothing is staged unless every partition arrived and the rows add up.
    constraint run_goes_on_only_when_everything_arrived check (
        state not in (
            'EXTRACTED_VALIDATED', 'STAGE_VALIDATING', 'STAGING_VALIDATED', 'PUBLISHING',
            'PUBLISH_UNKNOWN', 'PUBLISHED', 'SUCCESS')
        or (succeeded_partitions = partition_count and extracted_rows = source_count)),
    constraint run_published_names_its_snapshot check (
        state not in ('PUBLISHED', 'SUCCESS', 'FAILED_TARGET_VALIDATION')
        or (published_snapshot_id is not null and published_at is not null)),
    constraint run_counts_are_possible check (
        source_count >= 0 and extracted_rows >= 0 and lease_ms > 0
        and succeeded_partitions between 0 and partition_count),
    constraint run_digest_sum_is_128_bits check (
        extracted_digest_sum between 0 and 340282366920938463463374607431768211455)
);

-- The only thing that keeps two loads of the same data apart; no code checks it instead.
create unique index run_one_active_per_key on weir.run (job, business_key) where state in (
    'CREATED', 'EXTRACTING', 'EXTRACTED_VALIDATED', 'STAGE_VALIDATING', 'STAGING_VALIDATED',
    'PUBLISHING', 'PUBLISH_UNKNOWN', 'PUBLISHED');

create index run_newest_first on weir.run (created_at desc, id);
create index run_newest_of_job_first on weir.run (job, created_at desc, id);
