-- The shop of the demo: every ordinary type, NULLs, text in many scripts, an empty table.
-- One transaction: the shop is there as a whole or not at all.
begin;

do $$
begin
    if not exists (select from pg_roles where rolname = 'reader') then
        create role reader;
    end if;
end
$$;

create type order_status as enum ('placed', 'paid', 'shipped', 'delivered', 'returned');

create table customers (
    id integer primary key,
    code character(8) not null,
    name text not null,
    email character varying(120),
    vip boolean not null,
    rating real,
    birthday date,
    credit numeric(14, 2) not null,
    preferences jsonb,
    avatar bytea,
    token uuid not null,
    joined_at timestamp with time zone not null
);

insert into customers
select
    n,
    'C' || n,
    (array['Ada', 'Zoë', '山田', 'Σωκράτης', 'Иван', 'Amélie', 'محمد', '🦆 Duck'])[1 + n % 8]
        || ' ' || n,
    case when n % 11 = 0 then null else 'customer' || n || '@example.org' end,
    n % 50 = 0,
    case when n % 9 = 0 then null else (n % 500) / 100.0 end,
    case when n % 7 = 0 then null else date '1940-01-01' + n % 24000 end,
    (n * 7919 % 10000000) / 100.0 - 20000,
    case
        when n % 5 = 0 then null
        else jsonb_build_object('news', n % 2 = 0, 'tags', jsonb_build_array(n % 3, 'größe'))
    end,
    case when n % 13 = 0 then null else decode(md5(n::text), 'hex') end,
    md5('token' || n)::uuid,
    timestamptz '2015-01-01 00:00:00+00' + n * interval '97 minutes 13.000001 seconds'
from generate_series(1, 50000) as n;

create table orders (
    id bigint primary key,
    customer_id integer not null references customers (id),
    status order_status not null,
    amount numeric(12, 2) not null,
    discount numeric(5, 4),
    weight double precision,
    placed_at timestamp without time zone not null,
    delivery_on date,
    delivery_time time without time zone,
    channel smallint not null,
    note text
);

insert into orders
select
    n,
    1 + (n::bigint * 7919 % 50000),
    (array['placed', 'paid', 'shipped', 'delivered', 'returned'])[1 + n % 5]::order_status,
    (n::bigint * 104729 % 10000000) / 100.0,
    case when n % 4 = 0 then (n % 10000) / 10000.0 end,
    case when n % 17 = 0 then null else (n % 100000) / 7.0 end,
    timestamp '2020-01-01 00:00:00' + n * interval '187.123456 seconds',
    case when n % 3 = 0 then null else date '2020-01-02' + n % 2200 end,
    case when n % 6 = 0 then null else time '08:00' + (n % 43200) * interval '1 second' end,
    n % 4,
    case when n % 10 = 0 then 'please ring twice, order ' || n || ' ☎' end
from generate_series(1, 1000000) as n;

create table items (
    order_id bigint not null,
    line smallint not null,
    product character varying(40) not null,
    quantity integer not null,
    price numeric(10, 4) not null,
    primary key (order_id, line)
);

insert into items
select
    n / 2,
    1 + n % 2,
    (array['Weir gauge', 'Überlaufrohr', '水門', 'Sluice', 'Fish ladder'])[1 + n % 5],
    1 + n % 12,
    (n * 31 % 1000000) / 10000.0
from generate_series(2, 200001) as n;

create table returns (
    id bigint primary key,
    order_id bigint not null,
    reason text,
    refunded numeric(12, 2),
    received_at timestamp with time zone
);

grant usage on schema public to reader;
grant select on customers, orders, items, returns to reader;

commit;

analyze;
