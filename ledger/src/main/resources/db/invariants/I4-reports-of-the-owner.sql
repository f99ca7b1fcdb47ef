-- Every chunk was reported under the epoch that held its partition then, while it was read.

with changes as (
    select event.run_id, event.sequence, change.key as row_name, change.value as fields,
        split_part(change.key, '/', 1) as kind,
        split_part(change.key, '/', 2) as partition_id
    from weir.event
    cross join lateral jsonb_each(event.details) as change
    where split_part(change.key, '/', 1) in ('partition', 'chunk', 'chunks')
), held as (
    select changes.*,
        -- What the events before say; epochs only grow, and of the states the latest counts.
        max((fields ->> 'epoch')::bigint) filter (where kind = 'partition') over earlier
            as epoch_then,
        max(lpad(sequence::text, 20, '0') || (fields ->> 'state'))
            filter (where kind = 'partition') over earlier as state_then
    from changes
    window earlier as (
        partition by run_id, partition_id order by sequence
        range between unbounded preceding and 1 preceding)
)
select run_id, row_name, epoch_then, substr(state_then, 21) as state_then, sequence as event
from held
where kind in ('chunk', 'chunks')
  and fields -> 'bytes' is not null
  and (epoch_then is distinct from split_part(row_name, '/', 3)::bigint
    or substr(state_then, 21) is distinct from 'RUNNING')
order by run_id, sequence
