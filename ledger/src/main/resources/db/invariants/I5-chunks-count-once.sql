-- A chunk counts once, and a partition is the sum of its epoch's chunks.

select run_id, partition_id, epoch, chunk_index, 'the chunk is there twice' as violation
from (
    select chunk.*,
        count(*) over (partition by run_id, partition_id, epoch, chunk_index) as same
    from weir.chunk
) as counted
where same > 1
union all
select run_id, id, epoch, null,
    'its chunks add up to ' || sums.chunks || ' chunks, ' || sums.bytes || ' bytes, '
        || sums.rows || ' rows'
        || case when sums.digest_sum <> partition.digest_sum
            then ' and another digest sum' else '' end
from weir.partition
cross join lateral (
    select count(*) as chunks,
        coalesce(sum(chunk.bytes), 0) as bytes,
        coalesce(sum(chunk.rows), 0) as rows,
        mod(coalesce(sum(chunk.digest_sum), 0), 340282366920938463463374607431768211456)
            as digest_sum
    from weir.chunk
    where chunk.run_id = partition.run_id
      and chunk.partition_id = partition.id
      and chunk.epoch = partition.epoch
) as sums
where (sums.chunks, sums.bytes, sums.rows, sums.digest_sum)
    <> (partition.chunk_count, partition.bytes, partition.rows, partition.digest_sum)
order by 1, 2, 3, 4
