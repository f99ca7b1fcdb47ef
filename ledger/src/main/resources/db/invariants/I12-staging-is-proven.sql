-- Past STAGING_VALIDATED every required metric of the stage is there and equals its expectation.

-- Verdicts are computed anew here. Required is what the manifest expects, the balance that was
-- extracted and, where there is a key, that no key is there twice.
with audited as (
    select run.id, run.key_columns,
        run.extracted_rows || ':' || hex.high || hex.low as balance
    from weir.run
    cross join lateral (
        select div(run.extracted_digest_sum, 18446744073709551616) as high,
            mod(run.extracted_digest_sum, 18446744073709551616) as low
    ) as half
    cross join lateral (
        select
            lpad(to_hex((half.high - case when half.high >= 9223372036854775808
                then 18446744073709551616 else 0 end)::bigint), 16, '0') as high,
            lpad(to_hex((half.low - case when half.low >= 9223372036854775808
                then 18446744073709551616 else 0 end)::bigint), 16, '0') as low
    ) as hex
    where run.state in (
        'STAGING_VALIDATED', 'PUBLISHING', 'PUBLISH_UNKNOWN', 'PUBLISHED', 'SUCCESS',
        'FAILED_PUBLISH', 'FAILED_TARGET_VALIDATION')
), required as (
    select audited.id, metric.name, metric.expected
    from audited
    join weir.metric on metric.run_id = audited.id and metric.stage = 'SOURCE'
    where metric.name not in ('balance', 'duplicate_keys')
    union all
    select id, 'balance', balance from audited
    union all
    select id, 'duplicate_keys', '0' from audited where cardinality(key_columns) > 0
)
select required.id as run_id, 'run' as subject, required.name, required.expected, metric.actual,
    case when metric.name is null then 'missing' else 'differs' end as violation
from required
left join weir.metric
  on metric.run_id = required.id and metric.stage = 'STAGING' and metric.subject = 'run'
    and metric.name = required.name
where metric.name is null
   or metric.expected is distinct from required.expected
   or metric.actual is distinct from required.expected
   or metric.verdict <> 'PASS'
union all
select metric.run_id, metric.subject, metric.name, metric.expected, metric.actual, 'differs'
from audited
join weir.metric on metric.run_id = audited.id and metric.stage = 'STAGING'
where metric.subject <> 'run'
  and (metric.actual is distinct from metric.expected or metric.verdict <> 'PASS')
union all
select chunk.run_id, 'p=' || chunk.partition_id || '/e=' || chunk.epoch, 'chunk',
    chunk.rows::text, chunk.measured_rows::text, 'in state ' || chunk.state
from audited
join weir.partition on partition.run_id = audited.id
join weir.chunk
  on chunk.run_id = partition.run_id and chunk.partition_id = partition.id
    and chunk.epoch = partition.epoch
where chunk.state <> 'VERIFIED'
   or chunk.measured_rows is distinct from chunk.rows
   or chunk.measured_digest_sum is distinct from chunk.digest_sum
order by 1, 2, 3
