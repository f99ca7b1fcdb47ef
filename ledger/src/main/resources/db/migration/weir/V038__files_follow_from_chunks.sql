-- The location of a file follows from the key of its chunk: run, partition, epoch and index. So the
-- primary key says that one file backs one chunk, and the index of all paths there ever were, the
-- largest part of what a report wrote, goes. Nobody is told to believe it: a ledger that holds
-- another location is left as it is.
do $$
declare
    odd record;
begin
    select *
    into odd
    from (
        select chunk.*,
            case when chunk.bytes > 0 then
                run.data_path || '/p=' || chunk.partition_id || '/e=' || chunk.epoch || '/'
                    || chunk.partition_id || '-'
                    || lpad(
                        chunk.chunk_index::text, greatest(6, length(chunk.chunk_index::text)), '0')
                    || '.parquet'
            end as expected
        from weir.chunk
        join weir.run on run.id = chunk.run_id
    ) as placed
    where path is distinct from expected
    limit 1;
    if found then
        raise check_violation using
            message = 'the file of chunk ' || odd.chunk_index || ' of partition '
                || odd.partition_id || ' of run ' || odd.run_id || ' is not where it belongs (path='
                || coalesce(odd.path, 'none') || ', expected=' || coalesce(odd.expected, 'none')
                || ')';
    end if;
end $$;

create or replace function weir.chunk_rules() returns trigger language plpgsql as $$
declare
    broken text := coalesce(
        (
            select rule
            from (
                select case
                    when not (c.state in ('WRITTEN', 'VERIFIED', 'FAILED'))
                        then 'chunk_state_known'
                    when not (c.epoch > 0 and c.chunk_index >= 0 and c.bytes >= 0
                            and c.rows >= 0)
                        then 'chunk_counts_are_possible'
                    when not (c.bytes > 0 or (c.rows = 0 and c.chunk_index = 0 and c.last))
                        then 'chunk_without_file_has_no_rows'
                    when not (c.rows > 0 or c.digest_sum = 0)
                        then 'chunk_without_rows_has_no_digests'
                    -- VERIFIED is equality of two independent encoders, not somebody's word.
                    when not (c.state <> 'VERIFIED'
                            or (c.measured_rows is not distinct from c.rows
                                and c.measured_digest_sum is not distinct from c.digest_sum))
                        then 'chunk_verified_is_equality'
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

alter table weir.chunk drop column path;
