package io.weir.table;

import static io.weir.table.LakeFixture.COLUMNS;
import static io.weir.table.LakeFixture.KEY;
import static io.weir.table.LakeFixture.TARGET;
import static io.weir.table.LakeFixture.attempt;
import static io.weir.table.LakeFixture.balance;
import static io.weir.table.LakeFixture.stageOne;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishMode;
import io.weir.core.route.PartitionBy;
import io.weir.core.row.Column;

import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** Columns that loads see before readers do. */
class NextSchemaTest {
    private static final List<Column> OTHERS = List.of(
            LakeFixture.column("id", "bigint", Types.LongType.get(), true),
            LakeFixture.column("label", "text", Types.StringType.get(), false),
            LakeFixture.column("amount", "numeric(14,2)", Types.DecimalType.of(14, 2), false));

    @TempDir
    Path directory;

    private LakeFixture lake;

    @BeforeEach
    void open() {
        lake = new LakeFixture(directory);
        lake.catalog().prepareReplica(TARGET, COLUMNS, KEY, PartitionBy.NOTHING);
    }

    @AfterEach
    void close() {
        lake.close();
    }

    private List<String> names() {
        return lake.catalog().replica(TARGET).rows().names();
    }

    @Test
    void loadsSeeThemAndReadersDoNot() {
        lake.catalog().announce(TARGET, OTHERS, KEY);
        LakeTable loading = lake.catalog().loading(TARGET);

        assertThat(names()).containsExactly("id", "name", "amount");
        assertThat(loading.schema().names()).containsExactly("id", "label", "amount");
        assertThat(loading.schema().columns()).extracting(Column::fieldId).containsExactly(1, 5, 3);
        assertThat(loading.schema().column("amount").sourceType()).isEqualTo("numeric(14,2)");
        assertThat(lake.catalog().load(TARGET).schema().column("amount").sourceType())
                .isEqualTo("numeric(12,2)");
    }

    @Test
    void theyAreShownWithTheRows() {
        lake.catalog().announce(TARGET, OTHERS, KEY);
        LakeTable loading = lake.catalog().loading(TARGET);
        PublishAttempt attempt =
                stageOne(loading, attempt(loading, 1), PublishMode.REPLACE, balance(3, 7));

        assertThat(names()).containsExactly("id", "name", "amount");
        Published published = loading.publish(attempt, PublishMode.REPLACE);

        assertThat(published.outcome()).isEqualTo(Published.Outcome.PUBLISHED);
        assertThat(names()).containsExactly("id", "label", "amount");
        Table table = lake.foreignTable();
        Snapshot main = table.currentSnapshot();
        assertThat(main.snapshotId()).isEqualTo(attempt.stagedSnapshotId());
        assertThat(main.schemaId()).isEqualTo(table.schema().schemaId());
        assertThat(table.schema().findField("_row_hash").fieldId()).isEqualTo(4);
        assertThat(table.properties())
                .containsEntry("weir.source-type.5", "text")
                .doesNotContainKey("weir.next.schema");
    }

    @Test
    void whatTheTableHasTakesThemBack() {
        lake.catalog().announce(TARGET, OTHERS, KEY);
        lake.catalog().announce(TARGET, COLUMNS, KEY);

        assertThat(lake.catalog().loading(TARGET).schema())
                .isEqualTo(lake.catalog().load(TARGET).schema());
        assertThat(lake.foreignTable().properties().keySet())
                .noneMatch(name -> name.startsWith("weir.next."));
    }

    /** Where rows come from is known once they are there, also if the columns stay. */
    @Test
    void theirSourceIsNotedWithTheRows() {
        List<Column> renewed = COLUMNS.stream()
                .map(column -> column.withSourceMark("7/" + column.name()))
                .toList();
        ReplicaTable replica = lake.catalog().replica(TARGET);
        replica.mark(COLUMNS.stream()
                .map(column -> column.withSourceMark("6/" + column.name()))
                .toList());
        replica.announceSource(renewed);
        LakeTable loading = lake.catalog().loading(TARGET);

        assertThat(sourceMarks()).containsExactly("6/id", "6/name", "6/amount");
        assertThat(loading.schema().column("name").sourceMark()).isEqualTo("7/name");
        assertThat(loading.schema().names()).isEqualTo(names());
        PublishAttempt attempt =
                stageOne(loading, attempt(loading, 1), PublishMode.REPLACE, balance(3, 7));
        assertThat(sourceMarks()).containsExactly("6/id", "6/name", "6/amount");
        loading.publish(attempt, PublishMode.REPLACE);

        assertThat(sourceMarks()).containsExactly("7/id", "7/name", "7/amount");
        assertThat(lake.foreignTable().properties().keySet())
                .noneMatch(name -> name.startsWith("weir.next."));
    }

    private List<@Nullable String> sourceMarks() {
        return lake.catalog().replica(TARGET).rows().columns().stream()
                .map(Column::sourceMark)
                .toList();
    }

    @Test
    void aPartitionedColumnMustStay() {
        String target = "sales.parts";
        lake.catalog().prepareReplica(target, COLUMNS, KEY, PartitionBy.parse("name"));

        assertThatThrownBy(() -> lake.catalog().announce(target, OTHERS, KEY))
                .isInstanceOfSatisfying(WeirException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.TARGET_SCHEMA_MISMATCH);
                    assertThat(e.text())
                            .contains("it is partitioned by column name, which the source no longer"
                                    + " has as it was");
                });
    }
}
