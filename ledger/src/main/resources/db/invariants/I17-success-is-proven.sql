-- A published run names snapshot and evidence; a read-back run has every metric of the target.

with published as (
    select run.*,
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
    where run.state in ('PUBLISHED', 'SUCCESS', 'FAILED_TARGET_VALIDATION')
), required as (
    select published.id, metric.name, metric.expected
    from published
    join weir.metric on metric.run_id = published.id and metric.stage = 'SOURCE'
    where metric.name not in ('balance', 'duplicate_keys')
      and published.confirmed_at is not null
    union all
    select id, 'balance', balance from published where confirmed_at is not null
    union all
    select id, 'duplicate_keys', '0'
    from published
    where confirmed_at is not null and cardinality(key_columns) > 0
)
select id as run_id, state, null as name, null as expected, null as actual,
    'without snapshot, or without an attempt that is proven published' as violation
from published
where published_snapshot_id is null
   or published_at is null
   or 1 <> (
    select count(*)
    from weir.publish_attempt
    where publish_attempt.run_id = published.id
      and publish_attempt.state = 'PUBLISHED'
      and coalesce(publish_attempt.evidence, '') <> '')
union all
select publish_attempt.run_id, run.state, null, null, null,
    'an attempt is published, the run is not'
from weir.publish_attempt
left join weir.run on run.id = publish_attempt.run_id
where publish_attempt.state = 'PUBLISHED'
  and coalesce(run.state, 'none') not in ('PUBLISHED', 'SUCCESS', 'FAILED_TARGET_VALIDATION')
union all
select id, state, null, null, null, 'never read back'
from published
where state = 'SUCCESS' and confirmed_at is null
union all
select required.id, null, required.name, required.expected, metric.actual,
    case when metric.name is null then 'missing' else 'differs' end
from required
left join weir.metric
  on metric.run_id = required.id and metric.stage = 'TARGET' and metric.subject = 'run'
    and metric.name = required.name
where metric.name is null
   or metric.expected is distinct from required.expected
   or metric.actual is distinct from required.expected
   or metric.verdict <> 'PASS'
order by 1, 3
