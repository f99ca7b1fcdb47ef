-- Who claims the next of the partitions that it remembers asks first whether one was given back:
-- that one is earlier in the split, and nobody reads it.
create index partition_given_back on weir.partition (run_id) where state = 'RETRY';

-- PostgreSQL reads and plans all check constraints of a table anew in each statement that writes
-- to it, and looks for what a foreign key names row by row: of reports that was a third of the
-- work. Rules that are triggers are planned once in a session. Each is still asked whenever one
-- of its columns is written; those of columns that a report writes stay check constraints.
create function weir.partition_rules() returns trigger language plpgsql as $$
declare
    broken text := case
        when not (new.id ~ '^([0-9]{4}|NULL)$') then 'partition_id_form'
        when not (new.state in ('PENDING', 'RUNNING', 'RETRY', 'SUCCESS', 'FAILED', 'TIMED_OUT'))
            then 'partition_state_known'
        when not (not new.is_null or (new.lower_text is null and new.upper_text is null))
            then 'partition_null_range_has_no_bounds'
        when not ((new.lower_kind is null) = (new.lower_text is null)
                and (new.upper_kind is null) = (new.upper_text is null))
            then 'partition_bounds_are_typed'
        when not ((new.token is null) = (new.epoch = 0)) then 'partition_token_from_first_claim'
        when not ((new.ended_at is not null) = (new.state in ('SUCCESS', 'FAILED', 'TIMED_OUT')))
            then 'partition_ended_exactly_when_terminal'
    end;
begin
    if broken is not null then
        raise check_violation using schema = 'weir', table = 'partition', constraint = broken,
            message = 'partition ' || new.id || ' of run ' || new.run_id || ' breaks ' || broken;
    end if;
    return null;
end $$;

alter table weir.partition
    drop constraint partition_id_form,
    drop constraint partition_state_known,
    drop constraint partition_null_range_has_no_bounds,
    drop constraint partition_bounds_are_typed,
    drop constraint partition_token_from_first_claim,
    drop constraint partition_ended_exactly_when_terminal;

create trigger partition_keeps_its_rules
    after insert or update of
        id, lower_kind, lower_text, upper_kind, upper_text, is_null, state, epoch, token, ended_at
    on weir.partition
    for each row execute function weir.partition_rules();

create function weir.partition_stays() returns trigger language plpgsql as $$
begin
    raise foreign_key_violation using schema = 'weir', table = tg_table_name,
        message = 'a partition keeps its chunks';
end $$;

-- Nobody deletes or renames partitions, so that a chunk can never lose its own.
create trigger partition_stays before delete or update of run_id, id on weir.partition
    for each statement execute function weir.partition_stays();

create function weir.chunk_rules() returns trigger language plpgsql as $$
declare
    broken text := coalesce(
        (
            select rule
            from (
                select case
                    when not (c.state in ('WRITTEN', 'VERIFIED', 'FAILED'))
                        then 'chunk_state_known'
                    when not (c.path is not null
                            or (c.rows = 0 and c.bytes = 0 and c.chunk_index = 0
                                and c.last))
                        then 'chunk_without_file_has_no_rows'
                    when not (c.rows > 0 or c.digest_sum = 0)
                        then 'chunk_without_rows_has_no_digests'
                    -- VERIFIED is equality of two independent encoders, not somebody's word.
                    when not (c.state <> 'VERIFIED'
                            or (c.measured_rows is not distinct from c.rows
                                and c.measured_digest_sum is not distinct from c.digest_sum))
                        then 'chunk_verified_is_equality'
                    when not (c.epoch > 0 and c.chunk_index >= 0 and c.bytes >= 0
                            and c.rows >= 0)
                        then 'chunk_counts_are_possible'
                    when not (c.digest_sum
                            between 0 and 340282366920938463463374607431768211455)
                        then 'chunk_digest_sum_is_128_bits'
                end as rule
                from brought as c
            ) as asked
            where rule is not null
            limit 1
        ),
        (
            select 'chunk_of_partition'
            from (select distinct run_id, partition_id from brought) as own
            where not exists (
                select
                from weir.partition as other
                where other.run_id = own.run_id and other.id = own.partition_id)
            limit 1
        ));
begin
    if broken is not null then
        raise check_violation using schema = 'weir', table = 'chunk', constraint = broken,
            message = 'a chunk breaks ' || broken;
    end if;
    return null;
end $$;

alter table weir.chunk
    drop constraint chunk_of_partition,
    drop constraint chunk_state_known,
    drop constraint chunk_without_file_has_no_rows,
    drop constraint chunk_without_rows_has_no_digests,
    drop constraint chunk_verified_is_equality,
    drop constraint chunk_counts_are_possible,
    drop constraint chunk_digest_sum_is_128_bits;

create trigger chunk_keeps_its_rules after insert on weir.chunk
    referencing new table as brought
    for each statement execute function weir.chunk_rules();
create trigger changed_chunk_keeps_its_rules after update on weir.chunk
    referencing new table as brought
    for each statement execute function weir.chunk_rules();

-- The same for outside runs.
create function weir.outside_partition_rules() returns trigger language plpgsql as $$
declare
    broken text := case
        when not (new.id ~ '^([0-9]{4}|NULL)$') then 'outside_partition_id_form'
        when not (new.state in ('PENDING', 'RUNNING', 'RETRY', 'SUCCESS', 'FAILED', 'TIMED_OUT'))
            then 'outside_partition_state_known'
        when not (new.is_null = (new.lower_bound is null)
                and new.is_null = (new.upper_bound is null)
                and (new.lower_bound is null or new.lower_bound <= new.upper_bound))
            then 'outside_partition_bounds_are_a_range'
        when not ((new.token_digest is null) = (new.epoch = 0))
            then 'outside_partition_token_from_first_claim'
        when not ((new.ended_at is not null) = (new.state in ('SUCCESS', 'FAILED', 'TIMED_OUT')))
            then 'outside_partition_ended_exactly_when_terminal'
    end;
begin
    if broken is not null then
        raise check_violation using schema = 'weir', table = 'outside_partition',
            constraint = broken,
            message = 'partition ' || new.id || ' of outside run ' || new.run_id || ' breaks '
                || broken;
    end if;
    return null;
end $$;

alter table weir.outside_partition
    drop constraint outside_partition_id_form,
    drop constraint outside_partition_state_known,
    drop constraint outside_partition_bounds_are_a_range,
    drop constraint outside_partition_token_from_first_claim,
    drop constraint outside_partition_ended_exactly_when_terminal;

create trigger outside_partition_keeps_its_rules
    after insert or update of
        id, lower_bound, upper_bound, is_null, state, epoch, token_digest, ended_at
    on weir.outside_partition
    for each row execute function weir.outside_partition_rules();

create trigger outside_partition_stays before delete or update of run_id, id
    on weir.outside_partition
    for each statement execute function weir.partition_stays();

create function weir.outside_chunk_rules() returns trigger language plpgsql as $$
declare
    broken text := coalesce(
        (
            select rule
            from (
                select case
                    when not (c.state in ('WRITTEN', 'FAILED', 'LATE'))
                        then 'outside_chunk_state_known'
                    when not (c.epoch > 0 and c.chunk_index >= 0
                            and c.chunk_total > c.chunk_index and c.rows >= 0 and c.bytes >= 0)
                        then 'outside_chunk_counts_are_possible'
                end as rule
                from brought as c
            ) as asked
            where rule is not null
            limit 1
        ),
        (
            select 'outside_chunk_of_partition'
            from (select distinct run_id, partition_id from brought) as own
            where not exists (
                select
                from weir.outside_partition as other
                where other.run_id = own.run_id and other.id = own.partition_id)
            limit 1
        ));
begin
    if broken is not null then
        raise check_violation using schema = 'weir', table = 'outside_chunk',
            constraint = broken, message = 'a chunk of an outside run breaks ' || broken;
    end if;
    return null;
end $$;

alter table weir.outside_chunk
    drop constraint outside_chunk_of_partition,
    drop constraint outside_chunk_state_known,
    drop constraint outside_chunk_counts_are_possible;

create trigger outside_chunk_keeps_its_rules after insert on weir.outside_chunk
    referencing new table as brought
    for each statement execute function weir.outside_chunk_rules();
create trigger changed_outside_chunk_keeps_its_rules after update on weir.outside_chunk
    referencing new table as brought
    for each statement execute function weir.outside_chunk_rules();
