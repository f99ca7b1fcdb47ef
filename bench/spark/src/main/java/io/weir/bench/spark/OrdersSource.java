package io.weir.bench.spark;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Tables of the shape of {@code orders} in PostgreSQL, with ids from 1 without a gap. */
record OrdersSource(String url, String user, String password) {
    /** Without it the driver holds all rows of a partition in memory. */
    static final int FETCH_ROWS = 10_000;

    Dataset<Row> read(SparkSession session, String table, int partitions) throws SQLException {
        String last = query("select max(id) from public." + table).get(0);
        return session.read()
                .format("jdbc")
                .option("url", url)
                .option("user", user)
                .option("password", password)
                .option("dbtable", "public." + table)
                .option("partitionColumn", "id")
                .option("lowerBound", 1)
                .option("upperBound", last)
                .option("numPartitions", partitions)
                .option("fetchsize", FETCH_ROWS)
                // A timestamp without zone stays one, as it does in Weir.
                .option("preferTimestampNTZ", true)
                .load();
    }

    /** The only row of an answer, as text. */
    List<String> query(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, user, password);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            rows.next();
            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                values.add(String.valueOf(rows.getString(i)));
            }
            return values;
        }
    }
}
