-- Claims of a partition have the epochs 1, 2, 3, … and a token that holds no other one.

with claims as (
    select event.run_id, event.sequence, event.partition_id,
        (change.value ->> 'epoch')::bigint as epoch,
        change.value ->> 'token' as token
    from weir.event
    cross join lateral jsonb_each(event.details) as change
    where change.key = 'partition/' || event.partition_id
      and change.value -> 'epoch' is not null
), numbered as (
    select claims.*,
        lag(epoch) over (partition by run_id, partition_id order by sequence) as epoch_before
    from claims
)
select run_id, partition_id, epoch, epoch_before,
    'not the next number' as violation
from numbered
where epoch <> coalesce(epoch_before + 1, 0)
union all
select run_id, id, epoch, null, 'not the epoch of the last claim'
from weir.partition
where epoch <> (
    select max(numbered.epoch)
    from numbered
    where numbered.run_id = partition.run_id and numbered.partition_id = partition.id)
union all
select run_id, id, epoch, null, 'without the token of its claim'
from weir.partition
where (token is null) <> (epoch = 0)
union all
select run_id, id, epoch, null, 'the token holds another one too'
from (
    select partition.*, count(*) over (partition by run_id, token) as holding
    from weir.partition
    where token is not null
) as held
where holding > 1
order by 1, 2, 3
