-- Every row of weir.outside_partition keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select run_id, id, 'outside_partition_bounds_are_a_range' as broken
from weir.outside_partition
where not (is_null = (lower_bound is null) and is_null = (upper_bound is null) and (lower_bound is
        null or lower_bound <= upper_bound))
union all
select run_id, id, 'outside_partition_counts_are_possible' as broken
from weir.outside_partition
where not ((epoch >= 0) AND (expected_rows >= 0) AND (chunk_count >= 0) AND (bytes >= 0) AND (rows
        >= 0) AND (lease_ms > 0))
union all
select run_id, id, 'outside_partition_ended_exactly_when_terminal' as broken
from weir.outside_partition
where not ((ended_at is not null) = (state in ('SUCCESS', 'FAILED', 'TIMED_OUT')))
union all
select run_id, id, 'outside_partition_id_form' as broken
from weir.outside_partition
where not (id ~ '^([0-9]{4}|NULL)$')
union all
select run_id, id, 'outside_partition_lease_exactly_when_running' as broken
from weir.outside_partition
where not ((lease_until IS NOT NULL) = (state = 'RUNNING'::text))
union all
select run_id, id, 'outside_partition_state_known' as broken
from weir.outside_partition
where not (state in ('PENDING', 'RUNNING', 'RETRY', 'SUCCESS', 'FAILED', 'TIMED_OUT'))
union all
select run_id, id, 'outside_partition_success_has_expected_rows' as broken
from weir.outside_partition
where not ((state <> 'SUCCESS'::text) OR (rows = expected_rows))
union all
select run_id, id, 'outside_partition_token_from_first_claim' as broken
from weir.outside_partition
where not ((token_digest is null) = (epoch = 0))
union all
select run_id, id, 'outside_partition_ordinal_once' as broken
from (
    select *, count(*) over (partition by ordinal, run_id) as same
    from weir.outside_partition
where num_nulls(ordinal, run_id) = 0
) as counted
where same > 1
union all
select run_id, id, 'outside_partition_pk' as broken
from (
    select *, count(*) over (partition by run_id, id) as same
    from weir.outside_partition
where num_nulls(run_id, id) = 0
) as counted
where same > 1
union all
select run_id, id, 'outside_partition_of_run' as broken
from weir.outside_partition as own
where num_nulls(own.run_id) = 0
  and not exists (select from weir.outside_run as other where other.id = own.run_id)
order by 1, 2
