-- Every row of weir.outside_metric keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select run_id, stage, name, query_version, 'outside_metric_result_known' as broken
from weir.outside_metric
where not (result = ANY (ARRAY['PASS'::text, 'FAIL'::text, 'WARN'::text]))
union all
select run_id, stage, name, query_version, 'outside_metric_stage_known' as broken
from weir.outside_metric
where not (stage = ANY (ARRAY['SOURCE'::text, 'STAGING'::text, 'TARGET'::text]))
union all
select run_id, stage, name, query_version, 'outside_metric_verdict_is_no_better' as broken
from weir.outside_metric
where not ((verdict = 'FAIL'::text) OR ((verdict = result) AND (result <> 'FAIL'::text)))
union all
select run_id, stage, name, query_version, 'outside_metric_pk' as broken
from (
    select *, count(*) over (partition by run_id, stage, name, query_version) as same
    from weir.outside_metric
where num_nulls(run_id, stage, name, query_version) = 0
) as counted
where same > 1
union all
select run_id, stage, name, query_version, 'outside_metric_of_run' as broken
from weir.outside_metric as own
where num_nulls(own.run_id) = 0
  and not exists (select from weir.outside_run as other where other.id = own.run_id)
order by 1, 2
