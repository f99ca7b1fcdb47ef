-- What became of a publishing that was not known, a person said, with a reason.

select subject, number as entry, action, actor
from (
    select audit.*, lag(action) over (partition by subject order by number) as action_before
    from weir.audit
    where details ->> 'after' is not null
) as step
where action_before = 'PUBLISH_UNKNOWN' and (coalesce(reason, '') = '' or role = 'ledger')
order by 1, 2
