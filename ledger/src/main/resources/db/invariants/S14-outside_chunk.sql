-- Every row of weir.outside_chunk keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select run_id, partition_id, epoch, chunk_index, 'outside_chunk_counts_are_possible' as broken
from weir.outside_chunk
where not (epoch > 0 and chunk_index >= 0 and chunk_total > chunk_index and rows >= 0 and bytes >=
        0)
union all
select run_id, partition_id, epoch, chunk_index, 'outside_chunk_state_known' as broken
from weir.outside_chunk
where not (state in ('WRITTEN', 'FAILED', 'LATE'))
union all
select run_id, partition_id, epoch, chunk_index, 'outside_chunk_path_once' as broken
from (
    select *, count(*) over (partition by path) as same
    from weir.outside_chunk
where num_nulls(path) = 0 and (state = 'WRITTEN'::text)
) as counted
where same > 1
union all
select run_id, partition_id, epoch, chunk_index, 'outside_chunk_pk' as broken
from (
    select *, count(*) over (partition by run_id, partition_id, epoch, chunk_index) as same
    from weir.outside_chunk
where num_nulls(run_id, partition_id, epoch, chunk_index) = 0
) as counted
where same > 1
union all
select run_id, partition_id, epoch, chunk_index, 'outside_chunk_of_partition' as broken
from weir.outside_chunk as own
where num_nulls(own.run_id, own.partition_id) = 0
  and not exists (select from weir.outside_partition as other where other.run_id = own.run_id and
        other.id = own.partition_id)
order by 1, 2
