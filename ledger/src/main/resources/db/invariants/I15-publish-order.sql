-- Runs were published in the order of epochs, none over a newer one; every epoch has its attempt.

with published as (
    select event.run_id, event.sequence, change.value as fields,
        substring(change.key from '^attempt/(.*)/[0-9]+$') as target,
        substring(change.key from '/([0-9]+)$')::bigint as epoch
    from weir.event
    cross join lateral jsonb_each(event.details) as change
    where split_part(change.key, '/', 1) = 'attempt'
      and change.value ->> 'state' = 'PUBLISHED'
), ordered as (
    select published.*,
        run.created_at, run.publish_mode, run.business_key,
        max(epoch) over before as epoch_before,
        max(run.created_at) over before as newest_before
    from published
    left join weir.run on run.id = published.run_id
    window before as (
        partition by published.target order by published.sequence
        rows between unbounded preceding and 1 preceding)
)
select run_id, target, epoch, 'published after epoch ' || epoch_before as violation
from ordered
where epoch <= epoch_before
union all
select late.run_id, late.target, late.epoch, 'published after run ' || newer.run_id
    || ', which is newer'
from ordered as late
join ordered as newer
  on newer.target = late.target and newer.sequence < late.sequence
    and newer.created_at > late.created_at
where late.created_at < late.newest_before
  and case when newer.publish_mode = late.publish_mode
    then late.publish_mode = 'REPLACE' or (late.publish_mode = 'REPLACE_PARTITIONS'
        and newer.business_key = late.business_key)
    else true end
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
