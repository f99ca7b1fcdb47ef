package io.weir.flow.replicate;

import io.weir.testkit.postgresql.TestDatabase;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;

/** Writes transactions of every kind to the tables of a house, from a seed. */
final class ShopWriter implements AutoCloseable {
    private static final String KEY_TWICE = "23505";

    private final TestDatabase source;
    private final Random random;
    private final Thread thread = new Thread(this::run, "shop-writer");
    private boolean running;
    private volatile boolean stopping;
    private volatile @Nullable Throwable failure;

    ShopWriter(TestDatabase source, long seed) {
        this.source = source;
        this.random = new Random(seed);
    }

    /** Writes until it is closed. */
    void start() {
        // A table that is truncated while readers join a state cannot be read at that state.
        running = true;
        thread.start();
    }

    private void run() {
        try (Connection connection = source.connect()) {
            connection.setAutoCommit(false);
            while (!stopping) {
                transaction(connection);
            }
        } catch (SQLException e) {
            failure = e;
        }
    }

    /** Writes some transactions at once. */
    void write(int transactions) {
        try (Connection connection = source.connect()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < transactions; i++) {
                transaction(connection);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Inserts, updates, changed and swapped keys, deletes, sometimes TRUNCATE or nothing. */
    private void transaction(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            int statements = 1 + random.nextInt(5);
            for (int i = 0; i < statements; i++) {
                statement.execute(statement());
            }
        } catch (SQLException e) {
            connection.rollback();
            if (!KEY_TWICE.equals(e.getSQLState())) {
                throw e;
            }
            return;
        }
        if (random.nextInt(10) == 0) {
            connection.rollback();
        } else {
            connection.commit();
        }
    }

    private String statement() {
        String table = ReplicaHouse.TABLES.get(random.nextInt(ReplicaHouse.TABLES.size()));
        int id = 1 + random.nextInt(120);
        int version = random.nextInt(1_000_000);
        return switch (random.nextInt(14)) {
            case 0 -> "delete from " + table + " where id between " + id + " and " + (id + 5);
            case 1 ->
                "update " + table + " set id = id + 100000 where id = " + id
                        + " and not exists (select from " + table + " where id = "
                        + (id + 100_000) + ")";
            case 2 -> "update " + table + " set id = -id where id > 100000";
            case 3 -> "update " + table + " set pad = pad where id < " + id;
            case 4 ->
                !running && random.nextInt(10) == 0
                        ? "truncate " + table
                        : "update " + table + " set price = price + 1 where id < 10";
            case 5, 6, 7 ->
                "insert into " + table + " values (" + id + ", " + version + ", 1.5, null, 'w')"
                        + " on conflict (id) do update set version = excluded.version";
            default ->
                "update " + table + " set version = " + version + " where id between " + id
                        + " and " + (id + random.nextInt(4));
        };
    }

    @Override
    public void close() {
        stopping = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Throwable found = failure;
        if (found != null) {
            throw new IllegalStateException(found);
        }
    }
}
