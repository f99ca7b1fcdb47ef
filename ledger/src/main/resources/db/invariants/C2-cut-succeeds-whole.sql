-- A run of a cut is in SUCCESS only if all runs of the cut are.

select run.id as run_id, run.cut_id, other.id as other_run_id, other.state as other_state
from weir.run
join weir.run as other on other.cut_id = run.cut_id
where run.state = 'SUCCESS' and other.state <> 'SUCCESS'
order by run.id, other.id
