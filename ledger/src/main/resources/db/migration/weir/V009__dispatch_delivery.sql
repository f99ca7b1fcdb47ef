-- The outbox is delivered by any process, under leases, with pauses that grow.
alter table weir.dispatch
    -- When it is delivered next; while a delivery is under way, when that one counts as lost.
    add column due_at timestamptz,
    add column sent_at timestamptz,
    add column last_error text;
update weir.dispatch
set due_at = created_at, sent_at = case when state = 'SENT' then created_at end;
alter table weir.dispatch
    alter column due_at set not null,
    drop constraint dispatch_kind_known,
    add constraint dispatch_kind_known check (kind in (
        'VALIDATE_RUN', 'PUBLISH_RUN', 'RESOLVE_RUN', 'CONFIRM_RUN')),
    drop constraint dispatch_state_known,
    add constraint dispatch_state_known check (state in (
        'PENDING', 'SENT', 'ACKED', 'DEAD', 'CANCELLED')),
    add constraint dispatch_sent_names_its_time check (state <> 'SENT' or sent_at is not null),
    add constraint dispatch_counts_are_possible check (cycle > 0 and attempts >= 0);

-- An older version left the row of a run open that ended before its audit began.
update weir.dispatch
set state = 'CANCELLED'
where state in ('PENDING', 'SENT')
  and run_id not in (select id from weir.run where state = 'EXTRACTED_VALIDATED');

-- A run asks for one step at a time.
create unique index dispatch_one_open_per_run on weir.dispatch (run_id)
    where state in ('PENDING', 'SENT');

drop index weir.dispatch_waiting;
create index dispatch_due on weir.dispatch (due_at) where state = 'PENDING';

-- Runs left by an older version wait for a step that it did in its own process.
insert into weir.dispatch (id, run_id, kind, cycle, state, attempts, created_at, due_at)
select gen_random_uuid(), id,
    case state when 'STAGING_VALIDATED' then 'PUBLISH_RUN'
        when 'PUBLISH_UNKNOWN' then 'RESOLVE_RUN' else 'CONFIRM_RUN' end,
    1, 'PENDING', 0, clock_timestamp(), clock_timestamp()
from weir.run
where state in ('STAGING_VALIDATED', 'PUBLISH_UNKNOWN', 'PUBLISHED');

-- The journal tells of what was changed and added.
insert into weir.event (at, run_id, name, details)
select clock_timestamp(), run_id, 'LEDGER_UPGRADED',
    jsonb_build_object('dispatch/' || kind || '/' || cycle, to_jsonb(dispatch))
from weir.dispatch;
