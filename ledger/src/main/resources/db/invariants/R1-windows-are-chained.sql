-- A table is verified up to the end of its latest published window, or where it was put since.

select newest.job, newest.source_table, newest.to_position as published,
    replica.verified_position as verified
from (
    select distinct on (target) replica_window.*
    from weir.replica_window
    where state = 'PUBLISHED'
    order by target, epoch desc
) as newest
join weir.replica on replica.target = newest.target
where replica.state in ('RUNNING', 'ENDING')
  and replica.verified_place < newest.to_place
  and not exists (
    select 1
    from weir.replica_event
    where replica_event.job = newest.job
      and replica_event.source_table = newest.source_table
      and replica_event.name in ('REPLICA_ROLLED_BACK', 'REPLICA_LOADED')
      and replica_event.at > newest.ended_at)
order by 1, 2
