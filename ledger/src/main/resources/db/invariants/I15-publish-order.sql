-- Runs were published to a target in the order of its epochs; every epoch has its attempt.

with published as (
    select event.run_id, event.sequence, change.value as fields,
        substring(change.key from '^attempt/(.*)/[0-9]+$') as target,
        substring(change.key from '/([0-9]+)$')::bigint as epoch
    from weir.event
    cross join lateral jsonb_each(event.details) as change
    where split_part(change.key, '/', 1) = 'attempt'
      and change.value ->> 'state' = 'PUBLISHED'
), ordered as (
    select published.*, max(epoch) over (
        partition by target order by sequence
        rows between unbounded preceding and 1 preceding) as epoch_before
    from published
)
select run_id, target, epoch, 'published after epoch ' || epoch_before as violation
from ordered
where epoch <= epoch_before
union all
select null, target.name, target.epoch, 'there are ' || found.attempts || ' attempts up to '
    || coalesce(found.newest, 0)
from weir.target
cross join lateral (
    select count(*) as attempts, max(attempt.epoch) as newest
    from (
        select publish_attempt.target, publish_attempt.epoch from weir.publish_attempt
        union all
        select replica_window.target, replica_window.epoch from weir.replica_window
    ) as attempt
    where attempt.target = target.name
) as found
where found.attempts <> target.epoch or coalesce(found.newest, 0) <> target.epoch
order by 2, 3
