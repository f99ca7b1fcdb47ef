-- What the shop needs for its changes to be read; may be run again and again.
begin;

create table if not exists prices (
    product integer primary key,
    price numeric(10, 2) not null,
    valid_from timestamp with time zone not null
);

do $$
begin
    if not exists (select from prices) then
        insert into prices
        select n, n * 1.99, timestamptz '2026-01-01 00:00:00+00' from generate_series(1, 200) as n;
    end if;
    if not exists (select from pg_publication where pubname = 'weir_live') then
        create publication weir_live for table customers, orders, prices;
    end if;
end
$$;

grant select on prices to reader;
alter role reader replication;
alter table customers replica identity full;
alter table orders replica identity full;
alter table prices replica identity full;

commit;
