package io.weir.app.chaos;

import io.weir.testkit.postgresql.TestDatabase;
import io.weir.testkit.postgresql.TestPostgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * A source whose rows never rest. Every transaction changes all tables, writes its number into row
 * 0 of each and the count and the sums of each into the history: whoever reads the tables at one
 * snapshot can be held to what they were then.
 */
final class Shop {
    /** Which rows, and what of them, by one number each. */
    static final String FIGURES = "count(*) as n, cast(sum(amount) as varchar) as amounts,"
            + " cast(sum(id * (amount % 1009)) as varchar) as mixed, max(version) as version";

    private static final List<String> TABLES = List.of("events", "customers", "orders");
    private static final Duration PAUSE = Duration.ofMillis(150);
    private static final int ROWS_MOVED = 40;

    private final TestDatabase database = TestPostgres.shared().createDatabase();
    private final int rows;
    private final Random random;
    private long version;

    Shop(int rows, long seed) {
        this.rows = rows;
        this.random = new Random(seed);
        database.execute("create table history (name text, n bigint, amounts text, mixed text,"
                + " version bigint, primary key (name, version))");
        for (String table : TABLES) {
            database.execute(
                    "create table " + table + " (id bigint primary key, amount bigint not null,"
                            + " version bigint not null default 0, note text)",
                    "insert into " + table + " select n, n * 7, 0, 'note of row ' || n"
                            + " from generate_series(0, " + rows + ") as n");
        }
    }

    TestDatabase database() {
        return database;
    }

    /** Changes rows until the end. */
    void trade(Clock clock) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            do {
                version++;
                for (String table : TABLES) {
                    change(statement, table);
                }
                connection.commit();
            } while (!clock.await(PAUSE));
        } catch (SQLException e) {
            throw new IllegalStateException("Cannot change the source", e);
        }
    }

    private void change(Statement statement, String table) throws SQLException {
        int from = 1 + random.nextInt(rows);
        statement.execute("update " + table + " set amount = amount + " + random.nextInt(1000)
                + " where id between " + from + " and " + (from + ROWS_MOVED));
        statement.execute("delete from " + table + " where id = " + (1 + random.nextInt(rows)));
        statement.execute("insert into " + table + " (id, amount, note) values (" + (rows + version)
                + ", " + random.nextInt(1000) + ", 'late') ");
        statement.execute("update " + table + " set version = " + version + " where id = 0");
        statement.execute(
                "insert into history select '" + table + "', " + FIGURES + " from " + table);
    }

    /** The figures of a table when a transaction had ended. */
    String was(String table, String ofVersion) {
        return database.text("select n || ' ' || amounts || ' ' || mixed || ' ' || version"
                + " from history where name = '" + table + "' and version = " + ofVersion);
    }
}
