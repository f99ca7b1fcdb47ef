package io.weir.flow.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.certificate.Certificate;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.CreateRun;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.RunFilter;
import io.weir.core.metric.Metric;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.Stage;
import io.weir.core.metric.Verdict;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishMode;
import io.weir.core.run.Chunk;
import io.weir.core.run.ChunkState;
import io.weir.core.run.Consistency;
import io.weir.core.run.Failure;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.source.Source;
import io.weir.table.LakeTable;
import io.weir.table.LocalFileIO;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

class LoadFlowTest {
    private static final String ORDERS = """
            create table orders (id bigint primary key, amount numeric(12, 2), note text)
            """;
    private static final String FILL = """
            insert into orders
            select n, n * 1.25, case when n % 3 = 0 then null else 'ordre n° ' || n end
            from generate_series(1, 5000) as n
            """;

    @TempDir
    Path directory;

    private LoadHouse house;

    @BeforeEach
    void open() {
        house = new LoadHouse(directory);
        house.shop.execute(ORDERS, FILL);
    }

    @AfterEach
    void close() {
        house.close();
    }

    @Test
    void publishesWhatWasReadAndProvesIt() {
        RunDetail detail = house.load(LoadHouse.job("orders", PublishMode.REPLACE), "monday");

        Run run = detail.run();
        assertThat(run.state()).isEqualTo(RunState.SUCCESS);
        assertThat(run.consistency()).isEqualTo(Consistency.SAME_SNAPSHOT);
        assertThat(run.sourceCount()).isEqualTo(5000);
        assertThat(run.extracted().rows()).isEqualTo(5000);
        assertThat(detail.partitions()).hasSizeGreaterThan(2);
        assertThat(detail.chunks()).hasSizeGreaterThan(detail.partitions().size());
        assertThat(detail.chunks()).allMatch(c -> c.state() == ChunkState.VERIFIED);
        assertThat(detail.metrics()).allMatch(metric -> metric.verdict() == Verdict.PASS);
        Certificate certificate = new Certificate(detail);
        assertThat(certificate.conclusion()).isEqualTo(Certificate.Conclusion.VERIFIED);
        assertThat(certificate.measuredBalance(Stage.STAGING))
                .contains(run.extracted().toString());
        assertThat(certificate.measuredBalance(Stage.TARGET))
                .contains(run.extracted().toString());
        LakeTable table = house.catalog.load("sales.orders");
        assertThat(table.currentSnapshotId()).isEqualTo(run.publishedSnapshotId());
        assertThat(table.balance()).isEqualTo(run.extracted());
        assertThat(house.query("sales.orders", "select sum(amount) from sales.orders"))
                .isEqualTo("15628125.00");
    }

    @Test
    void metricsHoldWhatTheSourceSaysOfItself() {
        RunDetail detail = house.load(LoadHouse.job("orders", PublishMode.REPLACE), "monday");

        assertThat(actual(detail, "row_count")).isEqualTo("5000");
        assertThat(actual(detail, "sum(amount)")).isEqualTo("15628125");
        assertThat(actual(detail, "min(id)")).isEqualTo("1");
        assertThat(actual(detail, "max(id)")).isEqualTo("5000");
        assertThat(actual(detail, "null_count(note)")).isEqualTo("1666");
        assertThat(actual(detail, "duplicate_keys")).isEqualTo("0");
    }

    private static String actual(RunDetail detail, String metric) {
        return detail.metrics().stream()
                .filter(m -> m.stage() == Stage.TARGET && m.subject().equals(Metric.RUN))
                .filter(m -> m.name().equals(MetricName.parse(metric)))
                .map(m -> String.valueOf(m.actual()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void replaceTakesThePlaceAndAppendAdds() {
        house.load(LoadHouse.job("orders", PublishMode.REPLACE), "monday");
        house.shop.execute("delete from orders where id > 1000");
        house.load(LoadHouse.job("orders", PublishMode.REPLACE), "tuesday");
        assertThat(house.query("sales.orders", "select count(*) from sales.orders"))
                .isEqualTo("1000");

        RunDetail appended = house.load(LoadHouse.job("orders", PublishMode.APPEND), "wednesday");

        assertThat(house.query("sales.orders", "select count(*) from sales.orders"))
                .isEqualTo("2000");
        assertThat(house.catalog.load("sales.orders").balance())
                .isEqualTo(appended.run().extracted().plus(appended.run().extracted()));
    }

    @Test
    void loadsAnEmptyTable() {
        house.shop.execute("truncate orders");
        RunDetail detail = house.load(LoadHouse.job("orders", PublishMode.REPLACE), "monday");

        assertThat(detail.run().state()).isEqualTo(RunState.SUCCESS);
        assertThat(detail.run().extracted().rows()).isZero();
        assertThat(house.query("sales.orders", "select count(*) from sales.orders"))
                .isEqualTo("0");
    }

    @Test
    void readsSeveralTablesAtOneState() {
        house.shop.execute(
                "create table twin (id bigint primary key, amount numeric(12, 2), note text)");
        LoadListener mover = new LoadListener() {
            @Override
            public void planned(Run run, List<PartitionProgress> partitions) {
                house.shop.execute("""
                                with moved as (delete from orders where id <= 100 returning *)
                                insert into twin select * from moved on conflict do nothing
                                """);
            }
        };
        List<RunDetail> details;
        try (Source source = house.source()) {
            details = house.flow()
                    .load(
                            source,
                            List.of(
                                    LoadHouse.job("orders", PublishMode.REPLACE),
                                    LoadHouse.job("twin", PublishMode.REPLACE)),
                            "monday",
                            mover);
        }

        assertThat(details.get(0).run().snapshot())
                .isEqualTo(details.get(1).run().snapshot());
        assertThat(details.get(0).run().extracted().rows()).isEqualTo(5000);
        assertThat(details.get(1).run().extracted().rows()).isZero();
    }

    @Test
    void refusesATruncatedFileBeforePublishing() {
        LoadListener truncate = onStaged(path -> Files.write(path, new byte[] {1, 2, 3}));

        assertThatThrownBy(() -> house.load(
                        LoadHouse.job("orders", PublishMode.REPLACE), "monday", truncate))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_UNREADABLE))
                .hasMessageContaining(".parquet");

        assertNothingPublished(RunState.FAILED_STAGE_VALIDATION);
    }

    @Test
    void refusesAMissingFileBeforePublishing() {
        LoadListener delete = onStaged(Files::delete);

        assertThatThrownBy(() ->
                        house.load(LoadHouse.job("orders", PublishMode.REPLACE), "monday", delete))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_UNREADABLE));

        assertNothingPublished(RunState.FAILED_STAGE_VALIDATION);
    }

    @Test
    void refusesAFileThatHoldsTheRowsOfAnother() throws IOException {
        LoadListener swap = new LoadListener() {
            @Override
            public void staged(Run run, List<String> paths) {
                try {
                    Files.copy(
                            LocalFileIO.pathOf(paths.get(0)),
                            LocalFileIO.pathOf(paths.get(1)),
                            java.nio.file.StandardCopyOption.REPLACE_EXISTING);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }
        };

        assertThatThrownBy(() ->
                        house.load(LoadHouse.job("orders", PublishMode.REPLACE), "monday", swap))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.VALIDATION_FAILED))
                .hasMessageMatching("(?s).*\\.parquet balance: expected .*, found .*");

        assertNothingPublished(RunState.FAILED_STAGE_VALIDATION);
    }

    private static LoadListener onStaged(FileAction action) {
        return new LoadListener() {
            @Override
            public void staged(Run run, List<String> paths) {
                try {
                    action.apply(LocalFileIO.pathOf(paths.get(0)));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
    }

    private interface FileAction {
        void apply(Path path) throws IOException;
    }

    private void assertNothingPublished(RunState expected) {
        Run run = house.ledger.runs(new RunFilter("orders", false, 1)).get(0);
        assertThat(run.state()).isEqualTo(expected);
        assertThat(run.publishedSnapshotId()).isNull();
        assertThat(house.query("sales.orders", "select count(*) from sales.orders"))
                .isEqualTo("0");
        RunDetail again = house.load(LoadHouse.job("orders", PublishMode.REPLACE), "monday");
        assertThat(again.run().state()).isEqualTo(RunState.SUCCESS);
        assertThat(again.run().extracted().rows()).isEqualTo(5000);
    }

    @Test
    void failsTheRunWhenTheConnectionIsCutAndLeavesNoFile() throws IOException {
        house.shop.execute("insert into orders select n, n, repeat('x', 900)"
                + " from generate_series(5001, 60000) as n");
        LoadListener cut = new LoadListener() {
            @Override
            public void planned(Run run, List<PartitionProgress> partitions) {
                house.shop.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                        + " where application_name = 'weir'"
                        + " and pid <> pg_backend_pid()");
            }
        };

        assertThatThrownBy(() ->
                        house.load(LoadHouse.job("orders", PublishMode.REPLACE), "monday", cut))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_CONNECTION_LOST));

        assertThat(house.parquetFiles()).isZero();
        Run run = house.ledger.runs(new RunFilter("orders", false, 1)).get(0);
        assertThat(run.state()).isEqualTo(RunState.FAILED_EXTRACT);
        RunDetail again = house.load(LoadHouse.job("orders", PublishMode.REPLACE), "monday");
        assertThat(again.run().extracted().rows()).isEqualTo(60000);
    }

    @Test
    void stopsWhenAskedAndClosesTheRun() throws IOException {
        LoadListener stop = new LoadListener() {
            @Override
            public void planned(Run run, List<PartitionProgress> partitions) {
                house.cancellation.request();
            }
        };

        assertThatThrownBy(() ->
                        house.load(LoadHouse.job("orders", PublishMode.REPLACE), "monday", stop))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED));

        Run run = house.ledger.runs(new RunFilter("orders", false, 1)).get(0);
        assertThat(run.state()).isEqualTo(RunState.CANCELLED);
        assertThat(house.parquetFiles()).isZero();
    }

    @Test
    void refusesASecondRunOfTheSameBusinessKey() {
        Run active = house.ledger.createRun(request("monday"));

        assertThatThrownBy(() -> house.load(LoadHouse.job("orders", PublishMode.REPLACE), "monday"))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.DUPLICATE_ACTIVE_RUN))
                .hasMessageContainingAll(active.id().toString(), "monday");

        house.ledger.failRun(
                active.id(),
                RunState.CREATED,
                RunState.CANCELLED,
                new Failure("TEST", "INTERRUPTED", "enough"));
        assertThat(house.load(LoadHouse.job("orders", PublishMode.REPLACE), "monday")
                        .run()
                        .state())
                .isEqualTo(RunState.SUCCESS);
    }

    private static CreateRun request(String businessKey) {
        return new CreateRun(
                UUID.randomUUID().toString(),
                "orders",
                businessKey,
                "shop",
                "public.orders",
                "sales.orders",
                PublishMode.REPLACE,
                "file:///nowhere",
                true,
                Duration.ofMinutes(5),
                Duration.ofHours(6),
                RecoveryMode.REISSUE,
                null);
    }

    @Test
    void publishesOnTheNewMainWhenAnotherRunCameFirst() {
        LoadListener overtake = new LoadListener() {
            @Override
            public void audited(Run run) {
                if (run.businessKey().equals("slow")) {
                    house.load(LoadHouse.job("orders", PublishMode.APPEND), "fast");
                }
            }
        };

        RunDetail slow = house.load(LoadHouse.job("orders", PublishMode.APPEND), "slow", overtake);

        assertThat(slow.run().state()).isEqualTo(RunState.SUCCESS);
        assertThat(slow.attempts()).hasSize(2);
        assertThat(slow.attempts().get(0).state()).isEqualTo(AttemptState.FAILED);
        assertThat(slow.attempts().get(1).state()).isEqualTo(AttemptState.PUBLISHED);
        assertThat(slow.attempts().get(1).epoch())
                .isGreaterThan(slow.attempts().get(0).epoch());
        assertThat(house.query("sales.orders", "select count(*) from sales.orders"))
                .isEqualTo("10000");
    }

    @Test
    void letsADropWaitUntilTheLastRowIsRead() throws Exception {
        Thread drop = new Thread(() -> house.shop.execute("drop table orders"), "drop");
        LoadListener dropper = new LoadListener() {
            @Override
            public void planned(Run run, List<PartitionProgress> partitions) {
                drop.start();
                org.awaitility.Awaitility.await()
                        .until(() -> house.shop
                                .text("select count(*) from pg_locks" + " where not granted")
                                .equals("1"));
            }
        };

        RunDetail detail =
                house.load(LoadHouse.job("orders", PublishMode.REPLACE), "monday", dropper);

        assertThat(detail.run().extracted().rows()).isEqualTo(5000);
        drop.join(Duration.ofSeconds(30).toMillis());
        assertThat(house.shop.text("select to_regclass('public.orders') is null"))
                .isEqualTo("t");
    }

    @Test
    void everyChunkLiesUnderItsRunPartitionAndEpoch() {
        RunDetail detail = house.load(LoadHouse.job("orders", PublishMode.REPLACE), "monday");

        for (Chunk chunk : detail.chunks()) {
            assertThat(chunk.path())
                    .matches("file:///.*/data/run="
                            + detail.run().id()
                            + "/p="
                            + chunk.partitionId()
                            + "/e=1/"
                            + chunk.partitionId()
                            + "-0+"
                            + chunk.index()
                            + "\\.parquet");
        }
    }
}
