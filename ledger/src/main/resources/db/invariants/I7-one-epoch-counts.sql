-- Only chunks of the epoch that completed a partition were ever verified: claims never mix.

select chunk.run_id, chunk.partition_id, chunk.epoch, chunk.chunk_index, chunk.state,
    partition.epoch as counted_epoch, partition.state as partition_state
from weir.chunk
left join weir.partition
  on partition.run_id = chunk.run_id and partition.id = chunk.partition_id
where chunk.epoch > coalesce(partition.epoch, 0)
   or (chunk.state = 'VERIFIED'
    and (chunk.epoch <> partition.epoch or partition.state <> 'SUCCESS'))
order by chunk.run_id, chunk.partition_id, chunk.epoch, chunk.chunk_index
