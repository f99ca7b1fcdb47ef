-- Every row of weir.stream_transaction keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select id, 'stream_transaction_aborted_has_reason' as broken
from weir.stream_transaction
where not ((state = 'ABORTED'::text) = (reason IS NOT NULL))
union all
select id, 'stream_transaction_counts_are_possible' as broken
from weir.stream_transaction
where not ((records >= 0) AND (timeout_ms > 0))
union all
select id, 'stream_transaction_state_known' as broken
from weir.stream_transaction
where not (state = ANY (ARRAY['OPEN'::text, 'COMMITTING'::text, 'ABORTED'::text, 'EXPIRED'::text]))
union all
select id, 'stream_transaction_pk' as broken
from (
    select *, count(*) over (partition by id) as same
    from weir.stream_transaction
where num_nulls(id) = 0
) as counted
where same > 1
order by 1, 2
