-- A process that keeps the snapshot of a run alive at the source.
create table weir.snapshot_holder (
    run_id uuid not null,
    id uuid not null,
    -- What others import; exported by this holder, so it lives as long as the holder.
    snapshot_kind text not null,
    snapshot_text text not null,
    worker text not null,
    -- A sign of life; once it is over nobody is sent to this holder any more.
    lease_until timestamptz not null,
    constraint snapshot_holder_pk primary key (run_id, id),
    constraint snapshot_holder_of_run foreign key (run_id) references weir.run (id)
);

-- The last sign of each worker process; tells why a run waits, decides nothing.
create table weir.worker (
    id uuid not null,
    name text not null,
    sources text[] not null,
    slots integer not null,
    busy integer not null,
    started_at timestamptz not null,
    seen_at timestamptz not null,
    constraint worker_pk primary key (id),
    constraint worker_counts_are_possible check (slots >= 0 and busy >= 0)
);
create index worker_seen on weir.worker (seen_at desc);

-- Work that one process does at a time.
create table weir.loop (
    name text not null,
    owner uuid not null,
    lease_until timestamptz not null,
    constraint loop_pk primary key (name)
);
