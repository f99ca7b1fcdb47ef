-- Where people are told of replication. What happened before is not told there.
create table weir.alert_channel (
    channel text not null,
    since timestamptz not null,
    constraint alert_channel_pk primary key (channel),
    constraint alert_channel_known check (channel in ('SLACK', 'WEBHOOK'))
);

-- How far each job was told of on each channel. Nothing of replication waits for it.
create table weir.alert (
    channel text not null,
    job text not null,
    -- Sequence of the last event that was told or needs no telling. Every event of a job is
    -- written under the lock of its row, so they are in the order of their commits.
    position bigint not null,
    -- Number of the last cut that was summed up, 0 before the first, and when it closed.
    cut bigint not null,
    summed_at timestamptz,
    -- Of who tells now.
    token uuid,
    -- Failed tries since the last that was taken.
    attempts integer not null,
    -- When it is told next; while somebody tells, when that one counts as lost.
    due_at timestamptz not null,
    constraint alert_pk primary key (channel, job),
    constraint alert_of_channel foreign key (channel) references weir.alert_channel (channel),
    constraint alert_of_replication foreign key (job) references weir.replication (job),
    constraint alert_counts_are_possible check (position >= 0 and cut >= 0 and attempts >= 0)
);

create index replica_event_of_table on weir.replica_event (job, source_table, sequence desc);
create index replica_window_ended on weir.replica_window (job, ended_at);
