-- What was expected and what was measured; SOURCE rows are the expectation itself.
create table weir.metric (
    run_id uuid not null,
    stage text not null,
    -- "run" for the whole run, else the file, relative to the data path of the run.
    subject text not null,
    name text not null,
    expected text,
    actual text,
    verdict text not null,
    constraint metric_pk primary key (run_id, stage, subject, name),
    constraint metric_of_run foreign key (run_id) references weir.run (id),
    constraint metric_stage_known check (stage in ('SOURCE', 'STAGING', 'TARGET')),
    -- Nobody but the texts decides; NULL equals only NULL.
    constraint metric_verdict_is_equality check (
        verdict = case when expected is not distinct from actual then 'PASS' else 'FAIL' end)
);
