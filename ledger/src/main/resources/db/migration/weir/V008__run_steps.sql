-- Any process may do a step of a run; tables of one job may be published as one cut.
alter table weir.run rename column auditor to owner;
alter table weir.run
    -- What happens to a partition whose worker is lost.
    add column recovery text not null default 'REISSUE',
    -- Common to the runs of one cut.
    add column cut_id uuid,
    add column cut_tables integer,
    -- How the columns are read: {"exclude": [...], "policies": {"column": "POLICY"}}.
    add column read_options jsonb not null default '{"exclude": [], "policies": {}}',
    -- When the published snapshot was read back.
    add column confirmed_at timestamptz,
    -- When retention removed what the run left behind.
    add column cleaned_at timestamptz,
    -- When the run ends unless it is published by then.
    add column deadline timestamptz;
update weir.run set deadline = created_at + interval '6 hours';
-- From now on an owner is somebody who does a step, and nobody does one after the end.
update weir.run set owner = null where state not in ('STAGE_VALIDATING', 'PUBLISHING');
update weir.run set owner = coalesce(owner, 'unknown')
where state in ('STAGE_VALIDATING', 'PUBLISHING');
update weir.run set confirmed_at = ended_at where state = 'SUCCESS';
alter table weir.run
    alter column recovery drop default,
    alter column read_options drop default,
    alter column deadline set not null,
    add constraint run_recovery_known check (recovery in ('FAIL', 'REISSUE')),
    add constraint run_cut_has_tables check (
        (cut_id is null) = (cut_tables is null) and cut_tables > 0),
    add constraint run_step_has_an_owner check (
        state not in ('STAGE_VALIDATING', 'PUBLISHING') or owner is not null),
    -- The last gate: nothing succeeds that was not read back.
    add constraint run_succeeds_only_when_confirmed check (
        state <> 'SUCCESS' or confirmed_at is not null),
    add constraint run_cleaned_only_when_ended check (cleaned_at is null or ended_at is not null),
    add constraint run_confirmed_only_when_published check (
        confirmed_at is null or published_at is not null);

-- The tables of a cut have the business key in common.
drop index weir.run_one_active_per_key;
create unique index run_one_active_per_key on weir.run (job, business_key, target)
    where state in (
        'CREATED', 'EXTRACTING', 'EXTRACTED_VALIDATED', 'STAGE_VALIDATING', 'STAGING_VALIDATED',
        'PUBLISHING', 'PUBLISH_UNKNOWN', 'PUBLISHED');

create index run_active on weir.run (created_at, id) where state in (
    'CREATED', 'EXTRACTING', 'EXTRACTED_VALIDATED', 'STAGE_VALIDATING', 'STAGING_VALIDATED',
    'PUBLISHING', 'PUBLISH_UNKNOWN', 'PUBLISHED');
create index run_to_clean on weir.run (ended_at)
    where ended_at is not null and cleaned_at is null;
create index run_of_cut on weir.run (cut_id) where cut_id is not null;

-- The journal tells of it, so that folding the events of an older run still gives its row.
insert into weir.event (at, run_id, name, details)
select clock_timestamp(), id, 'LEDGER_UPGRADED', jsonb_build_object('run', jsonb_build_object(
    'auditor', null, 'owner', owner, 'recovery', recovery, 'read_options', read_options,
    'confirmed_at', confirmed_at, 'deadline', deadline))
from weir.run;
