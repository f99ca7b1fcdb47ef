package io.weir.flow.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.route.PartitionBy;
import io.weir.core.row.Column;
import io.weir.table.LogPosition;
import io.weir.table.ReplicaState;

import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.encryption.EncryptedFiles;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Another writer on a replicated table, and the way back to an earlier snapshot. */
class ForeignWriteTest {
    @TempDir
    Path directory;

    private MergeHouse house;

    @BeforeEach
    void open() {
        house = new MergeHouse(directory);
        house.commit("insert 1 anna 10", "insert 2 bert 20", "insert 3 carl 30");
        house.published();
        house.commit("update 1 anna 10 > 1 anna 11", "delete 2 bert 20");
        house.published();
    }

    @AfterEach
    void close() {
        house.close();
    }

    private static DataFile write(Table table, List<Record> records) throws IOException {
        String path = table.location() + "/data/" + UUID.randomUUID() + ".parquet";
        DataWriter<Record> writer = Parquet.writeData(
                        EncryptedFiles.plainAsEncryptedOutput(table.io().newOutputFile(path)))
                .schema(table.schema())
                .withSpec(table.spec())
                .createWriterFunc(GenericParquetWriter::create)
                .build();
        try (writer) {
            records.forEach(writer::write);
        }
        return writer.toDataFile();
    }

    private static List<Record> read(Table table) throws IOException {
        List<Record> records = new ArrayList<>();
        try (CloseableIterable<Record> rows = IcebergGenerics.read(table).build()) {
            rows.forEach(row -> records.add(row.copy()));
        }
        return records;
    }

    /** Puts all rows into one file, as a compaction by another engine does. */
    private void compact(List<Record> records) throws IOException {
        Table table = house.foreignTable();
        RewriteFiles rewrite =
                table.newRewrite().validateFromSnapshot(table.currentSnapshot().snapshotId());
        try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
            tasks.forEach(task -> {
                rewrite.deleteFile(task.file());
                task.deletes().forEach(rewrite::deleteFile);
            });
        }
        rewrite.addFile(write(table, records)).commit();
    }

    @Test
    void compactionThatKeepsEveryRowIsAccepted() throws IOException {
        compact(read(house.foreignTable()));
        assertThat(house.table.unmeasured()).isPresent();
        house.commit("update 3 carl 30 > 3 carl 31");
        house.published();
        assertThat(house.table.unmeasured()).isEmpty();
        assertThat(house.rows()).containsExactly("1 anna 11", "3 carl 31");
        assertThat(house.balances()).isTrue();
    }

    @Test
    void b117_compactionThatBringsDeletedRowsBackStops() throws IOException {
        Table table = house.foreignTable();
        List<Record> records = read(table);
        records.add(records.get(0).copy("id", 2, "name", "bert", "qty", 20));
        compact(records);
        house.commit("update 3 carl 30 > 3 carl 31");
        refused(ErrorCode.TABLE_FOREIGN_WRITE);
    }

    @Test
    void compactionThatLosesARowStops() throws IOException {
        List<Record> records = read(house.foreignTable());
        compact(records.subList(1, records.size()));
        house.commit("insert 4 d 4");
        refused(ErrorCode.TABLE_FOREIGN_WRITE);
    }

    @Test
    void appendStops() throws IOException {
        Table table = house.foreignTable();
        table.newFastAppend().appendFile(write(table, read(table))).commit();
        house.commit("insert 4 d 4");
        refused(ErrorCode.TABLE_FOREIGN_WRITE);
    }

    @Test
    void mainThatAnotherWriterSetBackStops() {
        Table table = house.foreignTable();
        long earlier = table.currentSnapshot().parentId();
        table.manageSnapshots().rollbackTo(earlier).commit();
        house.commit("insert 4 d 4");
        refused(ErrorCode.TABLE_FOREIGN_WRITE);
    }

    private void refused(ErrorCode code) {
        assertThatThrownBy(() -> house.published())
                .isInstanceOfSatisfying(
                        WeirException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void positionAndBalanceGoBackWithTheSnapshot() {
        ReplicaState now = house.table.state();
        long earlier = house.foreignTable().currentSnapshot().parentId();
        ReplicaState back = house.table.rollback(earlier);
        assertThat(back.merged()).isEqualTo(new LogPosition(10, "0/10"));
        assertThat(house.table.state()).isEqualTo(back);
        assertThat(back.balance().rows()).isEqualTo(3);
        assertThat(house.rows()).containsExactly("1 anna 10", "2 bert 20", "3 carl 30");
        house.published();
        assertThat(house.table.state().balance()).isEqualTo(now.balance());
        assertThat(house.rows()).containsExactly("1 anna 11", "3 carl 30");
    }

    @Test
    void snapshotThatIsNoneOfMainIsRefused() {
        assertThatThrownBy(() -> house.table.rollback(42))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.TABLE_MOVED));
    }

    @Test
    void b57_columnOfTheNameOfTheDigestIsRefused() {
        List<Column> columns = List.of(
                MergeHouse.column(1, "id", "integer", Types.IntegerType.get(), true),
                MergeHouse.column(2, "_ROW_HASH", "uuid", Types.UUIDType.get(), false));
        assertThatThrownBy(() -> house.catalog.prepareReplica(
                        "sales.other", columns, List.of("id"), PartitionBy.NOTHING))
                .isInstanceOfSatisfying(WeirException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.TARGET_SCHEMA_MISMATCH);
                    assertThat(e.text()).contains("_ROW_HASH");
                });
        assertThat(house.catalog.tables()).doesNotContain("sales.other");
    }

    @Test
    void tableThatWasNotMadeForReplicationIsRefused() {
        house.catalog.prepare("sales.plain", MergeHouse.COLUMNS, List.of("id"));
        assertThatThrownBy(() -> house.catalog.replica("sales.plain"))
                .isInstanceOfSatisfying(WeirException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.TARGET_SCHEMA_MISMATCH);
                    assertThat(e.text()).contains("not made for replication");
                });
    }
}
