-- Every row of weir.replica_window keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select target, epoch, 'replica_window_ended_exactly_when_settled' as broken
from weir.replica_window
where not ((ended_at IS NOT NULL) = (state = ANY (ARRAY['PUBLISHED'::text, 'FAILED'::text])))
union all
select target, epoch, 'replica_window_evidence_exactly_when_tried' as broken
from weir.replica_window
where not ((evidence IS NOT NULL) = (state = ANY (ARRAY['PUBLISHED'::text, 'FAILED'::text,
        'UNKNOWN'::text])))
union all
select target, epoch, 'replica_window_goes_forward' as broken
from weir.replica_window
where not (to_place > from_place)
union all
select target, epoch, 'replica_window_sent_only_when_balanced' as broken
from weir.replica_window
where not ((state = ANY (ARRAY['STAGED'::text, 'FAILED'::text])) OR COALESCE(((closing_rows =
        ((opening_rows - removed_rows) + appended_rows)) AND (((((closing_digest_sum -
        opening_digest_sum) + removed_digest_sum) - appended_digest_sum) %
        '340282366920938463463374607431768211456'::numeric) = (0)::numeric)), false))
union all
select target, epoch, 'replica_window_state_known' as broken
from weir.replica_window
where not (state = ANY (ARRAY['STAGED'::text, 'OPEN'::text, 'PUBLISHED'::text, 'FAILED'::text,
        'UNKNOWN'::text]))
union all
select target, epoch, 'replica_window_one_open_per_target' as broken
from (
    select *, count(*) over (partition by target) as same
    from weir.replica_window
where num_nulls(target) = 0 and (state = ANY (ARRAY['OPEN'::text, 'UNKNOWN'::text]))
) as counted
where same > 1
union all
select target, epoch, 'replica_window_pk' as broken
from (
    select *, count(*) over (partition by target, epoch) as same
    from weir.replica_window
where num_nulls(target, epoch) = 0
) as counted
where same > 1
union all
select target, epoch, 'replica_window_run_once' as broken
from (
    select *, count(*) over (partition by run_id) as same
    from weir.replica_window
where num_nulls(run_id) = 0
) as counted
where same > 1
union all
select target, epoch, 'replica_window_of_replica' as broken
from weir.replica_window as own
where num_nulls(own.job, own.source_table) = 0
  and not exists (select from weir.replica as other where other.job = own.job and other.source_table
        = own.source_table)
union all
select target, epoch, 'replica_window_of_target' as broken
from weir.replica_window as own
where num_nulls(own.target) = 0
  and not exists (select from weir.target as other where other.name = own.target)
order by 1, 2
