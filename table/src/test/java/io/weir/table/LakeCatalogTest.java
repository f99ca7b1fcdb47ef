package io.weir.table;

import static io.weir.table.LakeFixture.COLUMNS;
import static io.weir.table.LakeFixture.KEY;
import static io.weir.table.LakeFixture.TARGET;
import static io.weir.table.LakeFixture.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.route.PartitionBy;
import io.weir.core.row.Balance;
import io.weir.core.row.Column;

import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

class LakeCatalogTest {
    @TempDir
    Path warehouse;

    private LakeFixture lake;
    private LakeCatalog catalog;

    @BeforeEach
    void open() {
        lake = new LakeFixture(warehouse);
        catalog = lake.catalog();
    }

    @AfterEach
    void close() {
        lake.close();
    }

    @Test
    void createsTheTableWithFieldIdsPropertiesAndAnEmptySnapshot() {
        LakeTable table = catalog.prepare(TARGET, COLUMNS, KEY);

        assertThat(table.target()).isEqualTo("sales.orders");
        assertThat(table.dataRoot()).isEqualTo("file://" + warehouse + "/sales/orders/data");
        assertThat(table.schema().columns()).extracting(Column::fieldId).containsExactly(1, 2, 3);
        assertThat(table.schema().key()).containsExactly("id");
        Table made = lake.foreignTable();
        assertThat(made.currentSnapshot().snapshotId()).isEqualTo(table.currentSnapshotId());
        assertThat(made.currentSnapshot().summary())
                .containsEntry("weir.balance.rows", "0")
                .containsEntry("weir.balance.digest", "00000000000000000000000000000000");
        assertThat(made.schema().identifierFieldNames()).containsExactly("id");
        assertThat(made.properties())
                .containsEntry("weir.digest", "1")
                .containsEntry("weir.source-type.1", "bigint")
                .containsEntry("weir.source-type.3", "numeric(12,2)")
                .containsEntry("commit.retry.num-retries", "0")
                .containsEntry("write.parquet.compression-codec", "zstd")
                .containsEntry("write.metadata.delete-after-commit.enabled", "true")
                .containsEntry("write.metadata.previous-versions-max", "100")
                .containsEntry("weir.snapshots.max", "1000");
        assertThat(((HasTableOperations) made).operations().current())
                .returns(2, metadata -> metadata.formatVersion())
                .returns(true, metadata -> metadata.spec().isUnpartitioned());
        assertThat(table.balance()).isEqualTo(Balance.ZERO);
    }

    @Test
    void keyThatMayBeNullIdentifiesNothing() {
        LakeTable table = catalog.prepare(TARGET, COLUMNS, List.of("id", "name"));

        assertThat(table.schema().key()).containsExactly("id", "name");
        assertThat(lake.foreignTable().schema().identifierFieldIds()).isEmpty();
    }

    @Test
    void matchesAnExistingTableInTheOrderOfTheSource() {
        LakeTable first = catalog.prepare(TARGET, COLUMNS, KEY);
        List<Column> reordered = List.of(COLUMNS.get(2), COLUMNS.get(0), COLUMNS.get(1));

        LakeTable again = catalog.prepare(TARGET, reordered, KEY);

        assertThat(again.schema().names()).containsExactly("amount", "id", "name");
        assertThat(again.schema().columns()).extracting(Column::fieldId).containsExactly(3, 1, 2);
        assertThat(again.currentSnapshotId()).isEqualTo(first.currentSnapshotId());
    }

    @Test
    void loadKnowsColumnsSourceTypesAndKeyFromTheTable() {
        catalog.prepare(TARGET, COLUMNS, KEY);

        LakeTable loaded = catalog.load(TARGET);

        assertThat(loaded.schema().names()).containsExactly("id", "name", "amount");
        assertThat(loaded.schema().column("amount").sourceType()).isEqualTo("numeric(12,2)");
        assertThat(loaded.schema().column("id").required()).isTrue();
        assertThat(loaded.schema().key()).containsExactly("id");
    }

    @Test
    void planChangesNothing() throws Exception {
        TablePlan plan = catalog.plan(TARGET, COLUMNS, KEY);

        assertThat(plan)
                .isEqualTo(new TablePlan(
                        TablePlan.Action.CREATE,
                        "file://" + warehouse + "/sales/orders",
                        PartitionBy.NOTHING,
                        List.of()));
        assertThat(catalog.tables()).isEmpty();
        try (var files = Files.list(warehouse)) {
            assertThat(files).isEmpty();
        }
        catalog.prepare(TARGET, COLUMNS, KEY);
        assertThat(catalog.plan(TARGET, COLUMNS, KEY).action()).isEqualTo(TablePlan.Action.MATCH);
    }

    @Test
    void mismatchListsEveryDifferenceAtOnce() {
        catalog.prepare(TARGET, COLUMNS, KEY);
        List<Column> other = List.of(
                column("id", "integer", Types.IntegerType.get(), false),
                column("name", "character varying(20)", Types.StringType.get(), false),
                column("added", "text", Types.StringType.get(), false));
        List<String> differences = List.of(
                "column id is long in the table, the source needs int",
                "column id is required in the table, the source may send NULL",
                "column id was loaded from type bigint, the source now has integer",
                "column name was loaded from type text, the source now has"
                        + " character varying(20)",
                "column added is missing in the table",
                "column amount of the table has no source column");

        TablePlan plan = catalog.plan(TARGET, other, List.of());

        assertThat(plan.action()).isEqualTo(TablePlan.Action.MISMATCH);
        assertThat(plan.differences()).isEqualTo(differences);
        assertThatThrownBy(() -> catalog.prepare(TARGET, other, List.of()))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.TARGET_SCHEMA_MISMATCH))
                .hasMessage(
                        "Cannot load into table sales.orders: " + String.join("; ", differences));
    }

    @Test
    void requiredSourceFitsANullableTableAndOtherScalesDoNot() {
        catalog.prepare(TARGET, COLUMNS, KEY);
        List<Column> stricter = new ArrayList<>(COLUMNS);
        stricter.set(1, column("name", "text", Types.StringType.get(), true));
        assertThat(catalog.plan(TARGET, stricter, KEY).action()).isEqualTo(TablePlan.Action.MATCH);
        stricter.set(2, column("amount", "numeric(12,2)", Types.DecimalType.of(12, 3), false));

        assertThat(catalog.plan(TARGET, stricter, KEY).differences())
                .containsExactly("column amount is decimal(12, 2) in the table, the source needs"
                        + " decimal(12, 3)");
    }

    @Test
    void tableOfAnotherMakerIsRefusedWithWhatToDo() {
        lake.foreignCatalog().createNamespace(Namespace.of("sales"));
        lake.foreignCatalog()
                .createTable(
                        TableIdentifier.parse(TARGET),
                        new Schema(Types.NestedField.required(1, "id", Types.LongType.get())));

        assertThatThrownBy(() -> catalog.prepare(TARGET, COLUMNS, KEY))
                .hasMessage("Cannot load into table sales.orders: it was not created by Weir"
                        + " (property weir.digest is missing)")
                .isInstanceOfSatisfying(WeirException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.TARGET_SCHEMA_MISMATCH);
                    assertThat(e.hint())
                            .isEqualTo("Load into another table, or drop this one and let"
                                    + " Weir create it.");
                });
    }

    @Test
    void missingTableIsNotFound() {
        assertThatThrownBy(() -> catalog.load("sales.none"))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.TARGET_TABLE_NOT_FOUND))
                .hasMessage("Cannot load table sales.none: Table does not exist: sales.none");
    }

    @Test
    void tableWhoseMetadataWasDeletedIsUnreadable() throws IOException {
        catalog.prepare(TARGET, COLUMNS, KEY);
        String metadata = lake.metadataLocation();
        Files.delete(LocalFileIO.pathOf(metadata));

        assertThatThrownBy(() -> catalog.load(TARGET))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_UNREADABLE))
                .hasMessage("Cannot load table sales.orders: Cannot read file " + metadata
                        + ": it does not exist");
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders", "a.b.c", "a/b.c", "..", "a.", "a.\tb", "a.b\\c", ""})
    void nameThatIsNoTableNameIsInvalid(String target) {
        assertThatThrownBy(() -> catalog.prepare(target, COLUMNS, KEY))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID))
                .hasMessage("Invalid target " + target + ": namespace.table, without slashes");
    }

    @Test
    void columnsAndKeyMustMakeSense() {
        List<Column> twice = List.of(COLUMNS.get(0), COLUMNS.get(0));
        assertThatThrownBy(() -> catalog.plan(TARGET, twice, KEY))
                .hasMessage("Cannot use table sales.orders: column id comes twice from the source");
        assertThatThrownBy(() -> catalog.plan(TARGET, COLUMNS, List.of("nope")))
                .hasMessageStartingWith(
                        "Cannot use table sales.orders: a key column is not among the columns"
                                + " (key=[nope], columns=");
    }

    @Test
    void listsTablesSorted() {
        catalog.prepare("sales.orders", COLUMNS, KEY);
        catalog.prepare("crm.people", COLUMNS, KEY);
        catalog.prepare("sales.items", COLUMNS, KEY);

        assertThat(catalog.tables()).containsExactly("crm.people", "sales.items", "sales.orders");
    }

    @Test
    void severalProcessesMayPrepareTheSameTableAtOnce() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            List<Future<Long>> snapshots = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                snapshots.add(pool.submit(this::prepareInACatalogOfItsOwn));
            }
            long first = snapshots.get(0).get(60, TimeUnit.SECONDS);
            for (Future<Long> snapshot : snapshots) {
                assertThat(snapshot.get(60, TimeUnit.SECONDS)).isEqualTo(first);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private long prepareInACatalogOfItsOwn() {
        try (LakeCatalog own = LakeCatalog.open(lake.config())) {
            return own.prepare(TARGET, COLUMNS, KEY).currentSnapshotId();
        }
    }
}
