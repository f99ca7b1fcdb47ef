-- A run may also take the place of only those rows of the target that its business key names.
alter table weir.run drop constraint run_publish_mode_known;
alter table weir.run add constraint run_publish_mode_known
    check (publish_mode in ('APPEND', 'REPLACE', 'REPLACE_PARTITIONS'));
