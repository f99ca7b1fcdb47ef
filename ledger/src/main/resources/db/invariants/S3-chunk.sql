-- Every row of weir.chunk keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select run_id, partition_id, epoch, chunk_index, 'chunk_counts_are_possible' as broken
from weir.chunk
where not (epoch > 0 and chunk_index >= 0 and bytes >= 0 and rows >= 0)
union all
select run_id, partition_id, epoch, chunk_index, 'chunk_digest_sum_is_128_bits' as broken
from weir.chunk
where not (digest_sum between 0 and 340282366920938463463374607431768211455)
union all
select run_id, partition_id, epoch, chunk_index, 'chunk_state_known' as broken
from weir.chunk
where not (state in ('WRITTEN', 'VERIFIED', 'FAILED'))
union all
select run_id, partition_id, epoch, chunk_index, 'chunk_verified_is_equality' as broken
from weir.chunk
where not (state <> 'VERIFIED' or (measured_rows is not distinct from rows and measured_digest_sum
        is not distinct from digest_sum))
union all
select run_id, partition_id, epoch, chunk_index, 'chunk_without_file_has_no_rows' as broken
from weir.chunk
where not (bytes > 0 or (rows = 0 and chunk_index = 0 and last))
union all
select run_id, partition_id, epoch, chunk_index, 'chunk_without_rows_has_no_digests' as broken
from weir.chunk
where not (rows > 0 or digest_sum = 0)
union all
select run_id, partition_id, epoch, chunk_index, 'chunk_one_last' as broken
from (
    select *, count(*) over (partition by run_id, partition_id, epoch) as same
    from weir.chunk
where num_nulls(run_id, partition_id, epoch) = 0 and last
) as counted
where same > 1
union all
select run_id, partition_id, epoch, chunk_index, 'chunk_pk' as broken
from (
    select *, count(*) over (partition by run_id, partition_id, epoch, chunk_index) as same
    from weir.chunk
where num_nulls(run_id, partition_id, epoch, chunk_index) = 0
) as counted
where same > 1
union all
select run_id, partition_id, epoch, chunk_index, 'chunk_of_partition' as broken
from weir.chunk as own
where num_nulls(own.run_id, own.partition_id) = 0
  and not exists (select from weir.partition as other where other.run_id = own.run_id and other.id =
        own.partition_id)
order by 1, 2
