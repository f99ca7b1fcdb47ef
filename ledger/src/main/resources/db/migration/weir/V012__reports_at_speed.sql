-- Each report of a chunk changes the row of its partition: there has to be room for the new
-- version on the same page, or every index is written too.
alter table weir.partition set (fillfactor = 50);

-- The next claim does not pass by all partitions that are being read.
create index partition_claimable on weir.partition (run_id, ordinal)
    where state in ('PENDING', 'RETRY');

-- Events are read by run; the number alone is not looked for.
alter table weir.event drop constraint event_pk;
alter table weir.event add constraint event_pk primary key (run_id, sequence);
drop index weir.event_of_run_in_order;

-- A foreign key looks up its partition once for each chunk and locks it each time. Chunks come in
-- many at a time under the lock of their partitions; one look for each statement is enough.
alter table weir.chunk drop constraint chunk_of_partition;

create function weir.check_chunk_of_partition() returns trigger language plpgsql as $$
begin
    if exists (
        select
        from (select distinct run_id, partition_id from added) as own
        -- No join, so that the plan never reads the whole table.
        where (
            select other.id
            from weir.partition as other
            where other.run_id = own.run_id and other.id = own.partition_id) is null)
    then
        raise foreign_key_violation using
            message = 'a chunk has no partition',
            constraint = 'chunk_of_partition';
    end if;
    return null;
end $$;

create trigger chunk_of_partition after insert on weir.chunk
    referencing new table as added
    for each statement execute function weir.check_chunk_of_partition();

-- Nothing renames a chunk or takes its partition away.
create function weir.refuse_change() returns trigger language plpgsql as $$
begin
    raise foreign_key_violation using
        message = 'what chunks belong to does not change',
        constraint = 'chunk_of_partition';
end $$;

create trigger chunk_stays before update of run_id, partition_id on weir.chunk
    for each statement execute function weir.refuse_change();
create trigger partition_stays before delete or update of run_id, id on weir.partition
    for each statement execute function weir.refuse_change();

-- Writes that are sent together with their COMMIT cannot be looked at before it.
create function weir.require(held boolean, what text) returns void language plpgsql as $$
begin
    if held is not true then
        raise integrity_constraint_violation using message = what;
    end if;
end $$;
