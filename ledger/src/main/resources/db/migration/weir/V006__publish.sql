-- One row per table that was ever published to.
create table weir.target (
    name text not null,
    -- Number of the latest attempt; only grows.
    epoch bigint not null,
    constraint target_pk primary key (name)
);

-- One row per try to publish a run.
create table weir.publish_attempt (
    target text not null,
    epoch bigint not null,
    run_id uuid not null,
    token uuid not null,
    state text not null,
    version bigint not null,
    -- Snapshot of main from which the branch was taken.
    base_snapshot_id bigint not null,
    staged_snapshot_id bigint,
    -- What proved the outcome.
    evidence text,
    constraint publish_attempt_pk primary key (target, epoch),
    constraint publish_attempt_of_target foreign key (target) references weir.target (name),
    constraint publish_attempt_of_run foreign key (run_id) references weir.run (id),
    constraint publish_attempt_token_once unique (run_id, token),
    constraint publish_attempt_state_known check (state in (
        'STAGED', 'OPEN', 'PUBLISHED', 'FAILED', 'UNKNOWN')),
    constraint publish_attempt_evidence_exactly_when_tried check (
        (evidence is not null) = (state in ('PUBLISHED', 'FAILED', 'UNKNOWN')))
);

-- While the outcome of one attempt is open or unknown, nobody else publishes to the target.
create unique index publish_attempt_one_open_per_target on weir.publish_attempt (target)
    where state in ('OPEN', 'UNKNOWN');

create index publish_attempt_of_run_in_order on weir.publish_attempt (run_id, epoch);
