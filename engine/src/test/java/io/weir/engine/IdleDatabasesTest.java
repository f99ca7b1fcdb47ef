package io.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.duckdb.DuckDBConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Goal: a database that is used again is as good as a new one. */
class IdleDatabasesTest {
    private static final MergeShare SMALL = new MergeShare(64 << 20, 1);
    private static final MergeShare LARGE = new MergeShare(256 << 20, 2);

    @TempDir
    private Path directory;

    private SpillDirectory spill;
    private IdleDatabases idle;

    @BeforeEach
    void open() throws IOException {
        spill = SpillDirectory.create(directory);
        idle = new IdleDatabases(spill);
    }

    @AfterEach
    void close() throws SQLException, IOException {
        idle.close();
        spill.close();
    }

    private static String text(DuckDBConnection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private EmbeddedDatabase used(MergeShare share) throws SQLException, IOException {
        return idle.use(share, (database, connection) -> database);
    }

    @Test
    void aDatabaseIsUsedAgainUnderTheLimitsOfItsNextUse() throws SQLException, IOException {
        EmbeddedDatabase first = used(SMALL);

        idle.use(LARGE, (database, connection) -> {
            assertThat(database).isSameAs(first);
            assertThat(text(connection, "SELECT current_setting('memory_limit')"))
                    .isEqualTo("256.0 MiB");
            assertThat(text(connection, "SELECT current_setting('threads')")).isEqualTo("2");
            assertThat(text(connection, "SELECT current_setting('TimeZone')")).isEqualTo("UTC");
            return true;
        });
    }

    @Test
    void nothingOfAnEarlierUseIsSeen() throws SQLException, IOException {
        idle.use(SMALL, (database, connection) -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute("CREATE TEMP TABLE events AS SELECT 1 AS place");
            }
        });

        String tables = idle.use(
                SMALL,
                (database, connection) -> text(connection, "SELECT count(*) FROM duckdb_tables()"));

        assertThat(tables).isEqualTo("0");
    }

    @Test
    void twoUsesAtOnceHaveADatabaseEach() throws SQLException, IOException {
        EmbeddedDatabase outer = idle.use(SMALL, (database, connection) -> {
            assertThat(used(SMALL)).isNotSameAs(database);
            return database;
        });

        assertThat(outer).isNotNull();
    }

    @Test
    void aDatabaseThatFailedIsNotUsedAgain() throws SQLException, IOException {
        EmbeddedDatabase first = used(SMALL);
        Path missing = directory.resolve("missing.parquet");

        assertThatThrownBy(() -> idle.use(
                        SMALL,
                        (database, connection) -> text(connection, "FROM '" + missing + "'")))
                .isInstanceOf(SQLException.class);

        assertThat(used(SMALL)).isNotSameAs(first);
    }
}
