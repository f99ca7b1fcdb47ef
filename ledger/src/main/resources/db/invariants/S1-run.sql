-- Every row of weir.run keeps the constraints of its table.

-- Generated from the migrated schema; a test keeps the two equal. A restored dump may have
-- lost a constraint and then hold what it kept out.
select id as run_id, 'run_cleaned_only_when_ended' as broken
from weir.run
where not ((cleaned_at IS NULL) OR (ended_at IS NOT NULL))
union all
select id as run_id, 'run_confirmed_only_when_published' as broken
from weir.run
where not ((confirmed_at IS NULL) OR (published_at IS NOT NULL))
union all
select id as run_id, 'run_counts_are_possible' as broken
from weir.run
where not ((source_count >= 0) AND (extracted_rows >= 0) AND (lease_ms > 0) AND
        ((succeeded_partitions >= 0) AND (succeeded_partitions <= partition_count)))
union all
select id as run_id, 'run_cut_has_tables' as broken
from weir.run
where not (((cut_id IS NULL) = (cut_tables IS NULL)) AND (cut_tables > 0))
union all
select id as run_id, 'run_digest_sum_is_128_bits' as broken
from weir.run
where not ((extracted_digest_sum >= (0)::numeric) AND (extracted_digest_sum <=
        '340282366920938463463374607431768211455'::numeric))
union all
select id as run_id, 'run_ended_exactly_when_terminal' as broken
from weir.run
where not ((ended_at IS NULL) = (state = ANY (ARRAY['CREATED'::text, 'EXTRACTING'::text,
        'EXTRACTED_VALIDATED'::text, 'STAGE_VALIDATING'::text, 'STAGING_VALIDATED'::text,
        'PUBLISHING'::text, 'PUBLISH_UNKNOWN'::text, 'PUBLISHED'::text])))
union all
select id as run_id, 'run_goes_on_only_when_everything_arrived' as broken
from weir.run
where not ((state <> ALL (ARRAY['EXTRACTED_VALIDATED'::text, 'STAGE_VALIDATING'::text,
        'STAGING_VALIDATED'::text, 'PUBLISHING'::text, 'PUBLISH_UNKNOWN'::text, 'PUBLISHED'::text,
        'SUCCESS'::text])) OR ((succeeded_partitions = partition_count) AND (extracted_rows =
        source_count)))
union all
select id as run_id, 'run_publish_mode_known' as broken
from weir.run
where not (publish_mode = ANY (ARRAY['APPEND'::text, 'REPLACE'::text, 'REPLACE_PARTITIONS'::text]))
union all
select id as run_id, 'run_published_names_its_snapshot' as broken
from weir.run
where not ((state <> ALL (ARRAY['PUBLISHED'::text, 'SUCCESS'::text,
        'FAILED_TARGET_VALIDATION'::text])) OR ((published_snapshot_id IS NOT NULL) AND
        (published_at IS NOT NULL)))
union all
select id as run_id, 'run_reads_only_with_manifest' as broken
from weir.run
where not ((state = ANY (ARRAY['CREATED'::text, 'FAILED_MANIFEST'::text, 'TIMED_OUT'::text,
        'CANCELLED'::text])) OR ((manifest_digest IS NOT NULL) AND (snapshot_text IS NOT NULL) AND
        (source_count IS NOT NULL) AND (partition_count > 0)))
union all
select id as run_id, 'run_recovery_known' as broken
from weir.run
where not (recovery = ANY (ARRAY['FAIL'::text, 'REISSUE'::text]))
union all
select id as run_id, 'run_state_known' as broken
from weir.run
where not (state = ANY (ARRAY['CREATED'::text, 'EXTRACTING'::text, 'EXTRACTED_VALIDATED'::text,
        'STAGE_VALIDATING'::text, 'STAGING_VALIDATED'::text, 'PUBLISHING'::text,
        'PUBLISH_UNKNOWN'::text, 'PUBLISHED'::text, 'SUCCESS'::text, 'FAILED_MANIFEST'::text,
        'FAILED_EXTRACT'::text, 'FAILED_SNAPSHOT_EXPIRED'::text, 'FAILED_STAGE_VALIDATION'::text,
        'FAILED_PUBLISH'::text, 'FAILED_TARGET_VALIDATION'::text, 'TIMED_OUT'::text,
        'CANCELLED'::text]))
union all
select id as run_id, 'run_step_has_an_owner' as broken
from weir.run
where not ((state <> ALL (ARRAY['STAGE_VALIDATING'::text, 'PUBLISHING'::text])) OR (owner IS NOT
        NULL))
union all
select id as run_id, 'run_succeeds_only_when_confirmed' as broken
from weir.run
where not ((state <> 'SUCCESS'::text) OR (confirmed_at IS NOT NULL))
union all
select id as run_id, 'run_idempotency_key_once' as broken
from (
    select *, count(*) over (partition by idempotency_key) as same
    from weir.run
where num_nulls(idempotency_key) = 0
) as counted
where same > 1
union all
select id as run_id, 'run_one_active_per_key' as broken
from (
    select *, count(*) over (partition by job, business_key, target) as same
    from weir.run
where num_nulls(job, business_key, target) = 0 and (state = ANY (ARRAY['CREATED'::text,
        'EXTRACTING'::text, 'EXTRACTED_VALIDATED'::text, 'STAGE_VALIDATING'::text,
        'STAGING_VALIDATED'::text, 'PUBLISHING'::text, 'PUBLISH_UNKNOWN'::text, 'PUBLISHED'::text]))
) as counted
where same > 1
union all
select id as run_id, 'run_pk' as broken
from (
    select *, count(*) over (partition by id) as same
    from weir.run
where num_nulls(id) = 0
) as counted
where same > 1
order by 1, 2
