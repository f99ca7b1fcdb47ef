-- A run is the sum of its complete partitions, and goes on only when that is all of the source.

select run.id as run_id, run.state, run.source_count, run.extracted_rows, found.rows,
    run.partition_count, found.partitions, run.succeeded_partitions, found.complete
from weir.run
cross join lateral (
    select count(*) as partitions,
        count(*) filter (where partition.state = 'SUCCESS') as complete,
        coalesce(sum(partition.rows) filter (where partition.state = 'SUCCESS'), 0) as rows,
        mod(coalesce(sum(partition.digest_sum) filter (where partition.state = 'SUCCESS'), 0),
            340282366920938463463374607431768211456) as digest_sum
    from weir.partition
    where partition.run_id = run.id
) as found
where (found.partitions, found.complete, found.rows, found.digest_sum)
    <> (run.partition_count, run.succeeded_partitions, run.extracted_rows,
        run.extracted_digest_sum)
   or (run.extracted_at is not null
    and (found.complete <> run.partition_count
        or found.rows is distinct from run.source_count::numeric))
   or (run.extracted_at is null
    and run.state in (
        'EXTRACTED_VALIDATED', 'STAGE_VALIDATING', 'STAGING_VALIDATED', 'PUBLISHING',
        'PUBLISH_UNKNOWN', 'PUBLISHED', 'SUCCESS', 'FAILED_STAGE_VALIDATION', 'FAILED_PUBLISH',
        'FAILED_TARGET_VALIDATION'))
order by run.id
