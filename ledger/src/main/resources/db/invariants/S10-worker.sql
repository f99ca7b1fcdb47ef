-- Every row of weir.worker keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select id, 'worker_counts_are_possible' as broken
from weir.worker
where not ((slots >= 0) AND (busy >= 0))
union all
select id, 'worker_pk' as broken
from (
    select *, count(*) over (partition by id) as same
    from weir.worker
where num_nulls(id) = 0
) as counted
where same > 1
order by 1, 2
