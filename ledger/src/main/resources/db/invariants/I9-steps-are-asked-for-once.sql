-- A run that waits for a step asked for it, exactly once for each time that it waits.

with waiting as (
    select run.id, run.cut_id, run.cut_tables,
        case run.state
            when 'EXTRACTED_VALIDATED' then 'VALIDATE_RUN'
            when 'STAGING_VALIDATED' then 'PUBLISH_RUN'
            when 'PUBLISH_UNKNOWN' then 'RESOLVE_RUN'
            when 'PUBLISHED' then case when run.confirmed_at is null then 'CONFIRM_RUN' end
        end as kind
    from weir.run
    where run.owner is null
), needed as (
    -- A cut is published only when all its runs can be; if one cannot, none waits for anybody.
    select id, kind
    from waiting
    where kind is not null
      and (kind <> 'PUBLISH_RUN'
        or cut_id is null
        or cut_tables = (
            select count(*)
            from weir.run
            where run.cut_id = waiting.cut_id
              and run.state in (
                'STAGING_VALIDATED', 'PUBLISHING', 'PUBLISH_UNKNOWN', 'PUBLISHED', 'SUCCESS')))
)
select run_id, kind, cycle, 'asked for twice' as violation
from (
    select dispatch.*, count(*) over (partition by run_id, kind, cycle) as same
    from weir.dispatch
) as counted
where same > 1
union all
select run_id, kind, max(cycle), 'there are ' || count(*) || ' cycles'
from weir.dispatch
group by run_id, kind
having max(cycle) <> count(*)
union all
select run_id, kind, cycle, 'the run asks for another step too'
from (
    select dispatch.*, count(*) over (partition by run_id) as open
    from weir.dispatch
    where state in ('PENDING', 'SENT')
) as counted
where open > 1
union all
select needed.id, needed.kind, newest.cycle,
    'nobody is asked for it (newest=' || coalesce(newest.state, 'none') || ')'
from needed
left join lateral (
    select dispatch.cycle, dispatch.state
    from weir.dispatch
    where dispatch.run_id = needed.id and dispatch.kind = needed.kind
    order by dispatch.cycle desc
    limit 1
) as newest on true
where coalesce(newest.state, 'none') not in ('PENDING', 'SENT', 'DEAD')
union all
select run.id, 'VALIDATE_RUN', null, 'extracted ' || found.times || ' times'
from weir.run
cross join lateral (
    select count(*) as times
    from weir.event
    where event.run_id = run.id and event.name = 'RUN_EXTRACTED'
) as found
where found.times <> (run.extracted_at is not null)::int
union all
select run.id, 'VALIDATE_RUN', null, 'extracted, but it was never asked for'
from weir.run
where run.extracted_at is not null
  and not exists (
    select from weir.dispatch
    where dispatch.run_id = run.id and dispatch.kind = 'VALIDATE_RUN')
order by 1, 2, 3
