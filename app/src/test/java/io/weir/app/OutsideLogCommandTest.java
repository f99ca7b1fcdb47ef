package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.app.CommandLineHouse.Output;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** What a user types who has change logs already, and what comes back. */
class OutsideLogCommandTest {
    private static final String ROW = "STRUCT(id INTEGER, note VARCHAR, price DECIMAL(8,2))";

    @TempDir
    private Path directory;

    private CommandLineHouse house;
    private String file = "";

    @BeforeEach
    void fill() {
        house = new CommandLineHouse(directory);
        file = job("""
                {
                        directory: ./cdc/orders,
                        columns: { position: source.lsn, committed-at: ts_ms },
                        key: [id],
                        complete: true
                      }""");
    }

    private String job(String log) {
        return house.write("job.yaml", """
                ledger: { url: "%s", user: %s, password: %s }
                lake: { warehouse: ./lake }
                jobs:
                  shop:
                    replicate:
                      into: sales
                      logs:
                        public.orders: %s
                    merge: row-hash
                """.formatted(
                                house.books.url(), house.books.user(), house.books.password(), log))
                .toString();
    }

    /** Rows as Debezium's envelope has them. */
    private static String change(String op, String before, String after, String lsn) {
        return "SELECT '" + op + "' AS op, " + before + "::" + ROW + " AS before, " + after + "::"
                + ROW + " AS after, {'lsn': '" + lsn + "', 'table': 'orders', 'ts_ms': 1}"
                + " AS source, 1764500000000 AS ts_ms";
    }

    private static String row(int id, String note, String price) {
        return "{'id': " + id + ", 'note': '" + note + "', 'price': " + price + "}";
    }

    private void write(String name, String... changes) {
        Path path = directory.resolve("cdc/orders").resolve(name);
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            Files.createDirectories(path.getParent());
            statement.execute("COPY (" + String.join(" UNION ALL ", changes) + ") TO '" + path
                    + "' (FORMAT parquet)");
        } catch (SQLException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private String note(int id) {
        return house.weir("sql", "select note from sales.orders where id = " + id, "-f", file)
                .out();
    }

    @Test
    void logsThatAreThereAreMergedAuditedAndShown() {
        write(
                "dt=2026-11-30/part-0.parquet",
                change("r", "NULL", row(1, "one", "1.50"), "0/10"),
                change("c", "NULL", row(2, "two", "2.50"), "0/20"));
        Output check = house.weir("check", file);
        assertThat(check.err()).isEmpty();
        assertThat(check.out())
                .contains("public.orders is kept in sales.orders from ")
                .contains("(1 files)")
                .contains("Nothing speaks against it: weir replicate");

        Output first = house.weir("replicate", file, "--once");
        assertThat(first.err()).isEmpty();
        assertThat(first.exitCode()).isZero();
        assertThat(first.out()).containsPattern("sales.orders +RUNNING +0/20 +0");
        write(
                "dt=2026-12-01/part-0.parquet",
                change("u", row(1, "one", "1.50"), row(1, "uno", "1.50"), "1/0"));
        Output second = house.weir("replicate", file, "--once");
        assertThat(second.exitCode()).as(second.err()).isZero();
        assertThat(second.out()).contains("window 0/20 to 1/0", "rows +0 ~1 -0");
        assertThat(note(1)).contains("uno");
        assertThat(house.weir("replicate", file, "--status").out())
                .containsPattern("sales.orders +RUNNING +1/0");
        Output fsck = house.weir("fsck", "--tables", "-f", file);
        assertThat(fsck.exitCode()).as(fsck.out() + fsck.err()).isZero();
    }

    @Test
    void aLostChangeStopsTheTableAndARebuildTakesTheMendedDirectory() {
        write("a.parquet", change("c", "NULL", row(1, "one", "1.50"), "0/10"));
        assertThat(house.weir("replicate", file, "--once").exitCode()).isZero();
        write("c.parquet", change("u", row(1, "two", "1.50"), row(1, "three", "1.50"), "0/30"));
        Output stopped = house.weir("replicate", file, "--once");
        assertThat(stopped.exitCode()).isEqualTo(6);
        assertThat(stopped.err())
                .contains("Cannot verify table sales.orders: it is stopped (MERGE_CHAIN_BROKEN)")
                .contains("id=1")
                .contains("weir rebuild sales.orders");
        assertThat(note(1)).contains("one");

        write("b.parquet", change("u", row(1, "one", "1.50"), row(1, "two", "1.50"), "0/20"));
        house.weir("rebuild", "sales.orders", "--reason", "found it", "-f", file);
        Output healed = house.weir("replicate", file, "--once");
        assertThat(healed.err()).isEmpty();
        assertThat(healed.exitCode()).isZero();
        assertThat(note(1)).contains("three");
    }

    @Test
    void checkSaysWhatIsWrongBeforeAnythingRuns() {
        Output empty = house.weir("check", file);
        assertThat(empty.exitCode()).isEqualTo(5);
        assertThat(empty.out()).contains("Cannot read outside log").contains("no such directory");

        write("a.parquet", "SELECT 'c' AS op, 1 AS after, 'x' AS lsn");
        Output columns = house.weir("check", file);
        assertThat(columns.exitCode()).isEqualTo(2);
        assertThat(columns.out())
                .contains("there is no column source.lsn (position)")
                .contains("there is no column before (before)")
                .contains("column after (after) is INTEGER, no struct");
        assertThat(house.weir("replicate", file, "--once").exitCode()).isEqualTo(6);
    }

    @Test
    void aJobFileThatCannotBeMeantIsRefused() {
        String wrong = house.write("wrong.yaml", """
                lake: { warehouse: ./lake }
                jobs:
                  shop:
                    replicate:
                      into: sales
                      logs:
                        public.orders: { columns: { operation: op } }
                    initial: snapshot
                    as-of: yesterday
                """).toString();
        Output output = house.weir("check", wrong);
        assertThat(output.exitCode()).isEqualTo(2);
        assertThat(output.err())
                .contains("jobs.shop.replicate.logs.public.orders.directory is missing")
                .contains("columns.position is missing")
                .contains("Unknown key \"operation\"")
                .contains("key is missing; rows without a key need columns.ordinal")
                .contains("jobs.shop.initial is \"snapshot\", which needs a source")
                .contains("jobs.shop.as-of is \"yesterday\"");
    }
}
