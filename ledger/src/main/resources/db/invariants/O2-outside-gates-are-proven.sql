-- Past its gates an outside run has figures of the stage, and none of them failed.

with gated as (
    select id, state, 'STAGING' as stage
    from weir.outside_run
    where state in ('STAGING_VALIDATED', 'PUBLISHING', 'PUBLISH_UNKNOWN', 'PUBLISHED', 'SUCCESS')
    union all
    select id, state, 'TARGET' from weir.outside_run where state = 'SUCCESS'
)
select gated.id as run_id, gated.state, gated.stage, metric.name,
    coalesce(metric.verdict, 'missing') as verdict
from gated
left join weir.outside_metric as metric
  on metric.run_id = gated.id and metric.stage = gated.stage
where metric.name is null or metric.verdict = 'FAIL'
order by 1, 3, 4
