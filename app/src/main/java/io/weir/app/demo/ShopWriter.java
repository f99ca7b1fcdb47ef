package io.weir.app.demo;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.flow.load.Cancellation;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * Changes orders and customers in a thread of its own until it is closed, one transaction after the
 * other: updates, inserts, deletes, changed keys. As many rows come as go.
 */
final class ShopWriter implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(20);

    // The oldest orders go; one of them comes back under a new key.
    private static final String TRANSACTION = """
            update orders set amount = amount + 1, status = 'paid'
                where id in (select id from orders where id > %1$d order by id limit 20);
            update customers set credit = credit + 1 where id = %2$d;
            insert into orders
                select (select max(id) from orders) + n, %2$d, 'placed', n * 9.99, null, n / 7.0,
                    timestamp '2026-11-30 12:00:00' + n * interval '1 second', null, null, 1,
                    'new ☎'
                from generate_series(1, 5) as n;
            delete from orders where id in (select id from orders order by id limit 5);
            update orders set id = (select max(id) + 1 from orders)
                where id = (select min(id) from orders)
            """;

    private final Connection connection;
    private final Cancellation over = new Cancellation();
    private final Thread thread = new Thread(this::write, "demo-shop-writer");
    private @Nullable SQLException failure;
    private int transactions;

    private ShopWriter(Connection connection) {
        this.connection = connection;
    }

    /** Begins to write; the connection is closed with it. */
    static ShopWriter start(Connection connection) {
        ShopWriter writer = new ShopWriter(connection);
        writer.thread.setDaemon(true);
        writer.thread.start();
        return writer;
    }

    private void write() {
        try (connection;
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            do {
                statement.execute(TRANSACTION.formatted(
                        100_000 + transactions * 7919L % 800_000, 1 + transactions * 31 % 50_000));
                connection.commit();
                transactions++;
            } while (!over.await(PAUSE));
        } catch (SQLException e) {
            failure = e;
        }
    }

    /**
     * Ends it after the transaction at hand.
     *
     * @return how many were committed
     * @throws WeirException if one failed
     */
    int end() {
        close();
        if (failure != null) {
            throw new WeirException(
                    ErrorCode.SOURCE_QUERY_FAILED,
                    "Cannot write to the shop of the demo: " + failure.getMessage(),
                    failure);
        }
        return transactions;
    }

    @Override
    public void close() {
        over.request();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
