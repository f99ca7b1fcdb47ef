-- At most one run of a job, business key and target is active.

select id as run_id, job, business_key, target, state
from (
    select run.*, count(*) over (partition by job, business_key, target) as active
    from weir.run
    where state in (
        'CREATED', 'EXTRACTING', 'EXTRACTED_VALIDATED', 'STAGE_VALIDATING', 'STAGING_VALIDATED',
        'PUBLISHING', 'PUBLISH_UNKNOWN', 'PUBLISHED')
) as candidate
where active > 1
order by job, business_key, target, run_id
