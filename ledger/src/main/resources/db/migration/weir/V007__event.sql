-- Append only. Every change of another table writes its event in the same transaction.
create table weir.event (
    -- Order of the changes of one row, because the row is locked while the number is drawn.
    sequence bigint generated always as identity,
    at timestamptz not null,
    -- No foreign key: an event must never wait for a run.
    run_id uuid not null,
    partition_id text,
    name text not null,
    -- {"<row>": {"<column>": <value after>}} with the columns that changed; folding the events of
    -- a row in order gives the row, its signs of life (leases, progress) excepted.
    details jsonb not null,
    constraint event_pk primary key (sequence)
);

create index event_of_run_in_order on weir.event (run_id, sequence);
