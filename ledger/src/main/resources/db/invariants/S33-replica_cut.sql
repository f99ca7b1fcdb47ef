-- Every row of weir.replica_cut keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select job, number, 'replica_cut_has_tables' as broken
from weir.replica_cut
where not (tables > 0)
union all
select job, number, 'replica_cut_pk' as broken
from (
    select *, count(*) over (partition by job, number) as same
    from weir.replica_cut
where num_nulls(job, number) = 0
) as counted
where same > 1
union all
select job, number, 'replica_cut_of_replication' as broken
from weir.replica_cut as own
where num_nulls(own.job) = 0
  and not exists (select from weir.replication as other where other.job = own.job)
order by 1, 2
