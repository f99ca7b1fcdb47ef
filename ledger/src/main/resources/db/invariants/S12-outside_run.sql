-- Every row of weir.outside_run keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select id, 'outside_run_cleaned_only_when_ended' as broken
from weir.outside_run
where not ((cleaned_at IS NULL) OR (ended_at IS NOT NULL))
union all
select id, 'outside_run_counts_are_possible' as broken
from weir.outside_run
where not ((source_count >= 0) AND (source_null_split_count >= 0) AND (extracted_rows >= 0) AND
        (staging_count >= 0) AND (target_count >= 0) AND (failed_partitions >= 0) AND
        ((succeeded_partitions >= 0) AND (succeeded_partitions <= partition_count)))
union all
select id, 'outside_run_ended_exactly_when_terminal' as broken
from weir.outside_run
where not ((ended_at IS NULL) = (state = ANY (ARRAY['CREATED'::text, 'EXTRACTING'::text,
        'EXTRACTED_VALIDATED'::text, 'STAGE_VALIDATING'::text, 'STAGING_VALIDATED'::text,
        'PUBLISHING'::text, 'PUBLISH_UNKNOWN'::text, 'PUBLISHED'::text])))
union all
select id, 'outside_run_goes_on_only_when_everything_arrived' as broken
from weir.outside_run
where not ((state <> ALL (ARRAY['EXTRACTED_VALIDATED'::text, 'STAGE_VALIDATING'::text,
        'STAGING_VALIDATED'::text, 'PUBLISHING'::text, 'PUBLISH_UNKNOWN'::text, 'PUBLISHED'::text,
        'SUCCESS'::text])) OR ((succeeded_partitions = partition_count) AND (extracted_rows =
        source_count)))
union all
select id, 'outside_run_published_names_its_time' as broken
from weir.outside_run
where not ((state <> ALL (ARRAY['PUBLISHED'::text, 'SUCCESS'::text,
        'FAILED_TARGET_VALIDATION'::text])) OR (published_at IS NOT NULL))
union all
select id, 'outside_run_publisher_has_a_token' as broken
from weir.outside_run
where not ((state <> ALL (ARRAY['PUBLISHING'::text, 'PUBLISH_UNKNOWN'::text, 'PUBLISHED'::text,
        'SUCCESS'::text])) OR (publish_token_digest IS NOT NULL))
union all
select id, 'outside_run_reads_only_with_manifest' as broken
from weir.outside_run
where not ((state = ANY (ARRAY['CREATED'::text, 'FAILED_MANIFEST'::text, 'TIMED_OUT'::text,
        'CANCELLED'::text])) OR ((manifest_digest IS NOT NULL) AND (source_count IS NOT NULL) AND
        (partition_count > 0)))
union all
select id, 'outside_run_state_known' as broken
from weir.outside_run
where not (state = ANY (ARRAY['CREATED'::text, 'EXTRACTING'::text, 'EXTRACTED_VALIDATED'::text,
        'STAGE_VALIDATING'::text, 'STAGING_VALIDATED'::text, 'PUBLISHING'::text,
        'PUBLISH_UNKNOWN'::text, 'PUBLISHED'::text, 'SUCCESS'::text, 'FAILED_MANIFEST'::text,
        'FAILED_EXTRACT'::text, 'FAILED_SNAPSHOT_EXPIRED'::text, 'FAILED_STAGE_VALIDATION'::text,
        'FAILED_PUBLISH'::text, 'FAILED_TARGET_VALIDATION'::text, 'TIMED_OUT'::text,
        'CANCELLED'::text]))
union all
select id, 'outside_run_idempotency_key_once' as broken
from (
    select *, count(*) over (partition by idempotency_key) as same
    from weir.outside_run
where num_nulls(idempotency_key) = 0
) as counted
where same > 1
union all
select id, 'outside_run_one_active_per_key' as broken
from (
    select *, count(*) over (partition by job, business_key) as same
    from weir.outside_run
where num_nulls(job, business_key) = 0 and (state = ANY (ARRAY['CREATED'::text, 'EXTRACTING'::text,
        'EXTRACTED_VALIDATED'::text, 'STAGE_VALIDATING'::text, 'STAGING_VALIDATED'::text,
        'PUBLISHING'::text, 'PUBLISH_UNKNOWN'::text, 'PUBLISHED'::text]))
) as counted
where same > 1
union all
select id, 'outside_run_pk' as broken
from (
    select *, count(*) over (partition by id) as same
    from weir.outside_run
where num_nulls(id) = 0
) as counted
where same > 1
order by 1, 2
