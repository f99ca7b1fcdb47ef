-- One row per durable file of a partition; rows of older epochs stay, but never count.
create table weir.chunk (
    run_id uuid not null,
    partition_id text not null,
    epoch bigint not null,
    chunk_index integer not null,
    -- Full location; null for the only chunk of a partition without rows.
    path text,
    bytes bigint not null,
    rows bigint not null,
    -- What the source encoder computed from wire bytes.
    digest_sum numeric(39, 0) not null,
    -- What the file encoder computed from the staged file.
    measured_rows bigint,
    measured_digest_sum numeric(39, 0),
    losses jsonb not null,
    last boolean not null,
    state text not null,
    constraint chunk_pk primary key (run_id, partition_id, epoch, chunk_index),
    constraint chunk_of_partition foreign key (run_id, partition_id)
        references weir.partition (run_id, id),
    -- One file backs one chunk, ever.
    constraint chunk_path_once unique (path),
    constraint chunk_state_known check (state in ('WRITTEN', 'VERIFIED', 'FAILED')),
    constraint chunk_without_file_has_no_rows check (
        path is not null or (rows = 0 and bytes = 0 and chunk_index = 0 and last)),
    constraint chunk_without_rows_has_no_digests check (rows > 0 or digest_sum = 0),
    -- VERIFIED is equality of two independent encoders, not somebody's word.
    constraint chunk_verified_is_equality check (
        state <> 'VERIFIED'
        or (measured_rows is not distinct from rows
            and measured_digest_sum is not distinct from digest_sum)),
    constraint chunk_counts_are_possible check (
        epoch > 0 and chunk_index >= 0 and bytes >= 0 and rows >= 0),
    constraint chunk_digest_sum_is_128_bits check (
        digest_sum between 0 and 340282366920938463463374607431768211455)
);

create unique index chunk_one_last on weir.chunk (run_id, partition_id, epoch) where last;
