-- A partition is claimed once if the run must fail with its worker, else only so many times.

-- claims_max is what the ledger is set to.
select partition.run_id, partition.id as partition_id, partition.epoch as claims, run.recovery
from weir.partition
join weir.run on run.id = partition.run_id
where partition.epoch > case when run.recovery = 'FAIL' then 1 else :claims_max end
order by partition.run_id, partition.id
