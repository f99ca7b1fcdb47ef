-- A partition in SUCCESS has the chunks 0 to the last without a gap, and all expected rows.

select partition.run_id, partition.id as partition_id, partition.epoch,
    partition.expected_rows, found.rows, found.chunks, found.first_index, found.last_index
from weir.partition
cross join lateral (
    select count(*) as chunks,
        coalesce(sum(chunk.rows), 0) as rows,
        min(chunk.chunk_index) as first_index,
        max(chunk.chunk_index) filter (where chunk.last) as last_index,
        count(*) filter (where chunk.last) as lasts
    from weir.chunk
    where chunk.run_id = partition.run_id
      and chunk.partition_id = partition.id
      and chunk.epoch = partition.epoch
) as found
where partition.state = 'SUCCESS'
  and (found.lasts <> 1
    or found.first_index is distinct from 0
    or found.last_index is distinct from found.chunks - 1
    or found.rows <> coalesce(partition.expected_rows, found.rows))
order by partition.run_id, partition.id
