-- A transaction of a streaming connection that is not over, or that ended without its connection.
-- Tells who is at work and lets others end it; what is committed, the table alone says.
create table weir.stream_transaction (
    id uuid not null,
    target text not null,
    agent text not null,
    worker text not null,
    source text,
    sequence bigint,
    state text not null,
    -- Rows so far, as of the last sign.
    records bigint not null,
    -- How long it lives without a sign; its connection chose it.
    timeout_ms bigint not null,
    begun_at timestamptz not null,
    lease_until timestamptz not null,
    reason text,
    constraint stream_transaction_pk primary key (id),
    constraint stream_transaction_state_known
        check (state in ('OPEN', 'COMMITTING', 'ABORTED', 'EXPIRED')),
    constraint stream_transaction_counts_are_possible check (records >= 0 and timeout_ms > 0),
    constraint stream_transaction_aborted_has_reason
        check ((state = 'ABORTED') = (reason is not null))
);
create index stream_transaction_lease on weir.stream_transaction (lease_until);
