-- Every row of weir.outside_event keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select sequence, run_id, 'outside_event_level_known' as broken
from weir.outside_event
where not (level = ANY (ARRAY['INFO'::text, 'WARN'::text, 'ERROR'::text]))
union all
select sequence, run_id, 'outside_event_pk' as broken
from (
    select *, count(*) over (partition by run_id, sequence) as same
    from weir.outside_event
where num_nulls(run_id, sequence) = 0
) as counted
where same > 1
order by 1, 2
