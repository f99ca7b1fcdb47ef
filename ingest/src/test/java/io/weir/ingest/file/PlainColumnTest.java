package io.weir.ingest.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.route.PartitionBy;
import io.weir.core.route.Route;
import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;
import io.weir.core.row.RowSchema;
import io.weir.ingest.row.RoutedRows;
import io.weir.ingest.row.Row;
import io.weir.ingest.row.RowChunk;
import io.weir.table.LocalFileIO;
import io.weir.table.StagedFile;

import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What is written without Parquet's writers is what Parquet's readers find. */
class PlainColumnTest {
    private static final long SEED = 2;
    private static final int TEXT = 8;
    private static final RowSchema SCHEMA = new RowSchema(
            List.of(
                    column(1, "id", Types.IntegerType.get(), true),
                    column(2, "number", Types.LongType.get(), false),
                    column(3, "ratio", Types.DoubleType.get(), false),
                    column(4, "small", Types.FloatType.get(), false),
                    column(5, "price", Types.DecimalType.of(9, 2), false),
                    column(6, "sum", Types.DecimalType.of(18, 2), false),
                    column(7, "wide", Types.DecimalType.of(38, 2), false),
                    column(8, "name", Types.UUIDType.get(), false),
                    column(9, "text", Types.StringType.get(), false),
                    column(10, "flag", Types.BooleanType.get(), false),
                    column(11, "kind", Types.StringType.get(), false)),
            List.of());

    @TempDir
    Path directory;

    private static Column column(int id, String name, Type type, boolean required) {
        return new Column(id, name, type.toString(), type, required, LossPolicy.FAIL);
    }

    /** Columns are NULL as a share of rows says; the last one has few values. */
    private static void fill(Row row, int id, Random random, double nulls, int textBytes) {
        row.reset();
        row.setLong(0, id);
        List<Runnable> setters = List.of(
                () -> row.setLong(1, random.nextLong()),
                () -> row.setDouble(2, random.nextGaussian()),
                () -> row.setDouble(3, random.nextFloat()),
                () -> row.setDecimal(4, random.nextInt(1_000_000_000), 2),
                () -> row.setDecimal(5, random.nextInt(), 2),
                () -> row.setDecimal(6, new BigDecimal(new BigInteger(120, random).negate(), 2)),
                () -> row.setUuid(7, random.nextLong(), random.nextLong()),
                () -> {
                    byte[] text = new byte[textBytes];
                    for (int i = 0; i < textBytes; i++) {
                        text[i] = (byte) ('a' + random.nextInt(26));
                    }
                    row.setBytes(TEXT, text, 0, textBytes);
                },
                () -> row.setLong(9, random.nextInt(2)),
                () -> row.setBytes(10, new byte[] {(byte) ('0' + id % 3)}, 0, 1));
        for (int i = 0; i < setters.size(); i++) {
            if (random.nextDouble() >= nulls) {
                setters.get(i).run();
            }
        }
    }

    /** Writes rows and compares with all that is read, in its order, byte for byte. */
    private StagedFile there(int rows, int perChunk, double nulls, int textBytes) throws Exception {
        Random random = new Random(SEED);
        Row row = new Row(SCHEMA, false);
        RoutedRows all = new RoutedRows(SCHEMA, PartitionBy.NOTHING);
        RoutedRows some = new RoutedRows(SCHEMA, PartitionBy.NOTHING);
        String location = LocalFileIO.locationOf(directory.resolve("rows.parquet"));
        LocalFileIO io = new LocalFileIO();
        StagedFile file;
        try (RowFileWriter writer = new RowFileWriter(io, location, SCHEMA, Route.NONE)) {
            for (int i = 0; i < rows; i++) {
                fill(row, i, random, nulls, textBytes);
                all.add(row);
                some.add(row);
                if ((i + 1) % perChunk == 0 || i + 1 == rows) {
                    writer.add(some.last().lend());
                }
            }
            file = writer.finish();
        }
        RoutedRows again = new RoutedRows(SCHEMA, PartitionBy.NOTHING);
        new RowFileReader(io, SCHEMA).read(location, again);
        assertThat(again.last().balance()).isEqualTo(all.last().balance());
        assertThat(bytes(again)).isEqualTo(bytes(all));
        assertThat(file.rows()).isEqualTo(rows);
        io.deleteFile(location);
        return file;
    }

    private static byte[] bytes(RoutedRows rows) {
        RowChunk chunk = rows.last().lend();
        return Arrays.copyOf(chunk.bytes(), chunk.length());
    }

    @Test
    void manyRowsWithSomeNullsAreReadBack() throws Exception {
        StagedFile file = there(60_000, 7_000, 0.3, 40);
        assertThat(file.metrics().values()).containsEntry(2, 60_000L);
        assertThat(file.metrics().nulls().get(2)).isBetween(17_000L, 19_000L);
        assertThat(file.metrics().nulls()).containsEntry(1, 0L);
        assertThat(file.metrics().lower())
                .containsEntry(1, Conversions.toByteBuffer(Types.IntegerType.get(), 0));
        assertThat(file.metrics().upper())
                .containsEntry(1, Conversions.toByteBuffer(Types.IntegerType.get(), 59_999));
    }

    @Test
    void rowsWithoutNullsOrWithNothingElseAreReadBack() throws Exception {
        there(20_000, 20_000, 0, 100);
        StagedFile file = there(20_000, 500, 1, 100);
        assertThat(file.metrics().nulls()).containsEntry(9, 20_000L);
        assertThat(file.metrics().lower()).containsOnlyKeys(1);
    }

    @Test
    void valuesAboutAsLargeAsAPageAreReadBack() throws Exception {
        for (int bytes : new int[] {0, (1 << 20) - 5, (1 << 20) - 4, (1 << 20) - 3, 3 << 20}) {
            there(4, 1, 0.2, bytes);
        }
    }

    @Test
    void aFewRowsAreReadBack() throws Exception {
        for (int rows = 1; rows < 20; rows++) {
            there(rows, 3, 0.5, 7);
        }
    }
}
