-- Every row of weir.snapshot_holder keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select run_id, id, 'snapshot_holder_pk' as broken
from (
    select *, count(*) over (partition by run_id, id) as same
    from weir.snapshot_holder
where num_nulls(run_id, id) = 0
) as counted
where same > 1
union all
select run_id, id, 'snapshot_holder_of_run' as broken
from weir.snapshot_holder as own
where num_nulls(own.run_id) = 0
  and not exists (select from weir.run as other where other.id = own.run_id)
order by 1, 2
