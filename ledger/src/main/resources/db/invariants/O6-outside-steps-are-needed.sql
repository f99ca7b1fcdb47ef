-- Nobody is asked for a step of an outside run that ended, and whoever has to validate is asked.

select run.id as run_id, run.state, dispatch.kind, dispatch.state as dispatch_state
from weir.outside_run as run
join weir.outside_dispatch as dispatch on dispatch.run_id = run.id
where run.ended_at is not null and dispatch.state in ('PENDING', 'SENT')
union all
select run.id, run.state, 'VALIDATE_RUN', null
from weir.outside_run as run
where run.state = 'EXTRACTED_VALIDATED'
  and not exists (
    select from weir.outside_dispatch as dispatch
    where dispatch.run_id = run.id and dispatch.kind = 'VALIDATE_RUN'
      and dispatch.state in ('PENDING', 'SENT', 'DEAD'))
order by 1, 3
