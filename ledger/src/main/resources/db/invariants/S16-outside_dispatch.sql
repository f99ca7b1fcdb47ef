-- Every row of weir.outside_dispatch keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select id, 'outside_dispatch_acknowledged_exactly_when_acked' as broken
from weir.outside_dispatch
where not ((acknowledged_at IS NOT NULL) = (state = 'ACKED'::text))
union all
select id, 'outside_dispatch_counts_are_possible' as broken
from weir.outside_dispatch
where not ((cycle > 0) AND (attempts >= 0))
union all
select id, 'outside_dispatch_kind_known' as broken
from weir.outside_dispatch
where not (kind = ANY (ARRAY['VALIDATE_RUN'::text, 'REISSUE_PARTITION'::text, 'PUBLISH_RUN'::text,
        'CONFIRM_RUN'::text]))
union all
select id, 'outside_dispatch_partition_exactly_when_reissued' as broken
from weir.outside_dispatch
where not ((partition_id IS NOT NULL) = (kind = 'REISSUE_PARTITION'::text))
union all
select id, 'outside_dispatch_state_known' as broken
from weir.outside_dispatch
where not (state = ANY (ARRAY['PENDING'::text, 'SENT'::text, 'ACKED'::text, 'DEAD'::text,
        'CANCELLED'::text]))
union all
select id, 'outside_dispatch_once_per_cycle' as broken
from (
    select *, count(*) over (partition by run_id, kind, cycle) as same
    from weir.outside_dispatch
where num_nulls(run_id, kind, cycle) = 0
) as counted
where same > 1
union all
select id, 'outside_dispatch_pk' as broken
from (
    select *, count(*) over (partition by id) as same
    from weir.outside_dispatch
where num_nulls(id) = 0
) as counted
where same > 1
union all
select id, 'outside_dispatch_of_run' as broken
from weir.outside_dispatch as own
where num_nulls(own.run_id) = 0
  and not exists (select from weir.outside_run as other where other.id = own.run_id)
order by 1, 2
