-- Every row of weir.replica_file keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select job, source_table, generation, path, 'replica_file_counts_are_possible' as broken
from weir.replica_file
where not ((bytes > 0) AND (rows >= 0))
union all
select job, source_table, generation, path, 'replica_file_generation_from_one' as broken
from weir.replica_file
where not (generation > 0)
union all
select job, source_table, generation, path, 'replica_file_places_are_of_rows' as broken
from weir.replica_file
where not ((first_place <= last_place) AND ((rows = 0) = (first_place = 0)) AND ((rows = 0) =
        (last_place = 0)))
union all
select job, source_table, generation, path, 'replica_file_pk' as broken
from (
    select *, count(*) over (partition by job, source_table, generation, path) as same
    from weir.replica_file
where num_nulls(job, source_table, generation, path) = 0
) as counted
where same > 1
union all
select job, source_table, generation, path, 'replica_file_of_replica' as broken
from weir.replica_file as own
where num_nulls(own.job, own.source_table) = 0
  and not exists (select from weir.replica as other where other.job = own.job and other.source_table
        = own.source_table)
order by 1, 2
