-- No run of a cut was published before all of its runs were audited.

with audits as (
    select event.run_id, min(event.sequence) as sequence
    from weir.event
    where event.details -> 'run' ->> 'state' = 'STAGING_VALIDATED'
    group by event.run_id
), publishing as (
    select run.id, run.cut_id, run.cut_tables, run.state, (
        select min(event.sequence)
        from weir.event
        where event.run_id = run.id and event.details -> 'run' ->> 'state' = 'PUBLISHING'
        ) as sequence
    from weir.run
    where run.cut_id is not null
      and run.state in (
        'PUBLISHING', 'PUBLISH_UNKNOWN', 'PUBLISHED', 'SUCCESS', 'FAILED_TARGET_VALIDATION')
)
select publishing.id as run_id, publishing.cut_id, publishing.state, other.id as other_run_id,
    other.state as other_state, 'the other was not audited then' as violation
from publishing
join weir.run as other on other.cut_id = publishing.cut_id
left join audits on audits.run_id = other.id
where audits.sequence is null or audits.sequence > publishing.sequence
union all
select publishing.id, publishing.cut_id, publishing.state, null, null,
    'the cut has ' || found.runs || ' runs, not ' || publishing.cut_tables
from publishing
cross join lateral (
    select count(*) as runs from weir.run where run.cut_id = publishing.cut_id
) as found
where found.runs <> publishing.cut_tables
order by 1, 4
