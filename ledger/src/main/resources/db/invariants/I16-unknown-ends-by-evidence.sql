-- PUBLISH_UNKNOWN is left only together with the evidence that settles its attempt.

with states as (
    select event.run_id, event.sequence, event.at, event.details -> 'run' ->> 'state' as state
    from weir.event
    where event.details -> 'run' -> 'state' is not null
), steps as (
    select states.*,
        lag(state) over (partition by run_id order by sequence) as state_before
    from states
)
select run_id, state, sequence as event
from steps
where state_before = 'PUBLISH_UNKNOWN'
  and not exists (
    select
    from weir.event as settled
    cross join lateral jsonb_each(settled.details) as change
    where settled.run_id = steps.run_id
      and settled.at = steps.at
      and split_part(change.key, '/', 1) = 'attempt'
      and change.value ->> 'state' in ('PUBLISHED', 'FAILED')
      and coalesce(change.value ->> 'evidence', '') <> '')
order by run_id, sequence
