package io.weir.bench;

import io.weir.source.SourceConfig;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;

/** Three tables of a shop, and a client that changes them by transactions of one table each. */
final class ChangingTables implements AutoCloseable {
    static final List<String> NAMES = List.of("orders", "customers", "items");
    static final String PUBLICATION = "weir_shop";

    private final Connection connection;
    private final PreparedStatement position;
    private final Random random;
    private final int rows;

    /** A client of its own. */
    ChangingTables(SourceConfig source, int rows, long seed) throws SQLException {
        this.connection = connect(source);
        connection.setAutoCommit(false);
        this.position =
                connection.prepareStatement("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn");
        this.random = new Random(seed);
        this.rows = rows;
    }

    private static Connection connect(SourceConfig source) throws SQLException {
        return DriverManager.getConnection(source.url(), source.user(), source.password());
    }

    /** Creates the tables; ids go from 1 to {@code rows}. */
    static void fill(SourceConfig source, int rows) throws SQLException {
        try (Connection connection = connect(source);
                Statement statement = connection.createStatement()) {
            for (String name : NAMES) {
                statement.execute("create table public." + name + " (id bigint primary key,"
                        + " customer_code text, order_ref text, status_text text,"
                        + " amount numeric(18, 2), created_at timestamp, quantity int,"
                        + " order_date date)");
                statement.execute("alter table public." + name + " replica identity full");
                statement.execute("insert into public." + name
                        + " select n, 'customer-' || lpad((n::bigint * 7919 % 100000)::text, 11,"
                        + " '0'), left(md5(n::text), 20), 'status placed by web',"
                        + " (n::bigint * 104729 % 10000000) / 100.0,"
                        + " timestamp '2024-01-01' + n * interval '6 seconds', n % 100,"
                        + " date '2024-01-01' + (n % 700)::int"
                        + " from generate_series(1, " + rows + ") as n");
                statement.execute("vacuum analyze public." + name);
            }
            statement.execute(
                    "create publication " + PUBLICATION + " for table " + String.join(", ", NAMES));
        }
    }

    /**
     * Updates rows of one table and commits.
     *
     * @return a place of the log behind the commit
     */
    long change(String name, int changes) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("update public." + name
                + " set amount = amount + 0.01, quantity = quantity + 1, status_text = ?"
                + " where id = any (?)")) {
            Long[] ids = random.longs(1, rows + 1L)
                    .distinct()
                    .limit(changes)
                    .boxed()
                    .toArray(Long[]::new);
            update.setString(1, "status " + random.nextInt(1000));
            update.setArray(2, connection.createArrayOf("bigint", ids));
            update.executeUpdate();
            connection.commit();
        }
        return place();
    }

    private long place() throws SQLException {
        try (ResultSet row = position.executeQuery()) {
            row.next();
            return row.getLong(1);
        } finally {
            connection.rollback();
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
