-- Every row of weir.partition keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select run_id, id, 'partition_bounds_are_typed' as broken
from weir.partition
where not ((lower_kind is null) = (lower_text is null) and (upper_kind is null) = (upper_text is
        null))
union all
select run_id, id, 'partition_counts_are_possible' as broken
from weir.partition
where not (epoch >= 0 and expected_rows >= 0 and chunk_count >= 0 and bytes >= 0 and rows >= 0)
union all
select run_id, id, 'partition_digest_sum_is_128_bits' as broken
from weir.partition
where not (digest_sum between 0 and 340282366920938463463374607431768211455)
union all
select run_id, id, 'partition_ended_exactly_when_terminal' as broken
from weir.partition
where not ((ended_at is not null) = (state in ('SUCCESS', 'FAILED', 'TIMED_OUT')))
union all
select run_id, id, 'partition_id_form' as broken
from weir.partition
where not (id ~ '^([0-9]{4}|NULL)$')
union all
select run_id, id, 'partition_lease_exactly_when_running' as broken
from weir.partition
where not ((lease_until is not null) = (state = 'RUNNING'))
union all
select run_id, id, 'partition_null_range_has_no_bounds' as broken
from weir.partition
where not (not is_null or (lower_text is null and upper_text is null))
union all
select run_id, id, 'partition_state_known' as broken
from weir.partition
where not (state in ('PENDING', 'RUNNING', 'RETRY', 'SUCCESS', 'FAILED', 'TIMED_OUT'))
union all
select run_id, id, 'partition_success_has_chunks' as broken
from weir.partition
where not (state <> 'SUCCESS' or chunk_count > 0)
union all
select run_id, id, 'partition_success_has_expected_rows' as broken
from weir.partition
where not (state <> 'SUCCESS' or expected_rows is null or rows = expected_rows)
union all
select run_id, id, 'partition_token_from_first_claim' as broken
from weir.partition
where not ((token is null) = (epoch = 0))
union all
select run_id, id, 'partition_ordinal_once' as broken
from (
    select *, count(*) over (partition by ordinal, run_id) as same
    from weir.partition
where num_nulls(ordinal, run_id) = 0
) as counted
where same > 1
union all
select run_id, id, 'partition_pk' as broken
from (
    select *, count(*) over (partition by run_id, id) as same
    from weir.partition
where num_nulls(run_id, id) = 0
) as counted
where same > 1
union all
select run_id, id, 'partition_token_once' as broken
from (
    select *, count(*) over (partition by token, run_id) as same
    from weir.partition
where num_nulls(token, run_id) = 0
) as counted
where same > 1
union all
select run_id, id, 'partition_of_run' as broken
from weir.partition as own
where num_nulls(own.run_id) = 0
  and not exists (select from weir.run as other where other.id = own.run_id)
order by 1, 2
