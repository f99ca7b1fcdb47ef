package io.weir.testkit.postgresql;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** One database of the test server. */
public record TestDatabase(String host, int port, String name, String user, String password) {
    public String url() {
        return "jdbc:postgresql://" + host + ":" + port + "/" + name;
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url(), user, password);
    }

    /** Runs statements, each in its own transaction. */
    public void execute(String... statements) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("Cannot run a test statement: " + e.getMessage(), e);
        }
    }

    /** The text of the first column of the first row. */
    public String text(String query) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            if (!rows.next()) {
                throw new IllegalStateException("No row: " + query);
            }
            return rows.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException("Cannot run a test query: " + e.getMessage(), e);
        }
    }
}
