package io.weir.source.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricName;
import io.weir.source.ServerFacts;
import io.weir.source.Source;
import io.weir.source.SourceConfig;
import io.weir.source.SourceSnapshot;
import io.weir.source.SplitOptions;
import io.weir.source.TableSpec;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A server that only follows: no transaction ids of its own, and another log position. */
class StandbyTest {
    private static final SplitOptions SMALL = new SplitOptions(256 << 10, 10);

    private static EmbeddedPostgres start(Path data) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setLocaleConfig("locale", "C.UTF-8")
                .start();
    }

    @Test
    void readsTablesAndMaterializedViewsOfAStandby(@TempDir Path directory)
            throws IOException, SQLException {
        Path data = directory.resolve("data");
        try (EmbeddedPostgres primary = start(data);
                Connection connection = primary.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table orders as select i as id, repeat('x', 100) as note"
                    + " from generate_series(1, 10000) i");
            statement.execute("create materialized view stored as select * from orders");
        }
        Files.createFile(data.resolve("standby.signal"));
        try (EmbeddedPostgres standby = start(data)) {
            String url = "jdbc:postgresql://127.0.0.1:" + standby.getPort() + "/postgres";
            check(PostgresSource.open(new SourceConfig("shop", url, "postgres", "postgres")));
        }
    }

    private static void check(Source source) {
        TableSpec orders = TableSpec.of("orders");
        TableSpec stored = TableSpec.of("stored");
        assertThat(source.inspect(orders).server().role()).isEqualTo(ServerFacts.Role.STANDBY);
        try (SourceSnapshot snapshot = source.openSnapshot(List.of(orders, stored), 1)) {
            assertThat(snapshot.position().orElseThrow().text()).matches("[0-9A-F]+/[0-9A-F]+");
            assertThat(snapshot.expectation(orders, List.of(MetricName.ROW_COUNT)))
                    .containsExactly(new Measure(MetricName.ROW_COUNT, "10000"));
            Shop.Contents contents = Shop.read(snapshot, orders, SMALL, Shop.CHUNK_BYTES);
            assertThat(contents.partitions()).isGreaterThan(2);
            assertThat(contents.balance().rows()).isEqualTo(10_000);
            assertThat(Shop.read(snapshot, stored, SMALL, Shop.CHUNK_BYTES).balance())
                    .isEqualTo(contents.balance());
            checkJoined(source, snapshot, contents);
        }
    }

    private static void checkJoined(Source source, SourceSnapshot first, Shop.Contents contents) {
        TableSpec orders = TableSpec.of("orders");
        TableSpec stored = TableSpec.of("stored");
        try (SourceSnapshot second =
                source.joinSnapshot(first.token(), List.of(orders, stored), 0)) {
            first.close();
            try (SourceSnapshot third =
                    source.joinSnapshot(second.token(), List.of(orders, stored), 1)) {
                third.check();
                assertThat(third.position()).isEmpty();
                assertThat(Shop.read(third, orders, SMALL, Shop.CHUNK_BYTES).balance())
                        .isEqualTo(contents.balance());
                assertThat(Shop.read(third, stored, SMALL, Shop.CHUNK_BYTES).balance())
                        .isEqualTo(contents.balance());
            }
        }
    }
}
