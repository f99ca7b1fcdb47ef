-- Every row of weir.lineage_start keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select single, 'lineage_start_is_one' as broken
from weir.lineage_start
where not single
union all
select single, 'lineage_start_pk' as broken
from (
    select *, count(*) over (partition by single) as same
    from weir.lineage_start
where num_nulls(single) = 0
) as counted
where same > 1
order by 1, 2
