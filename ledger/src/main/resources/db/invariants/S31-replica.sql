-- Every row of weir.replica keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select job, source_table, 'replica_facts_of_a_stop' as broken
from weir.replica
where not ((stop_code IS NOT NULL) OR (num_nulls(stop_key, stop_expected, stop_found) = 3))
union all
select job, source_table, 'replica_failures_counted' as broken
from weir.replica
where not (failures >= 0)
union all
select job, source_table, 'replica_generation_from_one' as broken
from weir.replica
where not (generation > 0)
union all
select job, source_table, 'replica_place_is_whole' as broken
from weir.replica
where not ((num_nulls(verified_place, verified_position) = ANY (ARRAY[0, 2])) AND
        (num_nulls(loaded_place, loaded_position) = ANY (ARRAY[0, 2])) AND (num_nulls(ends_place,
        ends_position) = ANY (ARRAY[0, 2])))
union all
select job, source_table, 'replica_runs_from_a_place' as broken
from weir.replica
where not ((state <> ALL (ARRAY['RUNNING'::text, 'ENDING'::text])) OR (verified_place IS NOT NULL))
union all
select job, source_table, 'replica_state_known' as broken
from weir.replica
where not (state = ANY (ARRAY['LOADING'::text, 'RUNNING'::text, 'ENDING'::text, 'STOPPED'::text]))
union all
select job, source_table, 'replica_stop_exactly_when_stopped' as broken
from weir.replica
where not (num_nulls(stop_code, stop_message, stop_command) =
CASE
    WHEN (state = ANY (ARRAY['ENDING'::text, 'STOPPED'::text])) THEN 0
    ELSE 3
END)
union all
select job, source_table, 'replica_pk' as broken
from (
    select *, count(*) over (partition by job, source_table) as same
    from weir.replica
where num_nulls(job, source_table) = 0
) as counted
where same > 1
union all
select job, source_table, 'replica_target_once' as broken
from (
    select *, count(*) over (partition by target) as same
    from weir.replica
where num_nulls(target) = 0
) as counted
where same > 1
union all
select job, source_table, 'replica_of_replication' as broken
from weir.replica as own
where num_nulls(own.job) = 0
  and not exists (select from weir.replication as other where other.job = own.job)
order by 1, 2
