-- Every row of weir.publish_attempt keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select target, epoch, 'publish_attempt_evidence_exactly_when_tried' as broken
from weir.publish_attempt
where not ((evidence IS NOT NULL) = (state = ANY (ARRAY['PUBLISHED'::text, 'FAILED'::text,
        'UNKNOWN'::text])))
union all
select target, epoch, 'publish_attempt_state_known' as broken
from weir.publish_attempt
where not (state = ANY (ARRAY['STAGED'::text, 'OPEN'::text, 'PUBLISHED'::text, 'FAILED'::text,
        'UNKNOWN'::text]))
union all
select target, epoch, 'publish_attempt_one_open_per_target' as broken
from (
    select *, count(*) over (partition by target) as same
    from weir.publish_attempt
where num_nulls(target) = 0 and (state = ANY (ARRAY['OPEN'::text, 'UNKNOWN'::text]))
) as counted
where same > 1
union all
select target, epoch, 'publish_attempt_pk' as broken
from (
    select *, count(*) over (partition by target, epoch) as same
    from weir.publish_attempt
where num_nulls(target, epoch) = 0
) as counted
where same > 1
union all
select target, epoch, 'publish_attempt_token_once' as broken
from (
    select *, count(*) over (partition by run_id, token) as same
    from weir.publish_attempt
where num_nulls(run_id, token) = 0
) as counted
where same > 1
union all
select target, epoch, 'publish_attempt_of_run' as broken
from weir.publish_attempt as own
where num_nulls(own.run_id) = 0
  and not exists (select from weir.run as other where other.id = own.run_id)
union all
select target, epoch, 'publish_attempt_of_target' as broken
from weir.publish_attempt as own
where num_nulls(own.target) = 0
  and not exists (select from weir.target as other where other.name = own.target)
order by 1, 2
