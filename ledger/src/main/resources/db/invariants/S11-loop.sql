-- Every row of weir.loop keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select name, 'loop_pk' as broken
from (
    select *, count(*) over (partition by name) as same
    from weir.loop
where num_nulls(name) = 0
) as counted
where same > 1
order by 1, 2
