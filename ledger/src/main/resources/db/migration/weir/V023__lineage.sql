-- What was told of each run to those who keep lineage. A run without a row was not told yet.
-- Nothing is written here before somebody tells, and nothing of the runs waits for it.
create table weir.lineage (
    run_id uuid not null,
    books text not null,
    -- Sequence of the last event of the run that was told, 0 before the first. Events of one row
    -- are in the order of their commits; those of many are not, so there is no common position.
    position bigint not null,
    -- Whether its end was told: nothing follows.
    ended boolean not null,
    -- Failed tries since the last event that was told.
    attempts integer not null,
    -- When it is told next; while somebody tells, when that one counts as lost.
    due_at timestamptz not null,
    constraint lineage_pk primary key (run_id),
    constraint lineage_books_known check (books in ('OWN', 'OUTSIDE')),
    constraint lineage_counts_are_possible check (position >= 0 and attempts >= 0),
    constraint lineage_ended_after_start check (not ended or position > 0)
);

-- Runs created before are told of completely, or ended before anybody told. One row.
create table weir.lineage_start (
    single boolean not null,
    since timestamptz not null,
    constraint lineage_start_pk primary key (single),
    constraint lineage_start_is_one check (single)
);
