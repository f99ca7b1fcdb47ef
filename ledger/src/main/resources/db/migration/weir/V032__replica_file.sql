-- Files of outside logs as they were when their changes were taken into a change log of ours.
create table weir.replica_file (
    job text not null,
    source_table text not null,
    -- Of the change log.
    generation integer not null,
    -- Below the directory of the outside log.
    path text not null,
    bytes bigint not null,
    modified_at timestamptz not null,
    -- SHA-256.
    checksum text not null,
    rows bigint not null,
    first_place bigint not null,
    last_place bigint not null,
    taken_at timestamptz not null,
    constraint replica_file_pk primary key (job, source_table, generation, path),
    constraint replica_file_of_replica foreign key (job, source_table)
        references weir.replica (job, source_table),
    constraint replica_file_generation_from_one check (generation > 0),
    constraint replica_file_counts_are_possible check (bytes > 0 and rows >= 0),
    constraint replica_file_places_are_of_rows check (
        first_place <= last_place and (rows = 0) = (first_place = 0)
        and (rows = 0) = (last_place = 0))
);
