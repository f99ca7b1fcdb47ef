package io.weir.table;

import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.jdbc.UncheckedInterruptedException;
import org.apache.iceberg.jdbc.UncheckedSQLException;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** The row of the catalog that says where the current metadata of one table are. */
final class CatalogPointer {
    private static final String WHERE = " WHERE catalog_name = ? AND table_namespace = ?"
            + " AND table_name = ? AND (iceberg_type = 'TABLE' OR iceberg_type IS NULL)";
    private static final String READ = "SELECT metadata_location FROM iceberg_tables" + WHERE;
    private static final String MOVE = "UPDATE iceberg_tables SET metadata_location = ?,"
            + " previous_metadata_location = ?" + WHERE + " AND metadata_location = ?";

    private final CatalogConnections connections;
    private final String catalog;
    private final TableIdentifier table;

    CatalogPointer(CatalogConnections connections, String catalog, TableIdentifier table) {
        this.connections = connections;
        this.catalog = catalog;
        this.table = table;
    }

    /** Where the metadata are now; nothing if there is no such table. */
    Optional<String> read() {
        return run(
                "read",
                () -> connections.ask(connection -> {
                    try (PreparedStatement select = connection.prepareStatement(READ)) {
                        name(select, 1);
                        try (ResultSet rows = select.executeQuery()) {
                            return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
                        }
                    }
                }));
    }

    /** Moves it if it is still where the caller saw it; who gets an error looks what became. */
    boolean move(String from, String to) {
        return run(
                "move",
                () -> connections.runAtOnce(connection -> {
                    try (PreparedStatement update = connection.prepareStatement(MOVE)) {
                        update.setString(1, to);
                        update.setString(2, from);
                        name(update, 3);
                        update.setString(6, from);
                        return update.executeUpdate() == 1;
                    }
                }));
    }

    private void name(PreparedStatement statement, int first) throws SQLException {
        statement.setString(first, catalog);
        statement.setString(first + 1, table.namespace().toString());
        statement.setString(first + 2, table.name());
    }

    /** A call that waits for the database. */
    private interface Call<T> {
        T run() throws SQLException, InterruptedException;
    }

    private <T> T run(String verb, Call<T> call) {
        try {
            return call.run();
        } catch (SQLException e) {
            throw new UncheckedSQLException(e, "Cannot %s table %s in the catalog", verb, table);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedInterruptedException(e, "Interrupted in the catalog");
        }
    }
}
