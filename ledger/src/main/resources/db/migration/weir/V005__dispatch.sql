-- Outbox: somebody has to do the next step of a run.
create table weir.dispatch (
    id uuid not null,
    run_id uuid not null,
    kind text not null,
    -- Grows when the same step is needed again.
    cycle integer not null,
    state text not null,
    attempts integer not null,
    created_at timestamptz not null,
    acknowledged_at timestamptz,
    constraint dispatch_pk primary key (id),
    constraint dispatch_of_run foreign key (run_id) references weir.run (id),
    -- However many reports arrive at once, a step is asked for once.
    constraint dispatch_once_per_cycle unique (run_id, kind, cycle),
    constraint dispatch_kind_known check (kind in ('VALIDATE_RUN')),
    constraint dispatch_state_known check (state in ('PENDING', 'SENT', 'ACKED', 'DEAD')),
    constraint dispatch_acknowledged_exactly_when_acked check (
        (acknowledged_at is not null) = (state = 'ACKED'))
);

create index dispatch_waiting on weir.dispatch (created_at) where state in ('PENDING', 'SENT');
