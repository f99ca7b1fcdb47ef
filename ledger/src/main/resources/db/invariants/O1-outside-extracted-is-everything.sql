-- An outside run is the sum of its complete partitions, and goes on only when that is everything.

select run.id as run_id, null as partition_id, run.state,
    'its partitions add up to ' || found.rows || ' rows in ' || found.complete || ' of '
        || found.partitions as violation
from weir.outside_run as run
cross join lateral (
    select count(*) as partitions,
        count(*) filter (where partition.state = 'SUCCESS') as complete,
        coalesce(sum(partition.rows) filter (where partition.state = 'SUCCESS'), 0) as rows
    from weir.outside_partition as partition
    where partition.run_id = run.id
) as found
where (found.partitions, found.complete, found.rows)
    <> (run.partition_count, run.succeeded_partitions, run.extracted_rows)
   or (run.extracted_at is not null
    and (found.complete <> run.partition_count
        or found.rows is distinct from run.source_count::numeric))
union all
select partition.run_id, partition.id, partition.state,
    'its chunks add up to ' || found.rows || ' rows in ' || found.chunks
from weir.outside_partition as partition
cross join lateral (
    select count(*) as chunks,
        coalesce(sum(chunk.rows), 0) as rows,
        count(distinct chunk.chunk_total) as totals,
        max(chunk.chunk_total) as total
    from weir.outside_chunk as chunk
    where chunk.run_id = partition.run_id
      and chunk.partition_id = partition.id
      and chunk.epoch = partition.epoch
      and chunk.state = 'WRITTEN'
) as found
where (found.chunks, found.rows) <> (partition.chunk_count, partition.rows)
   or (partition.state = 'SUCCESS' and partition.epoch > 0
    and (found.totals <> 1 or found.total <> found.chunks))
order by 1, 2
