-- The state of an outside run is the one that the newest entry of its journal led to.

select run.id as run_id, run.state, newest.after
from weir.outside_run as run
left join lateral (
    select details ->> 'after' as after
    from weir.audit
    where subject = 'run/' || run.id and details ->> 'after' is not null
    order by number desc
    limit 1
) as newest on true
where newest.after is distinct from run.state
order by 1
