package io.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.iceberg.types.Types;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

@SuppressWarnings("NullAway.Init")
class FileColumnsTest {
    private static final Column ID =
            new Column(1, "id", "bigint", Types.LongType.get(), true, LossPolicy.FAIL);
    private static final Column NAME =
            new Column(2, "name", "text", Types.StringType.get(), false, LossPolicy.FAIL);

    @TempDir
    private Path directory;

    private EmbeddedDatabase database;
    private BufferAllocator allocator;
    private DuckDBConnection connection;
    private MergeSession session;

    @BeforeEach
    void open() throws Exception {
        database = EmbeddedDatabase.forFiles(
                64L << 20, 2, Files.createDirectory(directory.resolve("spill")));
        allocator = new RootAllocator();
        connection = database.connect();
        session = new MergeSession(connection, allocator);
    }

    @AfterEach
    void close() throws Exception {
        connection.close();
        allocator.close();
        database.close();
    }

    private Path file(String name, String select, String ids) throws Exception {
        Path file = directory.resolve(name);
        session.execute("COPY (" + select + ") TO " + DuckdbSql.path(file)
                + " (FORMAT parquet, FIELD_IDS {" + ids + "})");
        return file;
    }

    private Path named(String name, long first) throws Exception {
        return file(
                name,
                "SELECT r AS id, 'n' || r AS name FROM range(" + first + ", " + (first + 2)
                        + ") t(r)",
                "id: 1, name: 2");
    }

    @Test
    void rowsOfFilesOfOneLayoutAreToldApartByTheOrderGiven() throws Exception {
        // Neither by name nor by size: the order of the list counts.
        List<Path> files = List.of(named("c", 10), named("a[1]", 20), named("b", 30));

        FileColumns columns = FileColumns.of(session, files);

        assertThat(columns.end(files, 0, 100)).isEqualTo(3);
        assertThat(columns.end(files, 0, 2)).isEqualTo(2);
        assertThat(session.rows("SELECT file, pos, f1, f2 FROM ("
                        + columns.scan(files, 5, List.of(ID, NAME)) + ") ORDER BY file, pos"))
                .containsExactly(
                        List.of(5L, 0L, 10L, "n10"),
                        List.of(5L, 1L, 11L, "n11"),
                        List.of(6L, 0L, 20L, "n20"),
                        List.of(6L, 1L, 21L, "n21"),
                        List.of(7L, 0L, 30L, "n30"),
                        List.of(7L, 1L, 31L, "n31"));
    }

    @Test
    void filesOfAnotherLayoutAreScannedOnTheirOwn() throws Exception {
        Path old = file("old", "SELECT 1::BIGINT AS id", "id: 1");
        Path renamed =
                file("renamed", "SELECT 2::BIGINT AS number, 'x' AS name", "number: 1, name: 2");
        Path narrow = file("narrow", "SELECT 3::INTEGER AS id, 'y' AS name", "id: 1, name: 2");
        List<Path> files = List.of(old, renamed, narrow, named("new", 4));

        FileColumns columns = FileColumns.of(session, files);

        for (int i = 0; i < files.size(); i++) {
            assertThat(columns.end(files, i, 100)).isEqualTo(i + 1);
        }
        assertThat(read(columns, old, 0)).containsExactly(Arrays.asList(0L, 0L, 1L, null));
        assertThat(read(columns, renamed, 1)).containsExactly(List.of(1L, 0L, 2L, "x"));
        assertThat(read(columns, narrow, 2)).containsExactly(List.of(2L, 0L, 3L, "y"));
    }

    private List<List<@Nullable Object>> read(FileColumns columns, Path file, int number)
            throws Exception {
        return session.rows("SELECT file, pos, f1, f2 FROM ("
                + columns.scan(List.of(file), number, List.of(ID, NAME)) + ")");
    }
}
