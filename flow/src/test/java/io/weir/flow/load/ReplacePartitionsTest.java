package io.weir.flow.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.RunFilter;
import io.weir.core.metric.MetricPlan;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishMode;
import io.weir.core.route.PartitionBy;
import io.weir.core.row.Balance;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.engine.Measurement;
import io.weir.source.Source;
import io.weir.source.TableSpec;
import io.weir.table.FileEntry;
import io.weir.table.LakeTable;
import io.weir.table.LocalFileIO;
import io.weir.table.TablePlan;

import org.apache.iceberg.DataFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

class ReplacePartitionsTest {
    private static final String TARGET = "sales.visits";
    private static final Expression MONDAY = day("2026-11-30", "2026-12-01");
    private static final Expression TUESDAY = day("2026-12-01", "2026-12-02");

    @TempDir
    Path directory;

    private LoadHouse house;
    private Witness witness;

    @BeforeEach
    void open() {
        house = new LoadHouse(directory);
        witness = new Witness(house, directory.resolve("lake"));
        house.shop.execute(
                """
                create table visits (id bigint primary key, at timestamptz, note text)
                """,
                """
                insert into visits
                select n, timestamptz '2026-11-29 23:30:00+00' + n * interval '1 hour', 'n ' || n
                from generate_series(0, 60) as n
                """,
                "insert into visits values (100, null, 'never'), (101, 'infinity', 'ever')");
    }

    @AfterEach
    void close() {
        witness.close();
        house.close();
    }

    private static Expression day(String from, String until) {
        return Expressions.and(
                Expressions.greaterThanOrEqual("at", from + "T00:00:00+00:00"),
                Expressions.lessThan("at", until + "T00:00:00+00:00"));
    }

    private static LoadJob job(String partitionBy, PublishMode publish, boolean allowEmpty) {
        return new LoadJob(
                "visits",
                "shop",
                TableSpec.of("public.visits"),
                TARGET,
                publish,
                MetricPlan.Verify.METRICS,
                allowEmpty,
                64 << 10,
                4 << 10,
                PartitionBy.parse(partitionBy),
                RecoveryMode.REISSUE,
                LoadJob.TIMEOUT_DEFAULT);
    }

    private static final LoadJob BY_DAY =
            job("day(at), bucket(2, id)", PublishMode.REPLACE_PARTITIONS, true);

    private Balance measured() {
        LakeTable table = house.catalog.load(TARGET);
        Measurement measured = house.engine.measure(
                table.filesOf(table.currentSnapshotId()).stream()
                        .map(file -> LocalFileIO.pathOf(file.path()))
                        .toList(),
                table.schema(),
                List.of());
        return measured.balance();
    }

    private void assertRefused(ThrowingCallable call, ErrorCode code, String... texts) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        WeirException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContainingAll(texts);
    }

    @Test
    void replacesTheDayOfTheKeyAndNothingElse() {
        RunDetail monday = house.load(BY_DAY, "2026-11-30");
        assertThat(monday.run().state()).isEqualTo(RunState.SUCCESS);
        assertThat(monday.run().sourceCount()).isEqualTo(24);
        house.load(BY_DAY, "2026-12-01");
        assertThat(witness.ids(TARGET, Expressions.alwaysTrue()).size()).isEqualTo(48);
        Set<String> tuesday = witness.paths(TARGET, TUESDAY);
        assertThat(tuesday).hasSize(2);

        house.shop.execute(
                "update visits set note = 'changed' where id = 3",
                "update visits set at = at - interval '20 minutes' where id = 25",
                "delete from visits where id between 10 and 20");
        RunDetail again = house.load(BY_DAY, "2026-11-30");

        assertThat(again.run().sourceCount()).isEqualTo(13);
        assertThat(witness.paths(TARGET, TUESDAY)).isEqualTo(tuesday);
        assertThat(witness.ids(TARGET, MONDAY))
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 21L, 22L, 23L, 24L);
        assertThat(witness.misplaced(TARGET)).isEmpty();
        assertThat(house.catalog.load(TARGET).balance()).isEqualTo(measured());
        assertThat(measured().rows()).isEqualTo(37);
        assertThat(summary("weir.removed.rows")).isEqualTo("24");
        assertThat(summary("weir.removed.digest"))
                .isEqualTo(monday.run().extracted().digestText());
        assertThat(summary("total-records")).isEqualTo("37");
        assertThat(house.query(TARGET, "select note from sales.visits where id = 3"))
                .isEqualTo("changed");
    }

    private String summary(String key) {
        Snapshot main = witness.table(TARGET).currentSnapshot();
        return String.valueOf(main.summary().get(key));
    }

    @Test
    void anEmptyDayReplacesThePartitionByNothing() {
        house.load(BY_DAY, "2026-11-30");
        house.load(BY_DAY, "2026-12-01");
        house.shop.execute("delete from visits where at < '2026-12-01 00:00+00'");

        assertRefused(
                () -> house.load(
                        job("day(at)", PublishMode.REPLACE_PARTITIONS, false), "2026-11-30"),
                ErrorCode.TARGET_SCHEMA_MISMATCH,
                "day(at), bucket(2, id)");
        LoadJob strict = job("day(at), bucket(2, id)", PublishMode.REPLACE_PARTITIONS, false);
        assertRefused(
                () -> house.load(strict, "2026-11-30"),
                ErrorCode.MANIFEST_INVALID,
                "EMPTY_SOURCE_BLOCKED");
        assertThat(witness.ids(TARGET, MONDAY)).hasSize(24);

        house.load(BY_DAY, "2026-11-30");
        assertThat(witness.ids(TARGET, MONDAY)).isEmpty();
        assertThat(witness.ids(TARGET, TUESDAY)).hasSize(24);
        assertThat(house.catalog.load(TARGET).balance()).isEqualTo(measured());

        house.load(BY_DAY, "2026-11-30");
        assertThat(house.catalog.load(TARGET).balance()).isEqualTo(measured());
    }

    @Test
    void aKeyThatNamesNoPartitionIsRefusedBeforeAnythingIsCreated() {
        assertRefused(
                () -> house.load(BY_DAY, "2026-11"),
                ErrorCode.CONFIG_INVALID,
                "2026-11",
                "day(at)",
                "timestamptz",
                "a day such as 2026-11-29");

        assertThat(house.catalog.tables()).isEmpty();
        assertThat(house.ledger.runs(new RunFilter("visits", false, 10))).isEqualTo(List.<Run>of());
        try (Source source = house.source()) {
            LoadCheck check = LoadCheck.of(BY_DAY, "2026-11", source, house.catalog, 2);
            assertThat(check.refusal().orElseThrow().code()).isEqualTo(ErrorCode.CONFIG_INVALID);
        }
    }

    @Test
    void checkShowsTheStatementsThatReadTheDay() {
        try (Source source = house.source()) {
            LoadCheck check = LoadCheck.of(BY_DAY, "2026-12-31", source, house.catalog, 2);

            assertThat(check.refusal()).isEmpty();
            assertThat(Objects.requireNonNull(check.plan()).partitionBy())
                    .hasToString("day(at), bucket(2, id)");
            assertThat(check.statements())
                    .isNotEmpty()
                    .allMatch(sql -> sql.contains("(\"at\" >= timestamptz '2026-12-31 00:00:00+00'"
                            + " and \"at\" < timestamptz '2027-01-01 00:00:00+00')"));
        }
    }

    @Test
    void aTableOfAnotherSpecIsRefusedAndSilenceFollowsIt() {
        house.load(job("month(at)", PublishMode.REPLACE_PARTITIONS, true), "2026-12");

        try (Source source = house.source()) {
            LoadCheck check = LoadCheck.of(BY_DAY, "2026-11-30", source, house.catalog, 2);
            assertThat(Objects.requireNonNull(check.plan()).action())
                    .isEqualTo(TablePlan.Action.MISMATCH);
            assertThat(check.refusal().orElseThrow().code())
                    .isEqualTo(ErrorCode.TARGET_SCHEMA_MISMATCH);
        }
        house.shop.execute("delete from visits where id > 99");
        LoadJob silent = LoadHouse.job("visits", PublishMode.APPEND);
        house.load(silent, "anything");
        assertThat(witness.misplaced(TARGET)).isEmpty();
        assertThat(witness.files(TARGET))
                .extracting(file -> file.partition().get(0, Integer.class))
                .containsOnly(682, 683);
        assertThat(house.catalog.load(TARGET).balance()).isEqualTo(measured());
    }

    @Test
    void whatComesIntoAnotherPartitionMeanwhileStays() {
        house.load(BY_DAY, "2026-11-30");
        LoadListener other = beforePublish(() -> house.load(BY_DAY, "2026-12-01"));

        RunDetail detail = house.load(BY_DAY, "2026-11-30", other);

        assertThat(detail.attempts())
                .extracting(attempt -> attempt.state())
                .containsExactly(AttemptState.FAILED, AttemptState.PUBLISHED);
        assertThat(witness.ids(TARGET, Expressions.alwaysTrue()))
                .hasSize(48)
                .doesNotHaveDuplicates();
        assertThat(house.catalog.load(TARGET).balance()).isEqualTo(measured());
    }

    @Test
    void whatComesIntoTheSamePartitionMeanwhileIsMeasuredAndReplaced() {
        house.load(BY_DAY, "2026-11-30");
        house.shop.execute("delete from visits where id > 99");
        LoadJob append = job("day(at), bucket(2, id)", PublishMode.APPEND, true);
        LoadListener other = beforePublish(() -> {
            house.load(append, "all");
            // The other one began first.
            house.books.execute(
                    "update weir.run set created_at = clock_timestamp() where ended_at is null");
        });

        RunDetail detail = house.load(BY_DAY, "2026-11-30", other);

        assertThat(detail.run().state()).isEqualTo(RunState.SUCCESS);
        assertThat(summary("weir.removed.rows")).isEqualTo("48");
        assertThat(witness.ids(TARGET, MONDAY)).hasSize(24).doesNotHaveDuplicates();
        assertThat(measured().rows()).isEqualTo(61);
        assertThat(house.catalog.load(TARGET).balance()).isEqualTo(measured());
    }

    // F43
    @Test
    void whatANewerRunBroughtIntoTheSamePartitionStays() {
        house.load(BY_DAY, "2026-11-30");
        house.shop.execute("delete from visits where id > 99");
        LoadJob append = job("day(at), bucket(2, id)", PublishMode.APPEND, true);
        List<Long> before = new ArrayList<>();
        LoadListener newer = beforePublish(() -> {
            house.load(append, "all");
            before.addAll(witness.ids(TARGET, MONDAY));
        });

        assertRefused(() -> house.load(BY_DAY, "2026-11-30", newer), ErrorCode.TABLE_MOVED, TARGET);
        assertThat(witness.ids(TARGET, MONDAY))
                .hasSize(48)
                .containsExactlyInAnyOrderElementsOf(before);
    }

    @Test
    void aRunOfAnotherDayMayBePublishedAfterANewerOne() {
        LoadListener newer = beforePublish(() -> house.load(BY_DAY, "2026-12-01"));

        assertThat(house.load(BY_DAY, "2026-11-30", newer).run().state())
                .isEqualTo(RunState.SUCCESS);
        assertThat(house.catalog.load(TARGET).balance()).isEqualTo(measured());
    }

    @Test
    void aForeignWriteStopsThePublish() {
        house.load(BY_DAY, "2026-11-30");
        LoadListener foreign = beforePublish(() -> {
            Table table = witness.table(TARGET);
            DataFile copied = witness.files(TARGET).get(0);
            table.newFastAppend().appendFile(copied).commit();
        });

        assertRefused(
                () -> house.load(BY_DAY, "2026-12-01", foreign),
                ErrorCode.TABLE_FOREIGN_WRITE,
                TARGET);
        assertThat(witness.ids(TARGET, TUESDAY)).isEmpty();
    }

    @Test
    void aFileThatCannotBeMeasuredIsNotReplaced() throws IOException {
        house.load(BY_DAY, "2026-11-30");
        FileEntry file = house.catalog
                .load(TARGET)
                .filesOf(house.catalog.load(TARGET).currentSnapshotId())
                .get(0);
        Files.write(LocalFileIO.pathOf(file.path()), new byte[] {1, 2, 3});

        assertRefused(
                () -> house.load(BY_DAY, "2026-11-30"), ErrorCode.FILE_UNREADABLE, ".parquet");
    }

    private static LoadListener beforePublish(Runnable action) {
        return new LoadListener() {
            private boolean done;

            @Override
            public void audited(Run run) {
                if (!done) {
                    done = true;
                    action.run();
                }
            }
        };
    }
}
