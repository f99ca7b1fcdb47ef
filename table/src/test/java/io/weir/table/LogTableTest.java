package io.weir.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** Positions of change logs and who may move them. */
class LogTableTest {
    private static final String TARGET = "sales.orders_log";
    private static final LogPosition ONE = new LogPosition(10, "0/A");
    private static final LogPosition TWO = new LogPosition(20, "0/14");

    @TempDir
    private Path warehouse;

    private LakeFixture lake;
    private LogTable log;

    @BeforeEach
    void open() {
        lake = new LakeFixture(warehouse);
        log = prepare();
    }

    @AfterEach
    void close() {
        lake.close();
    }

    private LogTable prepare() {
        // Digests are computed with the ids of the target, whatever the log calls its fields.
        return lake.catalog().prepareLog(TARGET, "public.orders", rows(5));
    }

    private static RowSchema rows(int firstId) {
        List<Column> columns = LakeFixture.COLUMNS.stream()
                .map(column -> column.withFieldId(firstId + LakeFixture.COLUMNS.indexOf(column)))
                .toList();
        return new RowSchema(columns, LakeFixture.KEY);
    }

    private StagedFile file(long epoch, LogPosition to) {
        String path = log.fileLocation(epoch, to.place());
        return StagedFile.of(path, 1, LakeFixture.write(path));
    }

    private Table foreign() {
        return lake.foreignCatalog().loadTable(TableIdentifier.parse(TARGET));
    }

    @Test
    void theTableTellsWhatItIsALogOf() {
        assertThat(log.schema().names())
                .containsExactly(
                        "place",
                        "ordinal",
                        "transaction",
                        "committed",
                        "op",
                        "before",
                        "after",
                        "before_digest",
                        "after_digest",
                        "before_missing",
                        "after_missing");
        assertThat(log.image(LogColumn.AFTER).type().asStructType().fields())
                .extracting(Types.NestedField::name)
                .containsExactly("id", "name", "amount");
        assertThat(foreign().properties())
                .containsEntry("weir.log.source", "public.orders")
                .containsEntry("weir.log.field.5", "id")
                .containsEntry("weir.log.type.7", "numeric(12,2)")
                .containsEntry("weir.digest", "1");
        assertThat(log.position()).isEqualTo(LogPosition.NONE);
    }

    @Test
    void theSameAppendAgainFindsTheFirstOne() {
        long epoch = log.claim();
        StagedFile file = file(epoch, ONE);
        long snapshot = log.append(epoch, LogPosition.NONE, ONE, file);
        assertThat(log.append(epoch, LogPosition.NONE, ONE, file)).isEqualTo(snapshot);
        assertThat(log.files()).hasSize(1);
        assertThat(prepare().position()).isEqualTo(ONE);
    }

    @Test
    void anOlderClaimAndAnotherPositionAreRefused() {
        long old = log.claim();
        long epoch = log.claim();
        assertThat(epoch).isEqualTo(old + 1);
        refused("(epoch=1, claimed=2)", old, LogPosition.NONE, ONE);
        log.append(epoch, LogPosition.NONE, TWO, file(epoch, TWO));
        refused("(expected=, found=0/14)", epoch, LogPosition.NONE, new LogPosition(30, "0/1E"));
        assertThat(log.files()).hasSize(1);
    }

    private void refused(String fact, long epoch, LogPosition from, LogPosition to) {
        assertThatThrownBy(() -> log.append(epoch, from, to, file(epoch, to)))
                .isInstanceOfSatisfying(WeirException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.TABLE_MOVED);
                    assertThat(e).hasMessageContaining(fact);
                });
    }

    @Test
    void onlyFilesBehindAPlaceAreListed() {
        long epoch = log.claim();
        log.append(epoch, LogPosition.NONE, ONE, file(epoch, ONE));
        log.append(epoch, ONE, TWO, file(epoch, TWO));
        String first = log.fileLocation(epoch, ONE.place());
        String second = log.fileLocation(epoch, TWO.place());

        assertThat(log.files()).extracting(FileEntry::path).containsOnly(first, second);
        assertThat(log.files(ONE.place() - 1))
                .extracting(FileEntry::path)
                .containsOnly(first, second);
        assertThat(log.files(ONE.place())).extracting(FileEntry::path).containsExactly(second);
        assertThat(log.files(TWO.place())).isEqualTo(List.of());
    }

    @Test
    void whatNoSnapshotTellsIsListed() {
        long epoch = log.claim();
        log.append(epoch, LogPosition.NONE, ONE, file(epoch, ONE));
        log.append(epoch, ONE, TWO, file(epoch, TWO));
        foreign()
                .expireSnapshots()
                .expireOlderThan(Long.MAX_VALUE)
                .retainLast(1)
                .commit();

        assertThat(log.files(ONE.place())).hasSize(2);
        assertThat(log.files(TWO.place())).isEqualTo(List.of());
    }

    @Test
    void aForeignSnapshotHidesNoPositionAndAForgottenOneIsNotGuessed() {
        long epoch = log.claim();
        log.append(epoch, LogPosition.NONE, ONE, file(epoch, ONE));
        foreign().newFastAppend().commit();
        assertThat(log.position()).isEqualTo(ONE);
        foreign()
                .expireSnapshots()
                .expireOlderThan(Long.MAX_VALUE)
                .retainLast(1)
                .commit();
        assertThatThrownBy(log::position)
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.TABLE_FOREIGN_WRITE));
    }

    @Test
    void otherRowsAreNotTheSameLog() {
        assertThatThrownBy(() -> lake.catalog().prepareLog(TARGET, "public.orders", rows(6)))
                .isInstanceOfSatisfying(WeirException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.TARGET_SCHEMA_MISMATCH);
                    assertThat(e).hasMessageContaining("weir.log.field.6 is name, not id");
                });
    }
}
