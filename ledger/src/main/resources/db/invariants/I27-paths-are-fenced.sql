-- Every file lies in the directory of its run, partition and epoch, under a plain name.

select chunk.run_id, chunk.partition_id, chunk.epoch, chunk.chunk_index, chunk.path,
    run.data_path
from weir.chunk
join weir.run on run.id = chunk.run_id
cross join lateral (
    select run.data_path || '/p=' || chunk.partition_id || '/e=' || chunk.epoch || '/' as text
) as directory
where chunk.path is not null
  and (not starts_with(chunk.path, directory.text)
    or substr(chunk.path, length(directory.text) + 1) !~ '^[A-Za-z0-9_.-]{1,255}$'
    or substr(chunk.path, length(directory.text) + 1) ~ '[.][.]|^[.]$')
union all
select run.id, null, null, null, null, run.data_path
from weir.run
where not run.data_path like '%/run=' || run.id::text
order by 1, 2, 3, 4
