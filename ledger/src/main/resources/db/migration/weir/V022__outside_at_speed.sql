-- Each report changes the row of its partition: there has to be room for the new version on the
-- same page, and no index on what changes, or every index is written too. Nobody used this one.
alter table weir.outside_partition set (fillfactor = 50);
drop index weir.outside_partition_running;

-- The run comes last where it is not looked for: see V012.
alter table weir.outside_partition drop constraint outside_partition_ordinal_once;
alter table weir.outside_partition
    add constraint outside_partition_ordinal_once unique (ordinal, run_id);
