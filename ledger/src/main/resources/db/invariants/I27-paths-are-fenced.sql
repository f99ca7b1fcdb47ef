-- The files of a run lie in a directory of its own; where in there follows from their chunks.

select id as run_id, data_path
from weir.run
where data_path not like '%/run=' || id::text
order by 1
