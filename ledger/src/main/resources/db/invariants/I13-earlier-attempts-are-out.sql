-- A run tries again to publish only after proof that its earlier attempts did not and cannot.

select run_id, target, epoch, state, evidence
from (
    select publish_attempt.*, max(epoch) over (partition by run_id) as newest
    from weir.publish_attempt
) as attempt
where epoch < newest
  and (state <> 'FAILED' or coalesce(evidence, '') = '')
order by run_id, epoch
