-- Every row of weir.replica_event keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select sequence, 'replica_event_operator_has_a_reason' as broken
from weir.replica_event
where not ((operator IS NULL) = (reason IS NULL))
union all
select sequence, 'replica_event_pk' as broken
from (
    select *, count(*) over (partition by sequence) as same
    from weir.replica_event
where num_nulls(sequence) = 0
) as counted
where same > 1
order by 1, 2
