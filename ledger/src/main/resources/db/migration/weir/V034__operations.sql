-- What makes a look at every key due, or was one: asked before every window.
drop index weir.replica_event_of_keys;
create index replica_event_of_keys on weir.replica_event (job, source_table, at)
    where name in (
        'REPLICA_LOADED', 'REPLICA_GREW', 'REPLICA_ROLLED_BACK', 'REPLICA_REWRITTEN',
        'REPLICA_LOOKED');

-- Why the last process of a job ended before its time; null while one runs, or if none did.
alter table weir.replication
    add column stop_code text,
    add column stop_message text,
    add column stop_command text,
    add constraint replication_stop_is_whole check (
        num_nulls(stop_code, stop_message, stop_command) in (0, 3));

-- Runs that ended without success and that people were told of, or need not be. A position in the
-- order of events would lose some: those of many runs are not in the order of their commits.
create table weir.alert_run (
    channel text not null,
    run_id uuid not null,
    -- Whether nothing more is due.
    told boolean not null,
    -- Of who tells now.
    token uuid,
    -- Failed tries.
    attempts integer not null,
    -- When it is told next; while somebody tells, when that one counts as lost.
    due_at timestamptz not null,
    constraint alert_run_pk primary key (channel, run_id),
    constraint alert_run_of_channel foreign key (channel) references weir.alert_channel (channel),
    constraint alert_run_attempts_counted check (attempts >= 0)
);

create index run_ended_without_success on weir.run (ended_at)
    where ended_at is not null and state <> 'SUCCESS';
create index run_ended_of_target on weir.run (target, job, ended_at);
