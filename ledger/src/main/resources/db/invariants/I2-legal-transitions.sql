-- Every row went from state to state as its machine allows, and from a final one nowhere.

-- A test keeps the pairs equal to what the machines do; those from null are how a row begins.
with legal (machine, before, after) as (
    values
        ('run', null, 'CREATED'),
        ('run', 'CREATED', 'EXTRACTING'),
        ('run', 'CREATED', 'FAILED_MANIFEST'),
        ('run', 'CREATED', 'CANCELLED'),
        ('run', 'CREATED', 'TIMED_OUT'),
        ('run', 'EXTRACTING', 'EXTRACTED_VALIDATED'),
        ('run', 'EXTRACTING', 'FAILED_EXTRACT'),
        ('run', 'EXTRACTING', 'FAILED_SNAPSHOT_EXPIRED'),
        ('run', 'EXTRACTING', 'TIMED_OUT'),
        ('run', 'EXTRACTING', 'CANCELLED'),
        ('run', 'EXTRACTED_VALIDATED', 'STAGE_VALIDATING'),
        ('run', 'EXTRACTED_VALIDATED', 'FAILED_EXTRACT'),
        ('run', 'EXTRACTED_VALIDATED', 'FAILED_STAGE_VALIDATION'),
        ('run', 'EXTRACTED_VALIDATED', 'CANCELLED'),
        ('run', 'EXTRACTED_VALIDATED', 'TIMED_OUT'),
        ('run', 'STAGE_VALIDATING', 'STAGING_VALIDATED'),
        ('run', 'STAGE_VALIDATING', 'FAILED_STAGE_VALIDATION'),
        ('run', 'STAGE_VALIDATING', 'CANCELLED'),
        ('run', 'STAGE_VALIDATING', 'EXTRACTED_VALIDATED'),
        ('run', 'STAGE_VALIDATING', 'TIMED_OUT'),
        ('run', 'STAGING_VALIDATED', 'PUBLISHING'),
        ('run', 'STAGING_VALIDATED', 'FAILED_PUBLISH'),
        ('run', 'STAGING_VALIDATED', 'CANCELLED'),
        ('run', 'STAGING_VALIDATED', 'TIMED_OUT'),
        ('run', 'PUBLISHING', 'PUBLISHED'),
        ('run', 'PUBLISHING', 'FAILED_PUBLISH'),
        ('run', 'PUBLISHING', 'STAGING_VALIDATED'),
        ('run', 'PUBLISHING', 'PUBLISH_UNKNOWN'),
        ('run', 'PUBLISH_UNKNOWN', 'PUBLISHED'),
        ('run', 'PUBLISH_UNKNOWN', 'FAILED_PUBLISH'),
        ('run', 'PUBLISH_UNKNOWN', 'STAGING_VALIDATED'),
        ('run', 'PUBLISHED', 'SUCCESS'),
        ('run', 'PUBLISHED', 'FAILED_TARGET_VALIDATION'),
        ('partition', null, 'PENDING'),
        ('partition', 'PENDING', 'RUNNING'),
        ('partition', 'PENDING', 'TIMED_OUT'),
        ('partition', 'RUNNING', 'SUCCESS'),
        ('partition', 'RUNNING', 'FAILED'),
        ('partition', 'RUNNING', 'RETRY'),
        ('partition', 'RUNNING', 'TIMED_OUT'),
        ('partition', 'RETRY', 'RUNNING'),
        ('partition', 'RETRY', 'TIMED_OUT'),
        ('dispatch', null, 'PENDING'),
        ('dispatch', 'PENDING', 'SENT'),
        ('dispatch', 'PENDING', 'DEAD'),
        ('dispatch', 'PENDING', 'ACKED'),
        ('dispatch', 'PENDING', 'CANCELLED'),
        ('dispatch', 'SENT', 'PENDING'),
        ('dispatch', 'SENT', 'DEAD'),
        ('dispatch', 'SENT', 'ACKED'),
        ('dispatch', 'SENT', 'CANCELLED'),
        ('dispatch', 'DEAD', 'ACKED'),
        ('dispatch', 'DEAD', 'PENDING'),
        ('attempt', null, 'STAGED'),
        ('attempt', null, 'OPEN'),
        ('attempt', 'STAGED', 'OPEN'),
        ('attempt', 'STAGED', 'FAILED'),
        ('attempt', 'OPEN', 'PUBLISHED'),
        ('attempt', 'OPEN', 'FAILED'),
        ('attempt', 'OPEN', 'UNKNOWN'),
        ('attempt', 'UNKNOWN', 'PUBLISHED'),
        ('attempt', 'UNKNOWN', 'FAILED')
), moves as (
    select event.run_id, event.sequence, change.key as row_name,
        split_part(change.key, '/', 1) as machine,
        change.value ->> 'state' as state
    from weir.event
    cross join lateral jsonb_each(event.details) as change
    where split_part(change.key, '/', 1) in ('run', 'partition', 'dispatch', 'attempt')
      and change.value -> 'state' is not null
), steps as (
    select moves.*,
        lag(state) over (partition by run_id, row_name order by sequence) as state_before
    from moves
)
select run_id, row_name, state_before, state, sequence as event
from steps
where not exists (
    select from legal
    where legal.machine = steps.machine
      and legal.before is not distinct from steps.state_before
      and legal.after = steps.state)
order by run_id, sequence
