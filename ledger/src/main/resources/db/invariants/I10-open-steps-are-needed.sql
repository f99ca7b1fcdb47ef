-- What the outbox still delivers is the step that its run waits for; an ended run has none.

select dispatch.run_id, dispatch.kind, dispatch.cycle, dispatch.state, dispatch.attempts,
    run.state as run_state, run.owner
from weir.dispatch
left join weir.run on run.id = dispatch.run_id
where (dispatch.state in ('PENDING', 'SENT')
    and dispatch.kind is distinct from case
        when run.owner is not null then null
        when run.state = 'EXTRACTED_VALIDATED' then 'VALIDATE_RUN'
        when run.state = 'STAGING_VALIDATED' then 'PUBLISH_RUN'
        when run.state = 'PUBLISH_UNKNOWN' then 'RESOLVE_RUN'
        when run.state = 'PUBLISHED' and run.confirmed_at is null then 'CONFIRM_RUN'
    end)
   -- It cannot have been taken or given up without a delivery.
   or (dispatch.state in ('SENT', 'DEAD') and dispatch.attempts < 1)
   or (dispatch.state = 'ACKED') <> (dispatch.acknowledged_at is not null)
order by dispatch.run_id, dispatch.kind, dispatch.cycle
