package io.weir.flow.changelog;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testkit.postgresql.TestDatabase;
import io.weir.testkit.postgresql.TestPostgres;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;

/** Processes that keep change logs and are killed, or have little memory. */
class KilledCaptureTest {
    /** How often a process is killed; {@code -Dweir.capture.kills=20} for all. */
    private static final int KILLS = Integer.getInteger("weir.capture.kills", 4);

    private static final long SEED = Long.getLong("weir.capture.seed", 20261130);

    /** Rows of one transaction; {@code -Dweir.capture.rows=2000000} needs {@code -Xmx512m}. */
    private static final int ROWS = Integer.getInteger("weir.capture.rows", 150_000);

    private static final String HEAP = System.getProperty("weir.capture.heap", "-Xmx96m");

    private static final int STEPS_MAX = 24;

    private final TestDatabase source = TestPostgres.shared().createDatabase();
    private final TestDatabase books = TestPostgres.shared().createDatabase();

    @TempDir
    private Path directory;

    private LogHouse house;

    @BeforeEach
    void open() {
        LogHouse.furnish(source);
        house = new LogHouse(source, books, directory, LogHouse.ENGINE_BYTES);
        house.capture.createSlot(house.spec);
        house.logs();
    }

    @AfterEach
    void close() {
        house.dropSlot();
        house.close();
    }

    /** Kill -9 after a random number of steps, again and again, while a writer writes. */
    @Test
    void eachChangeIsInTheLogOnceHoweverOftenItsKeeperIsKilled()
            throws IOException, InterruptedException, SQLException {
        Random random = new Random(SEED);
        for (int kill = 0; kill < KILLS; kill++) {
            Process keeper = LogProgram.command(
                            "-Xmx256m", source, books, directory, 100, Long.MAX_VALUE)
                    .start();
            int steps = 1 + random.nextInt(STEPS_MAX);
            try (BufferedReader said = keeper.inputReader();
                    Connection connection = source.connect()) {
                write(connection, random);
                for (int step = 0; step < steps; step++) {
                    assertThat(said.readLine())
                            .as("seed %s, kill %s, step %s", SEED, kill, step)
                            .isNotNull();
                    write(connection, random);
                }
            } finally {
                keeper.destroyForcibly().waitFor();
            }
            awaitFreeSlot();
        }
        house.catchUp();
        for (String table : LogHouse.TABLES) {
            assertThat(house.logged(table))
                    .as("seed %s, table %s", SEED, table)
                    .isEqualTo(house.audited(table));
        }
        assertThat(house.query("select count(*) > 50 from sales.a_log")).containsExactly("true");
    }

    /** The server sees the end of a killed process a moment later. */
    private void awaitFreeSlot() {
        String active = "select active from pg_replication_slots where slot_name = '"
                + house.spec.slot() + "'";
        while (source.text(active).equals("t")) {
            Thread.onSpinWait();
        }
    }

    /** One transaction of inserts, updates, changed keys, deletes, sometimes TRUNCATE. */
    private static void write(Connection connection, Random random) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            int statements = 1 + random.nextInt(6);
            for (int i = 0; i < statements; i++) {
                String table = LogHouse.TABLES.get(random.nextInt(LogHouse.TABLES.size()));
                int id = random.nextInt(40);
                int version = random.nextInt(1_000_000);
                statement.execute(
                        switch (random.nextInt(12)) {
                            case 0 -> "delete from " + table + " where id < " + id;
                            case 1 ->
                                "update " + table + " set id = id + 1000, version = " + version
                                        + " where id = " + id;
                            case 2 -> "update " + table + " set version = version + 1";
                            case 3 ->
                                random.nextInt(4) == 0
                                        ? "truncate " + table
                                        : "update " + table + " set id = -id where id > 999";
                            default ->
                                "insert into " + table + " values (" + id + ", " + version + ")"
                                        + " on conflict (id) do update set version = "
                                        + "excluded.version";
                        });
            }
            connection.commit();
        }
    }

    /** A transaction that does not fit into memory passes, whole. */
    @Test
    void aTransactionLargerThanMemoryIsOneTransactionInTheLog()
            throws IOException, InterruptedException {
        source.execute("alter table a disable trigger user");
        source.execute("insert into a select i, i * 7, i * 0.01, gen_random_uuid(),"
                + " repeat(md5(i::text), 16) from generate_series(1, " + ROWS + ") i");
        long until = LogHouse.place(source.text("select pg_current_wal_insert_lsn()::text"));
        source.execute("insert into b values (1, 1)");
        Process keeper =
                LogProgram.command(HEAP, source, books, directory, 100, until).start();
        try (BufferedReader said = keeper.inputReader()) {
            assertThat(said.lines()).contains("READ", "APPENDED", "CONFIRMED");
        }
        assertThat(keeper.waitFor()).isZero();
        assertThat(house.query(
                        "select count(*), count(distinct place), count(distinct transaction),"
                                + " min(ordinal), max(ordinal), count(distinct ordinal),"
                                + " sum(after.id::hugeint), count(distinct after_digest)"
                                + " from sales.a_log"))
                .containsExactly(ROWS + " 1 1 1 " + ROWS + " " + ROWS + " "
                        + (long) ROWS * (ROWS + 1) / 2 + " " + ROWS);
    }
}
