package io.weir.source.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.row.Balance;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;
import io.weir.core.run.Bound;
import io.weir.core.run.KeyRange;
import io.weir.source.ChunkTotals;
import io.weir.source.PartitionRows;
import io.weir.source.SourceSnapshot;
import io.weir.source.SplitOptions;
import io.weir.source.SplitProof;
import io.weir.source.TableSpec;

import org.apache.arrow.vector.ipc.ArrowReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Partitions and chunks: what they hold together is the table, each row once. */
class SplitReadTest {
    private static final Shop SHOP = new Shop();
    private static final SplitOptions SMALL = new SplitOptions(32 << 10, 50);

    @BeforeAll
    static void createTables() {
        String rows = " select i, repeat('x', 100) from generate_series(1, 5000) i";
        SHOP.database.execute(
                "create table plain (id int, note text)",
                "insert into plain" + rows,
                "delete from plain where id between 1000 and 3000",
                "insert into plain select i, 'short' from generate_series(10001, 10100) i",
                "create table parted (id int, note text) partition by range (id)",
                "create table parted_a partition of parted for values from (0) to (100)",
                "create table parted_b partition of parted for values from (100) to (4900)",
                "create table parted_c partition of parted for values from (4900) to (9999)"
                        + " partition by list (note)",
                "create table parted_d partition of parted_c default",
                "insert into parted" + rows,
                "create table parent (id int, note text)",
                "create table child (extra int) inherits (parent)",
                "create table grandchild () inherits (child)",
                "insert into parent" + rows + " where i <= 100",
                "insert into child" + rows + " where i between 101 and 4000",
                "insert into grandchild" + rows + " where i > 4000",
                "create view peek as select * from plain where id % 2 = 0",
                "create materialized view stored as select * from plain",
                "create table nothing (id int, note text)");
    }

    private static List<String> sortedIds(Shop.Contents contents) {
        return contents.column(0).stream().map(String::valueOf).sorted().toList();
    }

    private static List<String> expectedIds(String table) {
        String ids = SHOP.database.text(
                "select coalesce(string_agg(id::text, ',' order by id::text collate \"C\"), '')"
                        + " from " + table);
        return ids.isEmpty() ? List.of() : List.of(ids.split(",", -1));
    }

    @ParameterizedTest
    @CsvSource({
        "plain, 10, 50",
        "parted, 10, 50",
        "parent, 10, 50",
        "stored, 5, 50",
        "peek, 1, 1",
        "nothing, 1, 1",
    })
    void theUnionOfAllPartitionsIsTheTable(String table, int partitionsMin, int partitionsMax) {
        TableSpec spec = TableSpec.of(table);
        try (SourceSnapshot snapshot = SHOP.snapshot(spec)) {
            List<KeyRange> ranges = snapshot.split(spec, SMALL);
            assertThat(ranges).hasSizeBetween(partitionsMin, partitionsMax);
            assertThat(SplitProof.violations(ranges, 50)).isEmpty();

            Shop.Contents split = Shop.read(snapshot, spec, SMALL, Shop.CHUNK_BYTES);
            Shop.Contents whole =
                    Shop.read(snapshot, spec, new SplitOptions(1L << 40, 1), Shop.CHUNK_BYTES);

            assertThat(whole.partitions()).isEqualTo(1);
            assertThat(sortedIds(split)).isEqualTo(expectedIds(table));
            assertThat(sortedIds(whole)).isEqualTo(expectedIds(table));
            assertThat(split.balance()).isEqualTo(whole.balance());
            assertThat(split.balance().rows()).isEqualTo(split.rows().size());
        }
    }

    @Test
    void showsTheStatementOfEachPartition() {
        TableSpec spec = new TableSpec("plain", List.of("note"), Map.of());
        try (SourceSnapshot snapshot = SHOP.source().openSnapshot(List.of(spec), 0)) {
            assertThat(snapshot.sql(spec, KeyRange.ALL))
                    .isEqualTo("copy (select \"id\" from \"public\".\"plain\") to stdout"
                            + " (format binary)");
            Bound five = new Bound("ctid", "(5,0)");
            Bound nine = new Bound("ctid", "(9,0)");
            assertThat(snapshot.sql(spec, KeyRange.between(null, five)))
                    .contains(" where ctid < '(5,0)'::tid) ");
            assertThat(snapshot.sql(spec, KeyRange.between(five, nine)))
                    .contains(" where ctid >= '(5,0)'::tid and ctid < '(9,0)'::tid) ");
            assertThat(snapshot.sql(spec, KeyRange.between(nine, null)))
                    .contains(" where ctid >= '(9,0)'::tid) ");
        }
    }

    @Test
    void refusesBoundsThatAreNoBlocks() {
        TableSpec spec = TableSpec.of("plain");
        try (SourceSnapshot snapshot = SHOP.snapshot(spec)) {
            Bound evil = new Bound("ctid", "(0,0)'::tid or true --");
            assertThatThrownBy(() -> snapshot.sql(spec, KeyRange.between(evil, null)))
                    .hasMessage("Cannot read a range: its bound is no ctid (kind=ctid,"
                            + " text=(0,0)'::tid or true --)");
            assertThatThrownBy(() ->
                            snapshot.sql(spec, KeyRange.between(new Bound("id", "(0,0)"), null)))
                    .hasMessage("Cannot read a range: its bound is no ctid (kind=id, text=(0,0))");
            assertThatThrownBy(() -> snapshot.sql(spec, KeyRange.NULLS))
                    .hasMessage("Cannot read a range of NULLs: ctid is never NULL");
        }
    }

    @Test
    void smallBudgetsMakeChunksWhoseTotalsAddUp() {
        TableSpec spec = TableSpec.of("plain");
        try (SourceSnapshot snapshot = SHOP.snapshot(spec)) {
            SplitOptions one = new SplitOptions(1L << 40, 1);
            Shop.Contents whole = Shop.read(snapshot, spec, one, Shop.CHUNK_BYTES);
            for (long budget : new long[] {1, 1_000, 100_000}) {
                Shop.Contents cut = Shop.read(snapshot, spec, one, budget);
                assertThat(cut.rows()).isEqualTo(whole.rows());
                assertThat(cut.balance()).isEqualTo(whole.balance());
                assertThat(cut.chunks().stream()
                                .mapToLong(ChunkTotals::sourceBytes)
                                .sum())
                        .isEqualTo(whole.chunks().get(0).sourceBytes());
                List<ChunkTotals> allButLast =
                        cut.chunks().subList(0, cut.chunks().size() - 1);
                assertThat(allButLast)
                        .allMatch(chunk -> chunk.sourceBytes() >= budget
                                && chunk.sourceBytes() < budget + 200
                                && chunk.rows() == chunk.balance().rows());
                assertThat(cut.chunks().get(cut.chunks().size() - 1).rows()).isPositive();
            }
        }
    }

    @Test
    void anEmptyPartitionIsExhaustedAtOnceAndHasAnEmptyChunk() throws IOException {
        TableSpec spec = TableSpec.of("nothing");
        try (SourceSnapshot snapshot = SHOP.snapshot(spec);
                PartitionRows rows = snapshot.reader(0)
                        .read("nothing", snapshot.table(spec).schema(), KeyRange.ALL)) {
            assertThat(rows.exhausted()).isTrue();
            try (ArrowReader chunk = rows.nextChunk(1)) {
                assertThat(chunk.getVectorSchemaRoot().getSchema().getFields()).hasSize(2);
                assertThat(chunk.loadNextBatch()).isFalse();
                assertThat(chunk.loadNextBatch()).isFalse();
            }
            assertThat(rows.totals()).isEqualTo(new ChunkTotals(0, 0, Balance.ZERO, List.of()));
        }
    }

    @Test
    void refusesToBeMisused() throws IOException {
        TableSpec spec = TableSpec.of("plain");
        try (SourceSnapshot snapshot = SHOP.snapshot(spec);
                PartitionRows rows = snapshot.reader(0)
                        .read("plain", snapshot.table(spec).schema(), KeyRange.ALL)) {
            assertThatThrownBy(rows::totals)
                    .hasMessage("Cannot read table public.plain: no chunk was drained");
            assertThatThrownBy(() -> rows.nextChunk(0))
                    .hasMessage("Cannot read table public.plain: a chunk needs at least one byte");
            try (ArrowReader chunk = rows.nextChunk(1)) {
                assertThat(rows.exhausted()).isFalse();
                assertThatThrownBy(() -> rows.nextChunk(1))
                        .hasMessage("Cannot read table public.plain: the chunk before was not"
                                + " drained, or the partition is closed or failed");
                assertThat(chunk.loadNextBatch()).isTrue();
            }
        }
    }

    /** A consumer may keep the batch before, as DuckDB does. */
    @Test
    void neverRewritesABatchThatWasHandedOut() throws IOException {
        SHOP.database.execute(
                "create table many as select i as id from generate_series(1, 40000) i");
        TableSpec spec = TableSpec.of("many");
        try (SourceSnapshot snapshot = SHOP.snapshot(spec);
                PartitionRows rows = snapshot.reader(0)
                        .read("many", snapshot.table(spec).schema(), KeyRange.ALL);
                ArrowReader chunk = rows.nextChunk(Shop.CHUNK_BYTES)) {
            assertThat(chunk.loadNextBatch()).isTrue();
            var kept = chunk.getVectorSchemaRoot().getVector(0).getDataBuffer();
            kept.getReferenceManager().retain();
            try {
                assertThat(chunk.loadNextBatch()).isTrue();
                assertThat(kept.getInt(0)).isEqualTo(1);
                assertThat(kept.getInt(4L * 9_999)).isEqualTo(10_000);
            } finally {
                kept.getReferenceManager().release();
            }
        }
    }

    @Test
    void countsRowsAndBytesWhileReading() throws IOException {
        TableSpec spec = TableSpec.of("plain");
        try (SourceSnapshot snapshot = SHOP.snapshot(spec);
                PartitionRows rows = snapshot.reader(0)
                        .read("plain", snapshot.table(spec).schema(), KeyRange.ALL)) {
            assertThat(rows.rowsRead()).isZero();
            try (ArrowReader chunk = rows.nextChunk(50_000)) {
                Shop.drain(chunk, new ArrayList<>());
            }
            assertThat(rows.rowsRead()).isEqualTo(rows.totals().rows());
            assertThat(rows.bytesRead())
                    .isEqualTo(rows.totals().sourceBytes())
                    .isGreaterThan(49_999);
        }
    }

    /** The table of the lake numbers its fields as it likes; the digest follows its numbers. */
    @Test
    void digestsInTheOrderOfFieldIds() {
        SHOP.database.execute(
                "create table ab (a int, b text)", "insert into ab values (1, 'x')",
                "create table ba (b text, a int)", "insert into ba values ('x', 1)");
        assertThat(balance("ab", 7, 3)).isEqualTo(balance("ba", 3, 7));
        assertThat(balance("ab", 7, 3)).isNotEqualTo(balance("ab", 3, 7));
    }

    private static Balance balance(String table, int... fieldIds) {
        TableSpec spec = TableSpec.of(table);
        try (SourceSnapshot snapshot = SHOP.snapshot(spec)) {
            List<Column> columns = new ArrayList<>();
            for (Column column : snapshot.table(spec).columns()) {
                columns.add(column.withFieldId(fieldIds[columns.size()]));
            }
            RowSchema schema = new RowSchema(columns, List.of());
            try (PartitionRows rows = snapshot.reader(0).read(table, schema, KeyRange.ALL);
                    ArrowReader chunk = rows.nextChunk(Shop.CHUNK_BYTES)) {
                Shop.drain(chunk, new ArrayList<>());
                return rows.totals().balance();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void readsNamesThatNeedQuotes() {
        SHOP.database.execute(
                "create schema \"My \"\"Schema\"",
                "create table \"My \"\"Schema\".\"select\" (\"from\" int, \"a b\" int,"
                        + " \"ÜÑ\" int, \"q\"\"q\" int, _id int, \"no#\" int,"
                        + " \"PROTOCOL_VERSION\" int)",
                "insert into \"My \"\"Schema\".\"select\" values (1, 2, 3, 4, 5, 6, 7)");
        TableSpec spec = TableSpec.of("\"My \"\"Schema\".\"select\"");
        assertThat(SHOP.read(spec).rows()).containsExactly(List.of(1, 2, 3, 4, 5, 6, 7));
    }

    @Test
    void readsAThousandColumnsWithNulls() {
        String columns = IntStream.range(0, 1_000)
                .mapToObj(i -> "c" + i + (i % 2 == 0 ? " int" : " text"))
                .collect(Collectors.joining(", "));
        String values = IntStream.range(0, 1_000)
                .mapToObj(i -> i % 3 == 0 ? "null" : i % 2 == 0 ? "i" : "'v' || i")
                .collect(Collectors.joining(", "));
        SHOP.database.execute(
                "create table wide (" + columns + ")",
                "insert into wide select " + values + " from generate_series(1, 3000) i");
        Shop.Contents contents = SHOP.read(TableSpec.of("wide"));
        assertThat(contents.rows()).hasSize(3_000);
        for (int row = 0; row < 3_000; row += 997) {
            List<@Nullable Object> expected = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                Object value = i % 2 == 0 ? (Object) (row + 1) : "v" + (row + 1);
                expected.add(i % 3 == 0 ? null : value);
            }
            assertThat(contents.rows().get(row)).isEqualTo(expected);
        }
    }

    @Test
    void readsRowsOfNullsAndValuesOfMegabytes() {
        SHOP.database.execute(
                "create table large (id int, body text)",
                "insert into large select null, null from generate_series(1, 10)",
                "insert into large values (1, repeat('ab', 10000000))",
                "insert into large select i, repeat('c', 3000000) from generate_series(2, 12) i");
        Shop.Contents contents = SHOP.read(TableSpec.of("large"));
        assertThat(contents.rows().subList(0, 10)).containsOnly(Arrays.asList(null, null));
        assertThat(contents.rows().get(10)).isEqualTo(List.of(1, "ab".repeat(10_000_000)));
        assertThat(contents.column(1).subList(11, 22)).containsOnly("c".repeat(3_000_000));
    }

    @Test
    void readsGeneratedAndSkipsDroppedColumns() {
        SHOP.database.execute(
                "create table shaped (a int, gone text, b int generated always as (a * 2) stored)",
                "alter table shaped drop column gone",
                "insert into shaped values (21)");
        assertThat(SHOP.read(TableSpec.of("shaped")).rows()).containsExactly(List.of(21, 42));
    }

    @Test
    void readsSeveralTablesAtOneState() {
        List<String> order = new ArrayList<>(List.of("plain", "parted", "parent"));
        Collections.reverse(order);
        TableSpec[] specs = order.stream().map(TableSpec::of).toArray(TableSpec[]::new);
        try (SourceSnapshot snapshot = SHOP.snapshot(specs)) {
            for (TableSpec spec : specs) {
                assertThat(sortedIds(Shop.read(snapshot, spec, SMALL, Shop.CHUNK_BYTES)))
                        .isEqualTo(expectedIds(spec.table()));
            }
        }
    }
}
