-- At most one attempt per target is open or unknown, and its run is the one that publishes.

select attempt.run_id, attempt.target, attempt.epoch, attempt.state, run.state as run_state
from (
    select publish_attempt.*, count(*) over (partition by target) as unsettled
    from weir.publish_attempt
    where state in ('OPEN', 'UNKNOWN')
) as attempt
left join weir.run on run.id = attempt.run_id
where attempt.unsettled > 1
   or run.state is distinct from case attempt.state
        when 'OPEN' then 'PUBLISHING' else 'PUBLISH_UNKNOWN' end
   or run.target <> attempt.target
union all
select run.id, run.target, null, null, run.state
from weir.run
where run.state in ('PUBLISHING', 'PUBLISH_UNKNOWN')
  and not exists (
    select from weir.publish_attempt
    where publish_attempt.run_id = run.id and publish_attempt.state in ('OPEN', 'UNKNOWN'))
order by 1, 3
