-- A step has one owner: nobody else gets it before the owner gave it back or lost it.

with owners as (
    select event.run_id, event.sequence, event.details -> 'run' ->> 'owner' as owner
    from weir.event
    where event.details -> 'run' -> 'owner' is not null
), steps as (
    select owners.*,
        lag(owner) over (partition by run_id order by sequence) as owner_before
    from owners
)
select run_id, owner_before, owner, sequence as event
from steps
where owner <> owner_before
union all
select id, null, owner, null
from weir.run
where state in ('STAGE_VALIDATING', 'PUBLISHING') and owner is null
order by 1, 4
