package io.weir.table;

import static io.weir.table.LakeFixture.COLUMNS;
import static io.weir.table.LakeFixture.KEY;
import static io.weir.table.LakeFixture.TARGET;
import static io.weir.table.LakeFixture.attempt;
import static io.weir.table.LakeFixture.balance;
import static io.weir.table.LakeFixture.staged;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishMode;
import io.weir.core.route.KeyedRows;
import io.weir.core.route.PartitionBy;
import io.weir.core.route.PartitionKey;
import io.weir.core.route.Route;
import io.weir.core.row.Balance;

import org.apache.iceberg.Snapshot;
import org.apache.iceberg.catalog.TableIdentifier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class PartitionedTableTest {
    private static final PartitionBy BY = PartitionBy.parse("name, bucket(4, id)");

    @TempDir
    Path directory;

    private LakeFixture lake;

    @BeforeEach
    void open() {
        lake = new LakeFixture(directory);
    }

    @AfterEach
    void close() {
        lake.close();
    }

    private LakeTable prepare() {
        return lake.catalog().prepare(TARGET, COLUMNS, KEY, BY);
    }

    private static KeyedRows named(String name) {
        return new PartitionKey(BY.first(), name).rows(COLUMNS.get(1));
    }

    private static StagedFile file(
            LakeTable table, PublishAttempt attempt, String file, long rows, Route route) {
        return LakeFixture.file(table, attempt.runId(), file, rows).routed(route);
    }

    /** Publishes one file of each name, in bucket 0. */
    private PublishAttempt append(LakeTable table, long epoch, Balance delta, String... names) {
        PublishAttempt attempt = attempt(table, epoch);
        List<StagedFile> files = List.of(names).stream()
                .map(name ->
                        file(table, attempt, name, delta.rows() / names.length, Route.of(name, 0)))
                .toList();
        PublishAttempt staged =
                staged(attempt, table.stage(attempt, PublishMode.APPEND, files, delta));
        assertThat(table.publish(staged, PublishMode.APPEND).outcome())
                .isEqualTo(Published.Outcome.PUBLISHED);
        return staged;
    }

    private static void assertRefused(ThrowingCallable call, ErrorCode code, String... texts) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        WeirException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContainingAll(texts);
    }

    @Test
    void isCreatedWithItsSpec() {
        assertThat(lake.catalog().plan(TARGET, COLUMNS, KEY, BY).partitionBy()).isEqualTo(BY);

        assertThat(prepare().partitionBy()).isEqualTo(BY);
        assertThat(lake.catalog().load(TARGET).partitionBy()).isEqualTo(BY);
        assertThat(lake.foreignTable().spec().fields())
                .extracting(field -> field.name() + ":" + field.transform())
                .containsExactly("name:identity", "id_bucket:bucket[4]");
    }

    @Test
    void isFollowedBySilenceAndRefusedByContradiction() {
        prepare();

        assertThat(lake.catalog().prepare(TARGET, COLUMNS, KEY).partitionBy()).isEqualTo(BY);
        PartitionBy other = PartitionBy.parse("name, bucket(8, id)");
        assertThat(lake.catalog().plan(TARGET, COLUMNS, KEY, other).differences())
                .containsExactly("it is partitioned by name, bucket(4, id), the job says"
                        + " partition-by name, bucket(8, id)");
        assertRefused(
                () -> lake.catalog().prepare(TARGET, COLUMNS, KEY, other),
                ErrorCode.TARGET_SCHEMA_MISMATCH,
                "bucket(4, id)",
                "bucket(8, id)");
    }

    @Test
    void anUnpartitionedTableIsNoPartitionedOne() {
        lake.prepare();

        assertThat(lake.catalog().plan(TARGET, COLUMNS, KEY, BY).differences())
                .containsExactly(
                        "it is not partitioned, the job says partition-by name, bucket(4, id)");
    }

    @Test
    void aSpecThatCannotBeWrittenIsRefused() {
        prepare();
        Map<String, String> properties = new HashMap<>(lake.foreignTable().properties());
        properties.put("format-version", "1");
        TableIdentifier other = TableIdentifier.parse("sales.old");
        lake.foreignCatalog()
                .buildTable(other, lake.foreignTable().schema())
                .withPartitionSpec(lake.foreignTable().spec())
                .withProperties(properties)
                .create()
                .updateSpec()
                .removeField("name")
                .commit();

        assertThat(lake.catalog().plan("sales.old", COLUMNS, KEY).differences())
                .singleElement()
                .asString()
                .contains("void", "which Weir cannot write");
    }

    @Test
    void whatCannotBeDoneIsRefusedBeforeAnythingIsCreated() {
        PartitionBy clash = PartitionBy.parse("truncate(2, name), bucket(4, nowhere)");

        assertRefused(
                () -> lake.catalog().prepare(TARGET, COLUMNS, KEY, clash),
                ErrorCode.CONFIG_INVALID,
                "sales.orders",
                "there is no column nowhere");
        assertThat(lake.catalog().tables()).isEmpty();
    }

    @Test
    void filesKeepTheirRoutes() {
        LakeTable table = prepare();
        PublishAttempt attempt = attempt(table, 1);
        StagedFile a = file(table, attempt, "a", 1, Route.of("İ", 3));
        StagedFile b = file(table, attempt, "b", 2, Route.of(null, 0));

        long staged = table.stage(attempt, PublishMode.REPLACE, List.of(a, b), balance(3, 5));

        assertThat(table.addedBy(staged))
                .containsExactlyInAnyOrder(
                        new FileEntry(a.path(), 1, a.bytes(), a.route()),
                        new FileEntry(b.path(), 2, b.bytes(), b.route()));
        assertThat(table.stage(attempt, PublishMode.REPLACE, List.of(a, b), balance(3, 5)))
                .isEqualTo(staged);
    }

    @Test
    void aFileWithoutItsRouteIsRefused() {
        LakeTable table = prepare();
        PublishAttempt attempt = attempt(table, 1);
        StagedFile file = LakeFixture.file(table, attempt.runId(), "a", 1);

        assertRefused(
                () -> table.stage(attempt, PublishMode.APPEND, List.of(file), balance(1, 1)),
                ErrorCode.VALIDATION_FAILED,
                file.path(),
                "partition-by=name, bucket(4, id)");
    }

    @Test
    void replacesExactlyOnePartition() {
        LakeTable table = prepare();
        append(table, 1, balance(6, 60), "a", "b");
        append(table, 2, balance(4, 44), "a");
        List<FileEntry> before = table.filesOf(table.currentSnapshotId());
        List<FileEntry> named = table.filesOf(table.currentSnapshotId(), named("a"));
        assertThat(named).hasSize(2);

        PublishAttempt attempt = attempt(table, 3);
        StagedFile file = file(table, attempt, "new", 5, Route.of("a", 2));
        Removal removal = new Removal(named("a"), named, balance(7, 74));
        PublishAttempt staged = staged(
                attempt,
                table.stage(
                        attempt,
                        PublishMode.REPLACE_PARTITIONS,
                        List.of(file),
                        balance(5, 50),
                        removal));
        assertThat(table.publish(staged, PublishMode.REPLACE_PARTITIONS).outcome())
                .isEqualTo(Published.Outcome.PUBLISHED);

        long main = table.currentSnapshotId();
        assertThat(table.balance()).isEqualTo(balance(8, 80));
        assertThat(table.balanceOf(main)).isEqualTo(balance(8, 80));
        assertThat(table.removedBy(main)).containsExactlyInAnyOrderElementsOf(named);
        assertThat(table.filesOf(main, named("a")))
                .containsExactly(new FileEntry(file.path(), 5, file.bytes(), file.route()));
        assertThat(table.filesOf(main))
                .containsAll(
                        before.stream().filter(entry -> !named.contains(entry)).toList())
                .hasSize(2);
        Snapshot snapshot = lake.foreignTable().snapshot(main);
        assertThat(snapshot.summary())
                .containsEntry("weir.delta.rows", "5")
                .containsEntry("weir.removed.rows", "7")
                .containsEntry("weir.removed.digest", balance(7, 74).digestText())
                .containsEntry("total-records", "8");
    }

    @Test
    void replacesNothingByNothing() {
        LakeTable table = prepare();
        append(table, 1, balance(3, 30), "b");
        PublishAttempt attempt = attempt(table, 2);
        Removal removal = new Removal(named("a"), List.of(), Balance.ZERO);

        PublishAttempt staged = staged(
                attempt,
                table.stage(
                        attempt, PublishMode.REPLACE_PARTITIONS, List.of(), Balance.ZERO, removal));

        assertThat(table.publish(staged, PublishMode.REPLACE_PARTITIONS).outcome())
                .isEqualTo(Published.Outcome.PUBLISHED);
        assertThat(table.balance()).isEqualTo(balance(3, 30));
    }

    @Test
    void otherFilesThanWereMeasuredAreNotReplaced() {
        LakeTable table = prepare();
        append(table, 1, balance(3, 30), "a");
        List<FileEntry> measured = table.filesOf(table.currentSnapshotId(), named("a"));
        append(table, 2, balance(4, 40), "a");

        PublishAttempt attempt = attempt(table, 3);
        assertRefused(
                () -> table.stage(
                        attempt,
                        PublishMode.REPLACE_PARTITIONS,
                        List.of(),
                        Balance.ZERO,
                        new Removal(named("a"), measured, balance(3, 30))),
                ErrorCode.TABLE_MOVED,
                "measured=1",
                "found=2");
    }

    @Test
    void aFileOfAnotherPartitionIsRefused() {
        LakeTable table = prepare();
        PublishAttempt attempt = attempt(table, 1);
        StagedFile file = file(table, attempt, "a", 1, Route.of("b", 0));

        assertRefused(
                () -> table.stage(
                        attempt,
                        PublishMode.REPLACE_PARTITIONS,
                        List.of(file),
                        balance(1, 1),
                        new Removal(named("a"), List.of(), Balance.ZERO)),
                ErrorCode.VALIDATION_FAILED,
                file.path(),
                "file=name=b",
                "replaced=a");
    }

    @Test
    void filesOfAnOlderSpecStopAReplacement() {
        LakeTable table = prepare();
        append(table, 1, balance(3, 30), "a");
        lake.foreignTable().updateSpec().removeField("id_bucket").commit();
        LakeTable evolved = lake.catalog().prepare(TARGET, COLUMNS, KEY, PartitionBy.parse("name"));

        assertRefused(
                () -> evolved.filesOf(evolved.currentSnapshotId(), named("a")),
                ErrorCode.TARGET_SCHEMA_MISMATCH,
                "partitioned otherwise",
                "file=");
    }

    @Test
    void aChangeOfTheSpecRefusesStaging() {
        LakeTable table = prepare();
        PublishAttempt attempt = attempt(table, 1);
        lake.foreignTable().updateSpec().removeField("id_bucket").commit();

        assertRefused(
                () -> table.stage(attempt, PublishMode.APPEND, List.of(), Balance.ZERO),
                ErrorCode.TARGET_SCHEMA_MISMATCH,
                "it is partitioned by name,");
    }
}
