-- What a run was created with never changes, nor what its manifest said once it is registered.

with changes as (
    select event.run_id, event.sequence, event.name, change.key as row_name,
        field.key as field, field.value,
        row_number() over (
            partition by event.run_id, change.key, field.key order by event.sequence) as occurrence
    from weir.event
    cross join lateral jsonb_each(event.details) as change
    cross join lateral jsonb_each(change.value) as field
    where change.key = 'run' or split_part(change.key, '/', 1) = 'partition'
)
select run_id, row_name, field, value, sequence as event
from changes
where (row_name = 'run' and occurrence > 1 and field in (
        'id', 'job', 'business_key', 'idempotency_key', 'fingerprint', 'source', 'source_table',
        'target', 'publish_mode', 'allow_empty', 'data_path', 'lease_ms', 'recovery', 'cut_id',
        'cut_tables', 'created_at', 'deadline'))
   or (row_name = 'run' and occurrence > 1
    and name not in ('MANIFEST_REGISTERED', 'MANIFEST_REJECTED')
    and field in (
        'column_names', 'key_columns', 'manifest_digest', 'snapshot_kind', 'snapshot_text',
        'position_kind', 'position_text', 'consistency', 'source_count', 'partition_count',
        'read_options'))
   or (row_name <> 'run' and occurrence > 1 and field in (
        'id', 'run_id', 'ordinal', 'lower_kind', 'lower_text', 'upper_kind', 'upper_text',
        'is_null', 'expected_rows'))
order by run_id, sequence, row_name, field
