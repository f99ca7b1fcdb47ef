-- Every row of weir.metric keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select run_id, stage, subject, name, 'metric_stage_known' as broken
from weir.metric
where not (stage = ANY (ARRAY['SOURCE'::text, 'STAGING'::text, 'TARGET'::text]))
union all
select run_id, stage, subject, name, 'metric_verdict_is_equality' as broken
from weir.metric
where not (verdict =
CASE
    WHEN (NOT (expected IS DISTINCT FROM actual)) THEN 'PASS'::text
    ELSE 'FAIL'::text
END)
union all
select run_id, stage, subject, name, 'metric_pk' as broken
from (
    select *, count(*) over (partition by run_id, stage, subject, name) as same
    from weir.metric
where num_nulls(run_id, stage, subject, name) = 0
) as counted
where same > 1
union all
select run_id, stage, subject, name, 'metric_of_run' as broken
from weir.metric as own
where num_nulls(own.run_id) = 0
  and not exists (select from weir.run as other where other.id = own.run_id)
order by 1, 2
