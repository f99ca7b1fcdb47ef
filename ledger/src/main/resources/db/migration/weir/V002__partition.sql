-- One row per range of a run.
create table weir.partition (
    run_id uuid not null,
    id text not null,
    -- Place in the split plan; claims are handed out in this order.
    ordinal integer not null,
    -- Typed text. No lower bound: open below. No upper bound: open above.
    lower_kind text,
    lower_text text,
    upper_kind text,
    upper_text text,
    -- The rows whose split column is NULL.
    is_null boolean not null,
    state text not null,
    version bigint not null,
    -- Number of the latest claim, 0 before the first; in every path and report of its worker.
    epoch bigint not null,
    token uuid,
    worker text,
    expected_rows bigint,
    progress_rows bigint not null,
    progress_bytes bigint not null,
    chunk_count integer not null,
    bytes bigint not null,
    rows bigint not null,
    digest_sum numeric(39, 0) not null,
    failure_stage text,
    failure_code text,
    failure_message text,
    started_at timestamptz,
    ended_at timestamptz,
    lease_until timestamptz,
    constraint partition_pk primary key (run_id, id),
    constraint partition_of_run foreign key (run_id) references weir.run (id),
    constraint partition_ordinal_once unique (run_id, ordinal),
    -- A claim retried after a lost reply cannot own two partitions.
    constraint partition_token_once unique (run_id, token),
    constraint partition_id_form check (id ~ '^([0-9]{4}|NULL)$'),
    constraint partition_state_known check (state in (
        'PENDING', 'RUNNING', 'RETRY', 'SUCCESS', 'FAILED', 'TIMED_OUT')),
    constraint partition_null_range_has_no_bounds check (
        not is_null or (lower_text is null and upper_text is null)),
    constraint partition_bounds_are_typed check (
        (lower_kind is null) = (lower_text is null)
        and (upper_kind is null) = (upper_text is null)),
    constraint partition_token_from_first_claim check ((token is null) = (epoch = 0)),
    constraint partition_lease_exactly_when_running check (
        (lease_until is not null) = (state = 'RUNNING')),
    constraint partition_ended_exactly_when_terminal check (
        (ended_at is not null) = (state in ('SUCCESS', 'FAILED', 'TIMED_OUT'))),
    -- The gate of a partition: what arrived is what the split counted.
    constraint partition_success_has_expected_rows check (
        state <> 'SUCCESS' or expected_rows is null or rows = expected_rows),
    constraint partition_success_has_chunks check (state <> 'SUCCESS' or chunk_count > 0),
    constraint partition_counts_are_possible check (
        epoch >= 0 and expected_rows >= 0 and chunk_count >= 0 and bytes >= 0 and rows >= 0),
    constraint partition_digest_sum_is_128_bits check (
        digest_sum between 0 and 340282366920938463463374607431768211455)
);

-- What a claim looks through, in its order.
create index partition_open on weir.partition (run_id, ordinal)
    where state in ('PENDING', 'RETRY', 'RUNNING');
