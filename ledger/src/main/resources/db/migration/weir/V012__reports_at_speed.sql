-- Each report of a chunk changes the row of its partition: there has to be room for the new
-- version on the same page, or every index is written too.
alter table weir.partition set (fillfactor = 50);

-- The next claim does not pass by all partitions that are being read.
create index partition_claimable on weir.partition (run_id, ordinal)
    where state in ('PENDING', 'RETRY');

-- The run comes last where it is not looked for: else these indexes seem as good as the primary key
-- to find one partition, and a plan that takes them reads all partitions of the run.
alter table weir.partition drop constraint partition_ordinal_once;
alter table weir.partition add constraint partition_ordinal_once unique (ordinal, run_id);
alter table weir.partition drop constraint partition_token_once;
alter table weir.partition add constraint partition_token_once unique (token, run_id);

-- Events are read by run; the number alone is not looked for.
alter table weir.event drop constraint event_pk;
alter table weir.event add constraint event_pk primary key (run_id, sequence);
drop index weir.event_of_run_in_order;

-- Writes that are sent together with their COMMIT cannot be looked at before it.
create function weir.require(held boolean, what text) returns void language plpgsql as $$
begin
    if held is not true then
        raise integrity_constraint_violation using message = what;
    end if;
end $$;
