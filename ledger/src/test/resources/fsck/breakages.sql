-- Ways to break the books, each undone again. A name in braces is the id of the run of that name;
-- named is what the invariant has to say, follows is what the same rows break besides.

-- I1: two active runs of one key
-- named: {created}
-- follows: I24 S1
update weir.run set job = o.job, business_key = o.business_key, target = o.target
from weir.run as o where o.id = '{created}' and run.id = '{extracting}';

-- I2: an attempt that failed is published
-- named: state_before=FAILED state=OPEN
-- follows: I24
insert into weir.event (at, run_id, name, details)
select clock_timestamp(), run_id, 'X', jsonb_build_object(
    'attempt/' || target || '/' || epoch, '{"state": "OPEN"}'::jsonb)
from weir.publish_attempt where run_id = '{failedPublish}';

-- I2: a run leaves a final state
-- named: {simple} row_name=run state_before=SUCCESS state=EXTRACTING
-- follows:
insert into weir.event (at, run_id, name, details)
values (clock_timestamp(), '{simple}', 'X', '{"run": {"state": "EXTRACTING"}}');
insert into weir.event (at, run_id, name, details)
values (clock_timestamp(), '{simple}', 'X', '{"run": {"state": "SUCCESS"}}');

-- I3: an epoch is skipped
-- named: epoch=3 epoch_before=1 violation=not the next number
-- follows: I24 I4
update weir.event
set details = jsonb_set(details, '{partition/0000,epoch}', '3')
where run_id = '{success}' and name = 'PARTITION_CLAIMED'
  and details -> 'partition/0000' ->> 'epoch' = '2';

-- I3: a token holds two partitions
-- named: {success} partition_id=0002 epoch=1 violation=the token holds another one too
-- follows: I24 S2
update weir.partition
set token = o.token
from weir.partition as o
where o.run_id = '{success}' and o.id = '0001'
  and partition.run_id = o.run_id and partition.id = '0002';

-- I4: a lost owner reports
-- named: row_name=chunk/0000/1/7 epoch_then=2
-- follows:
insert into weir.chunk
select run_id, partition_id, epoch, 7, bytes, rows,
    digest_sum, measured_rows, measured_digest_sum, losses, last, state
from weir.chunk
where run_id = '{success}' and partition_id = '0000' and epoch = 1;
insert into weir.event (at, run_id, partition_id, name, details)
select clock_timestamp(), run_id, partition_id, 'CHUNKS_REPORTED',
    jsonb_build_object('chunk/0000/1/7', to_jsonb(chunk))
from weir.chunk where run_id = '{success}' and chunk_index = 7;

-- I4: a chunk is reported while nobody holds its partition
-- named: {reissued} row_name=chunk/0000/1/7 epoch_then=1 state_then=RETRY
-- follows: I24
insert into weir.event (at, run_id, partition_id, name, details)
values (clock_timestamp(), '{reissued}', '0000', 'X', '{"chunk/0000/1/7": {"bytes": 1}}');

-- I4: chunks are reported together while nobody holds their partition
-- named: {reissued} row_name=chunks/0000/1 epoch_then=1 state_then=RETRY
-- follows: I24
insert into weir.event (at, run_id, partition_id, name, details)
values (clock_timestamp(), '{reissued}', '0000', 'X',
    '{"chunks/0000/1": {"chunk_index": [7, 8], "bytes": [1, 2]}}');

-- I5: a digest sum is off by one
-- named: and another digest sum
-- follows: I24
update weir.partition set digest_sum = digest_sum - 1
where run_id = '{extracting}' and state = 'RUNNING';

-- I5: a partition counts a row more than its chunks
-- named: {extracting} partition_id=0001
-- follows: I24
update weir.partition
set rows = rows + 1
where run_id = '{extracting}' and state = 'RUNNING';

-- I5: a chunk is there twice
-- named: {simple} partition_id=0000 epoch=1 chunk_index=0
-- follows: I6 S3
insert into weir.chunk
select * from weir.chunk where run_id = '{simple}';

-- I6: the last chunk is missing
-- named: {simple} partition_id=0000
-- follows: I24
update weir.chunk set last = false where run_id = '{simple}';

-- I6: there is a gap
-- named: first_index=1 last_index=1
-- follows: I24
update weir.chunk
set chunk_index = 1
where run_id = '{simple}';

-- I7: a chunk of a lost claim is verified
-- named: {success} partition_id=0000 epoch=1
-- follows: I24
update weir.chunk set state = 'VERIFIED', measured_rows = rows,
    measured_digest_sum = digest_sum
where run_id = '{success}' and partition_id = '0000' and epoch = 1;

-- I8: a partition of an audited run is gone
-- named: partition_count=1 partitions=0
-- follows: I24 I7 S3
delete from weir.partition where run_id = '{validated}';

-- I8: a run counts a row that no partition has
-- named: {extracted}
-- follows: I24
update weir.run
set extracted_rows = extracted_rows + 1, source_count = source_count + 1
where id = '{extracted}';

-- I9: nobody is asked
-- named: violation=nobody is asked for it (newest=none)
-- follows: I24
delete from weir.dispatch where run_id = '{validated}' and kind = 'PUBLISH_RUN';

-- I9: two steps are open
-- named: violation=the run asks for another step too
-- follows: I10 I24 S5
insert into weir.dispatch
select gen_random_uuid(), run_id, 'CONFIRM_RUN', 1, state, attempts, created_at,
    null, due_at, sent_at, last_error
from weir.dispatch where run_id = '{validated}' and kind = 'PUBLISH_RUN';

-- I9: a step is asked for twice
-- named: violation=asked for twice
-- follows: S5
insert into weir.dispatch
select * from weir.dispatch where run_id = '{simple}' and kind = 'PUBLISH_RUN';

-- I9: a run is extracted twice
-- named: {extracted} kind=VALIDATE_RUN violation=extracted 2 times
-- follows:
insert into weir.event (at, run_id, name, details)
values (clock_timestamp(), '{extracted}', 'RUN_EXTRACTED', '{}');

-- I10: a step of an ended run is open
-- named: {simple} kind=CONFIRM_RUN
-- follows: I24
update weir.dispatch set state = 'PENDING', acknowledged_at = null
where run_id = '{simple}' and kind = 'CONFIRM_RUN';

-- I10: a step is given up that was never delivered
-- named: {dead} kind=VALIDATE_RUN cycle=1 state=DEAD attempts=0
-- follows: I24
update weir.dispatch
set attempts = 0
where run_id = '{dead}';

-- I11: a step changes hands
-- named: {validating}
-- follows:
insert into weir.event (at, run_id, name, details)
values (clock_timestamp(), '{validating}', 'X', '{"run": {"owner": "other"}}');
update weir.run
set owner = 'other'
where id = '{validating}';

-- I11: a step is done by nobody
-- named: {validating}
-- follows: I24 S1
update weir.run
set owner = null
where id = '{validating}';

-- I12: the expectation of a stage is bent
-- named: subject=run name=row_count expected=10 actual=9 violation=differs
-- follows: I24
update weir.metric set expected = '9', actual = '9'
where run_id = '{validated}' and stage = 'STAGING' and name = 'row_count';

-- I12: a file was not verified
-- named: subject=p=0000/e=1 name=chunk
-- follows: I24
update weir.chunk set state = 'WRITTEN' where run_id = '{validated}';

-- I12: no balance was measured
-- named: name=balance
-- follows: I24
delete from weir.metric
where run_id = '{validated}' and stage = 'STAGING' and name = 'balance';

-- I12: another balance was extracted than audited
-- named: name=balance
-- follows: I24 I8
update weir.run
set extracted_digest_sum = extracted_digest_sum - 1
where id = '{validated}';

-- I13: an earlier attempt is open to be published
-- named: {success}
-- follows: I24
update weir.publish_attempt set state = 'STAGED', evidence = null
where run_id = '{success}' and epoch = 1;

-- I14: two attempts are open at a target
-- named: {publishing}
-- follows: I13 I15 I24 S7
insert into weir.publish_attempt
select target, epoch + 1, run_id, gen_random_uuid(), state, version,
    base_snapshot_id, staged_snapshot_id, evidence
from weir.publish_attempt where run_id = '{publishing}';

-- I14: an attempt is open, its run is not publishing
-- named: {cancelled}
-- follows: I24
update weir.publish_attempt
set state = 'OPEN', evidence = null
where run_id = '{cancelled}';

-- I14: a run publishes without an attempt
-- named: {publishing}
-- follows: I24
update weir.publish_attempt
set state = 'STAGED'
where run_id = '{publishing}';

-- I15: an epoch is drawn for nobody
-- named: violation=there are 1 attempts up to 1
-- follows:
update weir.target set epoch = epoch + 1
where name = (select target from weir.run where id = '{simple}');

-- I15: an attempt of an older run is published after a newer run
-- named: violation=published after run {simple}, which is newer
-- follows: I2 I24
insert into weir.event (at, run_id, name, details)
select clock_timestamp(), '{success}', 'X', jsonb_build_object(
    'attempt/' || target || '/9', '{"state": "PUBLISHED"}'::jsonb)
from weir.publish_attempt
where run_id = '{simple}';

-- I15: an older attempt is published over a newer one
-- named: {success}
-- follows: I2
insert into weir.event (at, run_id, name, details)
select clock_timestamp(), run_id, 'X', jsonb_build_object(
    'attempt/' || target || '/' || epoch, '{"state": "PUBLISHED"}'::jsonb)
from weir.publish_attempt
where run_id = '{success}' and epoch = 1;
insert into weir.event (at, run_id, name, details)
select clock_timestamp(), run_id, 'X', jsonb_build_object(
    'attempt/' || target || '/' || epoch, '{"state": "FAILED"}'::jsonb)
from weir.publish_attempt
where run_id = '{success}' and epoch = 1;

-- I16: unknown ends without evidence
-- named: {success} state=PUBLISHED
-- follows:
update weir.event
set at = at - interval '1 second'
where run_id = '{success}' and name = 'ATTEMPT_PUBLISHED';

-- I17: nothing proves the publish
-- named: {simple} state=SUCCESS
-- follows: I24
update weir.publish_attempt set evidence = '' where run_id = '{simple}';

-- I17: a duplicate key is published
-- named: name=duplicate_keys expected=0 actual=1 violation=differs
-- follows: I24 S4
update weir.metric
set actual = '1'
where run_id = '{simple}' and stage = 'TARGET' and name = 'duplicate_keys';

-- I17: a failed run is published
-- named: state=FAILED_PUBLISH violation=an attempt is published, the run is not
-- follows: I24
update weir.publish_attempt
set state = 'PUBLISHED'
where run_id = '{failedPublish}';

-- I18: a range changes
-- named: field=expected_rows
-- follows:
insert into weir.event (at, run_id, name, details)
values (clock_timestamp(), '{extracted}', 'X', '{"partition/0000": {"expected_rows": 10}}');

-- I18: the source count is said again after the manifest
-- named: {extracted} row_name=run field=source_count
-- follows:
insert into weir.event (at, run_id, name, details)
values (clock_timestamp(), '{extracted}', 'X', '{"run": {"source_count": 10}}');

-- I18: a run gets more time
-- named: {extracted} row_name=run field=deadline
-- follows: I24
insert into weir.event (at, run_id, name, details)
values (clock_timestamp(), '{extracted}', 'X', '{"run": {"deadline": "2031-01-01T00:00:00Z"}}');

-- I21: one request makes two runs
-- named: {created}
-- follows: I24 S1
update weir.run
set idempotency_key = o.idempotency_key
from weir.run as o
where o.id = '{created}' and run.id = '{extracting}';

-- I24: a column changes without an event
-- named: row=run column=failure_message
-- follows:
update weir.run set failure_message = 'y' where id = '{failedSnapshot}';

-- I24: a row is gone
-- named: row=metric/SOURCE/run/row_count violation=the table does not hold it
-- follows:
delete from weir.metric
where run_id = '{extracted}' and name = 'row_count' and stage = 'SOURCE';

-- I24: a row is there that no event made
-- named: row=metric/SOURCE/run/x violation=no event made it
-- follows:
insert into weir.metric
select run_id, stage, subject, 'x', expected, actual, verdict
from weir.metric
where run_id = '{extracted}' and name = 'row_count' and stage = 'SOURCE';

-- I26: a run that must fail is read again
-- named: {success} partition_id=0000 claims=2 recovery=FAIL
-- follows: I24
update weir.run
set recovery = 'FAIL'
where id = '{success}';

-- I27: a run writes where another one does
-- named: {created}
-- follows: I24
update weir.run set data_path = data_path || '0' where id = '{created}';

-- C1: one is published before another is audited
-- named: other_run_id={cut1}
-- follows: I11 I2
delete from weir.event where run_id = '{cut1}' and name = 'STAGE_VALIDATED';

-- C1: a run of the cut is missing
-- named: violation=the cut has 2 runs, not 3
-- follows: I24
update weir.run
set cut_id = gen_random_uuid(), cut_tables = 1
where id = '{cut2}';

-- C2: one of a cut did not succeed
-- named: other_run_id={cut1} other_state=FAILED_TARGET_VALIDATION
-- follows: I24
update weir.run set state = 'FAILED_TARGET_VALIDATION' where id = '{cut1}';

-- S1: a lease that never was
-- named: {created} broken=run_counts_are_possible
-- follows: I24
update weir.run set lease_ms = 0 where id = '{created}';

-- S2: a bound without a kind
-- named: broken=partition_bounds_are_typed
-- follows: I24
update weir.partition
set upper_kind = null
where run_id = '{extracting}' and id = '0000';

-- S3: a state that does not exist
-- named: broken=chunk_state_known
-- follows: I24
update weir.chunk set state = 'LOST'
where run_id = '{success}' and partition_id = '0000' and epoch = 1;

-- S4: a verdict that is somebody's word
-- named: broken=metric_verdict_is_equality
-- follows: I24
update weir.metric
set verdict = 'FAIL'
where run_id = '{extracted}' and name = 'row_count';

-- S5: fewer deliveries than none
-- named: broken=dispatch_counts_are_possible
-- follows: I24
update weir.dispatch set attempts = -1
where run_id = '{simple}' and kind = 'CONFIRM_RUN';

-- S6: a target is there twice
-- named: broken=target_pk
-- follows:
insert into weir.target
select target.*
from weir.target
join weir.run on run.target = target.name
where run.id = '{simple}';

-- S7: evidence of what was never tried
-- named: broken=publish_attempt_evidence_exactly_when_tried
-- follows: I24
update weir.publish_attempt set evidence = 'x' where run_id = '{validated}';

-- S8: an event is there twice
-- named: broken=event_pk
-- follows:
insert into weir.event overriding system value
select * from weir.event where run_id = '{simple}' and name = 'METRICS_RECORDED';

-- S9: a holder of no run
-- named: broken=snapshot_holder_of_run
-- follows:
insert into weir.snapshot_holder
select gen_random_uuid(), id, snapshot_kind, snapshot_text, worker, lease_until
from weir.snapshot_holder where run_id = '{extracting}';

-- S10: a worker with fewer slots than none
-- named: broken=worker_counts_are_possible
-- follows:
insert into weir.worker
values (gen_random_uuid(), 'w', '{}', -1, 0, clock_timestamp(), clock_timestamp());

-- S11: a loop is there twice
-- named: broken=loop_pk
-- follows:
insert into weir.loop select * from weir.loop;

-- O1: an outside run without its partitions
-- named: run_id=00000000-0000-4000-8000-000000000001
-- follows:
insert into weir.outside_run
select * from json_populate_record(null::weir.outside_run,
    '{"id":"00000000-0000-4000-8000-000000000001","job":"J","business_key":"d"
    ,"state":"CREATED","version":0,"fingerprint":"f","run_path":"/d","stage_table":"t"
    ,"allow_empty":false,"parameters":{},"partition_count":2,"succeeded_partitions":0
    ,"failed_partitions":0,"extracted_rows":0,"created_at":"2026-01-01T00:00:00Z"
    ,"heartbeat_at":"2026-01-01T00:00:00Z","deadline":"2026-01-02T00:00:00Z"}');
insert into weir.audit
select entry.*, weir.audit_hash(subject, number, at, actor, role, action, reason, request_id,
    details, previous_hash)
from (
    select 'run/00000000-0000-4000-8000-000000000001' as subject, 1::bigint as number,
        timestamptz '2026-01-01 00:00:01Z' as at, 'a' as actor, 'worker' as role,
        'RUN_STARTED' as action, null::text as reason, 'q' as request_id,
        jsonb_build_object('after', 'CREATED') as details, '' as previous_hash
) as entry;

-- O2: an outside run in front of publishing without figures
-- named: run_id=00000000-0000-4000-8000-000000000001
-- follows: S12
insert into weir.outside_run
select * from json_populate_record(null::weir.outside_run,
    '{"id":"00000000-0000-4000-8000-000000000001","job":"J","business_key":"d"
    ,"state":"STAGING_VALIDATED","version":0,"fingerprint":"f","run_path":"/d"
    ,"stage_table":"t","allow_empty":false,"parameters":{},"partition_count":0
    ,"succeeded_partitions":0,"failed_partitions":0,"extracted_rows":0
    ,"created_at":"2026-01-01T00:00:00Z","heartbeat_at":"2026-01-01T00:00:00Z"
    ,"deadline":"2026-01-02T00:00:00Z","manifest_digest":"m","source_count":0}');
insert into weir.audit
select entry.*, weir.audit_hash(subject, number, at, actor, role, action, reason, request_id,
    details, previous_hash)
from (
    select 'run/00000000-0000-4000-8000-000000000001' as subject, 1::bigint as number,
        timestamptz '2026-01-01 00:00:01Z' as at, 'a' as actor, 'worker' as role,
        'STAGE_VALIDATED' as action, null::text as reason, 'q' as request_id,
        jsonb_build_object('after', 'STAGING_VALIDATED') as details, '' as previous_hash
) as entry;

-- O3: the ledger says what became of a publishing
-- named: action=PUBLISH_FINISHED
-- follows:
insert into weir.audit
select entry.*, weir.audit_hash(subject, number, at, actor, role, action, reason, request_id,
    details, previous_hash)
from (
    select 'run/00000000-0000-4000-8000-000000000001' as subject, 1::bigint as number,
        timestamptz '2026-01-01 00:00:01Z' as at, 'a' as actor, 'worker' as role,
        'PUBLISH_UNKNOWN' as action, null::text as reason, 'q' as request_id,
        jsonb_build_object('after', 'PUBLISH_UNKNOWN') as details, '' as previous_hash
) as entry;
insert into weir.audit
select entry.*, weir.audit_hash(subject, number, at, actor, role, action, reason, request_id,
    details, previous_hash)
from (
    select 'run/00000000-0000-4000-8000-000000000001' as subject, 2::bigint as number,
        timestamptz '2026-01-01 00:00:02Z' as at, 'a' as actor, 'ledger' as role,
        'PUBLISH_FINISHED' as action, null::text as reason, 'q' as request_id,
        jsonb_build_object('after', 'PUBLISHED') as details, (
            select hash from weir.audit
            where subject = 'run/00000000-0000-4000-8000-000000000001'
              and number = 1) as previous_hash
) as entry;

-- O4: an entry of the journal was changed
-- named: violation=it was changed
-- follows:
insert into weir.audit
values (
    'token/x', 1, clock_timestamp(), 'a', 'admin', 'TOKEN_CREATED', null, 'q', '{}', '',
    repeat('0', 64));

-- O5: a state that nobody led to
-- named: run_id=00000000-0000-4000-8000-000000000001
-- follows:
insert into weir.outside_run
select * from json_populate_record(null::weir.outside_run,
    '{"id":"00000000-0000-4000-8000-000000000001","job":"J","business_key":"d"
    ,"state":"CREATED","version":0,"fingerprint":"f","run_path":"/d","stage_table":"t"
    ,"allow_empty":false,"parameters":{},"partition_count":0,"succeeded_partitions":0
    ,"failed_partitions":0,"extracted_rows":0,"created_at":"2026-01-01T00:00:00Z"
    ,"heartbeat_at":"2026-01-01T00:00:00Z","deadline":"2026-01-02T00:00:00Z"}');

-- O6: nobody validates
-- named: kind=VALIDATE_RUN
-- follows: S12
insert into weir.outside_run
select * from json_populate_record(null::weir.outside_run,
    '{"id":"00000000-0000-4000-8000-000000000001","job":"J","business_key":"d"
    ,"state":"EXTRACTED_VALIDATED","version":0,"fingerprint":"f","run_path":"/d"
    ,"stage_table":"t","allow_empty":false,"parameters":{},"partition_count":0
    ,"succeeded_partitions":0,"failed_partitions":0,"extracted_rows":0
    ,"created_at":"2026-01-01T00:00:00Z","heartbeat_at":"2026-01-01T00:00:00Z"
    ,"deadline":"2026-01-02T00:00:00Z","manifest_digest":"m","source_count":0}');
insert into weir.audit
select entry.*, weir.audit_hash(subject, number, at, actor, role, action, reason, request_id,
    details, previous_hash)
from (
    select 'run/00000000-0000-4000-8000-000000000001' as subject, 1::bigint as number,
        timestamptz '2026-01-01 00:00:01Z' as at, 'a' as actor, 'worker' as role,
        'EXTRACT_VALIDATED' as action, null::text as reason, 'q' as request_id,
        jsonb_build_object('after', 'EXTRACTED_VALIDATED') as details, '' as previous_hash
) as entry;

-- S12: two outside runs of one key are active
-- named: broken=outside_run_one_active_per_key
-- follows:
insert into weir.outside_run
select * from json_populate_record(null::weir.outside_run,
    '{"id":"00000000-0000-4000-8000-000000000001","job":"J","business_key":"d"
    ,"state":"CREATED","version":0,"fingerprint":"f","run_path":"/d","stage_table":"t"
    ,"allow_empty":false,"parameters":{},"partition_count":0,"succeeded_partitions":0
    ,"failed_partitions":0,"extracted_rows":0,"created_at":"2026-01-01T00:00:00Z"
    ,"heartbeat_at":"2026-01-01T00:00:00Z","deadline":"2026-01-02T00:00:00Z"}');
insert into weir.audit
select entry.*, weir.audit_hash(subject, number, at, actor, role, action, reason, request_id,
    details, previous_hash)
from (
    select 'run/00000000-0000-4000-8000-000000000001' as subject, 1::bigint as number,
        timestamptz '2026-01-01 00:00:01Z' as at, 'a' as actor, 'worker' as role,
        'RUN_STARTED' as action, null::text as reason, 'q' as request_id,
        jsonb_build_object('after', 'CREATED') as details, '' as previous_hash
) as entry;
insert into weir.outside_run
select * from json_populate_record(null::weir.outside_run,
    '{"id":"00000000-0000-4000-8000-000000000002","job":"J","business_key":"d"
    ,"state":"CREATED","version":0,"fingerprint":"f","run_path":"/d","stage_table":"t"
    ,"allow_empty":false,"parameters":{},"partition_count":0,"succeeded_partitions":0
    ,"failed_partitions":0,"extracted_rows":0,"created_at":"2026-01-01T00:00:00Z"
    ,"heartbeat_at":"2026-01-01T00:00:00Z","deadline":"2026-01-02T00:00:00Z"}');
insert into weir.audit
select entry.*, weir.audit_hash(subject, number, at, actor, role, action, reason, request_id,
    details, previous_hash)
from (
    select 'run/00000000-0000-4000-8000-000000000002' as subject, 1::bigint as number,
        timestamptz '2026-01-01 00:00:01Z' as at, 'a' as actor, 'worker' as role,
        'RUN_STARTED' as action, null::text as reason, 'q' as request_id,
        jsonb_build_object('after', 'CREATED') as details, '' as previous_hash
) as entry;

-- S13: a partition of no outside run
-- named: broken=outside_partition_of_run
-- follows:
insert into weir.outside_partition
select * from json_populate_record(null::weir.outside_partition,
    '{"run_id":"00000000-0000-4000-8000-000000000003","id":"x","ordinal":0
    ,"upper_inclusive":true,"is_null":true,"state":"PENDING","version":0,"epoch":0
    ,"lease_ms":1,"expected_rows":0,"rows":0,"bytes":0,"chunk_count":0}');

-- S14: a chunk of no outside partition
-- named: broken=outside_chunk_of_partition
-- follows:
insert into weir.outside_chunk
select * from json_populate_record(null::weir.outside_chunk,
    '{"run_id":"00000000-0000-4000-8000-000000000003","partition_id":"0000","epoch":1
    ,"chunk_index":0,"chunk_total":1,"path":"/x","rows":0,"state":"LATE"
    ,"written_at":"2026-01-01T00:00:00Z"}');

-- S15: a verdict better than the word of the flow
-- named: broken=outside_metric_verdict_is_no_better
-- follows:
insert into weir.outside_metric
select * from json_populate_record(null::weir.outside_metric,
    '{"run_id":"00000000-0000-4000-8000-000000000003","stage":"STAGING","name":"n"
    ,"query_version":"v1","result":"FAIL","verdict":"PASS","details":{}
    ,"measured_at":"2026-01-01T00:00:00Z"}');

-- S16: a step that was asked for no times
-- named: broken=outside_dispatch_counts_are_possible
-- follows:
insert into weir.outside_dispatch
select * from json_populate_record(null::weir.outside_dispatch,
    '{"id":"00000000-0000-4000-8000-000000000004"
    ,"run_id":"00000000-0000-4000-8000-000000000003","kind":"VALIDATE_RUN","cycle":0
    ,"state":"DEAD","attempts":0,"created_at":"2026-01-01T00:00:00Z"
    ,"due_at":"2026-01-01T00:00:00Z"}');

-- S17: an event of an unknown level
-- named: broken=outside_event_level_known
-- follows:
insert into weir.outside_event (at, run_id, level, name, message, details)
values (clock_timestamp(), gen_random_uuid(), 'LOUD', 'X', '', '{}');

-- S18: a token that expired before it was made
-- named: broken=api_token_expires_later
-- follows:
insert into weir.api_token
values (
    'x', 'n', 'admin', '{}', repeat('0', 64), clock_timestamp(),
    clock_timestamp() - interval '1 day', null);

-- S19: an entry of the journal without a number
-- named: broken=audit_number_from_one
-- follows: O4
insert into weir.audit
select entry.*, weir.audit_hash(subject, number, at, actor, role, action, reason, request_id,
    details, previous_hash)
from (
    select 'run/00000000-0000-4000-8000-000000000001' as subject, 0::bigint as number,
        timestamptz '2026-01-01 00:00:00Z' as at, 'a' as actor, 'worker' as role,
        'RUN_STARTED' as action, null::text as reason, 'q' as request_id,
        jsonb_build_object('after', 'CREATED') as details, '' as previous_hash
) as entry;

-- S20: lineage of a run ended before it began
-- named: broken=lineage_ended_after_start
-- follows:
insert into weir.lineage values (gen_random_uuid(), 'OWN', 0, true, 0, clock_timestamp());

-- S21: lineage begins at two times
-- named: broken=lineage_start_pk
-- follows:
insert into weir.lineage_start values (true, clock_timestamp()), (true, clock_timestamp());

-- S22: an open transaction of a streaming connection was aborted for a reason
-- named: broken=stream_transaction_aborted_has_reason
-- follows:
insert into weir.stream_transaction
values (
    gen_random_uuid(), 'sales.orders', 'a', 'w', null, null, 'OPEN', 0, 1000, clock_timestamp(),
    clock_timestamp(), 'nobody asked');

-- S30: a job is held without a claim
-- named: broken=replication_owner_is_whole
-- follows:
insert into weir.replication (job, version, source, slot, state, epoch, owner, lease_until)
values ('shop', 1, 'shop', 'weir_shop', 'RUNNING', 1, 'w', clock_timestamp());

-- S31: a change log before the first one
-- named: broken=replica_generation_from_one
-- follows:
insert into weir.replica (job, source_table, target, version, state, generation, failures)
values ('shop', 'public.orders', 'sales.orders', 1, 'LOADING', 0, 0);

-- S31: facts of a stop without a stop
-- named: broken=replica_facts_of_a_stop
-- follows:
insert into weir.replica (
    job, source_table, target, version, state, generation, failures, stop_key)
values ('shop', 'public.orders', 'sales.orders', 1, 'LOADING', 1, 0, 'id=4');

-- S32: a window ends before it begins
-- named: broken=replica_window_goes_forward
-- follows:
insert into weir.replica_window (
    target, epoch, run_id, token, state, version, job, source_table, job_epoch, from_place,
    from_position, to_place, to_position, base_snapshot_id, opened_at)
values (
    'sales.orders', 1, gen_random_uuid(), gen_random_uuid(), 'STAGED', 1, 'shop', 'public.orders',
    1, 2, '0/2', 1, '0/1', 1, clock_timestamp());

-- S33: a cut of no table
-- named: broken=replica_cut_has_tables
-- follows:
insert into weir.replica_cut (job, number, place, position, tables, missing, opened_at)
values ('shop', 1, 1, '0/1', 0, '{}', clock_timestamp());

-- S34: an operator gave no reason
-- named: broken=replica_event_operator_has_a_reason
-- follows:
insert into weir.replica_event (at, job, name, operator, details)
values (clock_timestamp(), 'shop', 'JOB_PAUSED', 'ada', '{}');

-- S35: an alert was tried less than never
-- named: broken=alert_counts_are_possible
-- follows:
insert into weir.replication (job, version, source, slot, state, epoch)
values ('shop', 1, 'shop', 'weir_shop', 'RUNNING', 1);
insert into weir.alert_channel values ('SLACK', clock_timestamp());
insert into weir.alert (channel, job, position, cut, attempts, due_at)
values ('SLACK', 'shop', 0, 0, -1, clock_timestamp());

-- S36: alerts go where nobody knows
-- named: broken=alert_channel_known
-- follows:
insert into weir.alert_channel values ('PIGEON', clock_timestamp());

-- S37: a failed run was told of less than never
-- named: broken=alert_run_attempts_counted
-- follows:
insert into weir.alert_channel values ('SLACK', clock_timestamp());
insert into weir.alert_run (channel, run_id, told, attempts, due_at)
values ('SLACK', gen_random_uuid(), false, -1, clock_timestamp());

-- S38: a file ends before it begins
-- named: broken=replica_file_places_are_of_rows
-- follows:
insert into weir.replica_file (
    job, source_table, generation, path, bytes, modified_at, checksum, rows, first_place,
    last_place, taken_at)
values (
    'shop', 'public.orders', 1, 'a.parquet', 1, clock_timestamp(), '00', 1, 2, 1,
    clock_timestamp());

-- R1: a window is published and its table is verified only up to where it began
-- named: published=0/5 verified=0/1
-- follows:
insert into weir.replication (job, version, source, slot, state, epoch)
values ('shop', 1, 'shop', 'weir_shop', 'RUNNING', 1);
insert into weir.replica (
    job, source_table, target, version, state, generation, failures, verified_place,
    verified_position)
values ('shop', 'public.replicated', 'sales.replicated', 1, 'RUNNING', 1, 0, 1, '0/1');
insert into weir.target values ('sales.replicated', 1);
insert into weir.replica_window (
    target, epoch, run_id, token, state, version, job, source_table, job_epoch, from_place,
    from_position, to_place, to_position, base_snapshot_id, staged_snapshot_id, evidence,
    opening_rows, opening_digest_sum, removed_rows, removed_digest_sum, appended_rows,
    appended_digest_sum, closing_rows, closing_digest_sum, opened_at, ended_at)
values (
    'sales.replicated', 1, gen_random_uuid(), gen_random_uuid(), 'PUBLISHED', 1, 'shop',
    'public.replicated', 1, 1, '0/1', 5, '0/5', 1, 2, 'main', 3, 30, 1, 10, 2, 25, 4, 45,
    clock_timestamp(), clock_timestamp());

-- R2: what a window closed with is not what went in and out
-- named: source_table=public.replicated
-- follows: S32
insert into weir.replication (job, version, source, slot, state, epoch)
values ('shop', 1, 'shop', 'weir_shop', 'RUNNING', 1);
insert into weir.replica (
    job, source_table, target, version, state, generation, failures, verified_place,
    verified_position)
values ('shop', 'public.replicated', 'sales.replicated', 1, 'RUNNING', 1, 0, 5, '0/5');
insert into weir.target values ('sales.replicated', 1);
insert into weir.replica_window (
    target, epoch, run_id, token, state, version, job, source_table, job_epoch, from_place,
    from_position, to_place, to_position, base_snapshot_id, staged_snapshot_id, evidence,
    opening_rows, opening_digest_sum, removed_rows, removed_digest_sum, appended_rows,
    appended_digest_sum, closing_rows, closing_digest_sum, opened_at, ended_at)
values (
    'sales.replicated', 1, gen_random_uuid(), gen_random_uuid(), 'PUBLISHED', 1, 'shop',
    'public.replicated', 1, 1, '0/1', 5, '0/5', 1, 2, 'main', 3, 30, 1, 10, 2, 25, 4, 44,
    clock_timestamp(), clock_timestamp());
