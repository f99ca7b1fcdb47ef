package io.weir.bench;

import io.weir.source.SourceConfig;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** A wide-ish source table of 8 columns, and one of the same shape to warm the sides up. */
final class OrdersTable {
    static final String NAME = "orders";
    static final String WARM_UP = "warm_up";

    private OrdersTable() {}

    /** Ids go from 1 to {@code rows}; the table keeps its durability. */
    static void fill(SourceConfig source, String name, long rows) throws SQLException {
        try (Connection connection = DriverManager.getConnection(
                        source.url(), source.user(), source.password());
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    create table public.%s (
                        id bigint primary key, customer_code text, order_ref text,
                        status_text text, amount numeric(18, 2), created_at timestamp,
                        quantity int, order_date date)
                    """.formatted(name));
            statement.execute("""
                    insert into public.%s
                    select n, 'customer-' || lpad((n::bigint * 7919 %% 100000)::text, 11, '0'),
                        md5(n::text)::varchar(20),
                        (array['status placed by web', 'status paid by card!',
                            'status shipped today', 'status delivered now',
                            'status was returned!', 'status is cancelled!'])[1 + n %% 6],
                        (n::bigint * 104729 %% 10000000) / 100.0,
                        timestamp '2024-01-01' + n * interval '6.007919 seconds',
                        n %% 100, date '2024-01-01' + (n %% 700)::int
                    from generate_series(1, %d) as n
                    """.formatted(name, rows));
            statement.execute("vacuum analyze public." + name);
            statement.execute("checkpoint");
        }
    }
}
