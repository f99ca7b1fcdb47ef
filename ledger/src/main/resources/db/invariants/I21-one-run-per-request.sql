-- An idempotency key made one run.

select id as run_id, idempotency_key, job, business_key
from (
    select run.*, count(*) over (partition by idempotency_key) as same
    from weir.run
) as counted
where same > 1
order by idempotency_key, run_id
