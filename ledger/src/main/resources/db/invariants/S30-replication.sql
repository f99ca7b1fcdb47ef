-- Every row of weir.replication keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select job, 'replication_owner_is_whole' as broken
from weir.replication
where not (num_nulls(token, owner, lease_until) = ANY (ARRAY[0, 3]))
union all
select job, 'replication_places_are_whole' as broken
from weir.replication
where not ((num_nulls(begun_place, begun_position) = ANY (ARRAY[0, 2])) AND
        (num_nulls(captured_place, captured_position) = ANY (ARRAY[0, 2])))
union all
select job, 'replication_state_known' as broken
from weir.replication
where not (state = ANY (ARRAY['RUNNING'::text, 'PAUSED'::text]))
union all
select job, 'replication_stop_is_whole' as broken
from weir.replication
where not (num_nulls(stop_code, stop_message, stop_command) = ANY (ARRAY[0, 3]))
union all
select job, 'replication_pk' as broken
from (
    select *, count(*) over (partition by job) as same
    from weir.replication
where num_nulls(job) = 0
) as counted
where same > 1
union all
select job, 'replication_slot_once' as broken
from (
    select *, count(*) over (partition by source, slot) as same
    from weir.replication
where num_nulls(source, slot) = 0
) as counted
where same > 1
order by 1, 2
