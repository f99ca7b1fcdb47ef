-- Every entry of the journal of the API holds the hash of the one before, and its own is right.

select subject, number as entry, case
    when number <> coalesce(number_before, 0) + 1 then 'an entry before it is missing'
    when previous_hash <> coalesce(hash_before, '') then 'the entry before it was another one'
    else 'it was changed' end as violation
from (
    select audit.*,
        lag(number) over (partition by subject order by number) as number_before,
        lag(hash) over (partition by subject order by number) as hash_before
    from weir.audit
) as entry
where number <> coalesce(number_before, 0) + 1
   or previous_hash <> coalesce(hash_before, '')
   or hash <> weir.audit_hash(
        subject, number, at, actor, role, action, reason, request_id, details, previous_hash)
order by 1, 2
