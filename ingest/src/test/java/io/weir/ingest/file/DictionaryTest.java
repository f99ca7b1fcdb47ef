package io.weir.ingest.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.route.PartitionBy;
import io.weir.core.route.Route;
import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;
import io.weir.core.row.RowSchema;
import io.weir.ingest.record.RecordLayout;
import io.weir.ingest.record.RecordWriter;
import io.weir.ingest.record.StrictDelimitedInputWriter;
import io.weir.ingest.row.RoutedRows;
import io.weir.ingest.row.Row;
import io.weir.ingest.row.RowBuffer;
import io.weir.table.LocalFileIO;

import org.apache.iceberg.types.Types;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;

/** Each column of a row group has a dictionary only if it saves something. */
class DictionaryTest {
    private static final String WORD = "-abcdefghijklmnopqrstuvwxyz";
    private static final RowSchema SCHEMA =
            new RowSchema(List.of(column(2, "own"), column(1, "shared")), List.of());

    @TempDir
    Path directory;

    private static Column column(int id, String name) {
        return new Column(id, name, "text", Types.StringType.get(), false, LossPolicy.FAIL);
    }

    private static RowBuffer rows(int count, IntFunction<String> record) throws Exception {
        RecordWriter.Encoder encoder = StrictDelimitedInputWriter.newBuilder()
                .withFieldDelimiter(',')
                .build()
                .encoder(RecordLayout.of(SCHEMA, PartitionBy.NOTHING, false));
        RoutedRows rows = new RoutedRows(SCHEMA, PartitionBy.NOTHING);
        Row row = new Row(SCHEMA, false);
        for (int i = 0; i < count; i++) {
            byte[] bytes = record.apply(i).getBytes(StandardCharsets.UTF_8);
            row.reset();
            encoder.encode(bytes, 0, bytes.length, row);
            rows.add(row);
        }
        return rows.buffers().get(0);
    }

    private List<ColumnMetaData> written(RowBuffer... groups) throws Exception {
        Path path = directory.resolve("rows.parquet");
        String location = LocalFileIO.locationOf(path);
        LocalFileIO io = new LocalFileIO();
        try (RowFileWriter writer = new RowFileWriter(io, location, SCHEMA, Route.NONE)) {
            for (RowBuffer group : groups) {
                writer.add(group.lend());
                writer.endGroup();
            }
            writer.finish();
        }
        RoutedRows again = new RoutedRows(SCHEMA, PartitionBy.NOTHING);
        new RowFileReader(io, SCHEMA).read(location, again);
        assertThat(again.buffers().get(0).balance())
                .isEqualTo(List.of(groups).stream()
                        .map(RowBuffer::balance)
                        .reduce((one, other) -> one.plus(other))
                        .orElseThrow());
        return columns(Files.readAllBytes(path));
    }

    private static List<ColumnMetaData> columns(byte[] file) throws Exception {
        int tail = file.length - 8;
        int footer = ByteBuffer.wrap(file, tail, Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .getInt();
        return Util.readFileMetaData(new ByteArrayInputStream(file, tail - footer, footer))
                .getRow_groups()
                .stream()
                .flatMap(group -> group.getColumns().stream())
                .map(chunk -> chunk.getMeta_data())
                .toList();
    }

    private static boolean hasDictionary(ColumnMetaData column) {
        return column.isSetDictionary_page_offset()
                && column.getEncodings().contains(Encoding.PLAIN_DICTIONARY);
    }

    @Test
    void valuesThatRepeatHaveADictionaryAndOthersDoNot() throws Exception {
        List<ColumnMetaData> columns = written(rows(1000, i -> i + WORD + "," + i % 10 + WORD));

        assertThat(hasDictionary(columns.get(0))).isFalse();
        assertThat(columns.get(0).getTotal_uncompressed_size()).isBetween(30_000L, 35_000L);
        assertThat(hasDictionary(columns.get(1))).isTrue();
        assertThat(columns.get(1).getTotal_uncompressed_size()).isLessThan(1_000L);
    }

    @Test
    void aThousandValuesInManyRowsStillHaveADictionary() throws Exception {
        List<ColumnMetaData> columns =
                written(rows(20_000, i -> i + WORD + "," + i * 7 % 1000 + WORD));

        assertThat(hasDictionary(columns.get(0))).isFalse();
        assertThat(hasDictionary(columns.get(1))).isTrue();
        assertThat(columns.get(1).getTotal_uncompressed_size()).isLessThan(70_000L);
    }

    @Test
    void nullsNeitherCountNorHurt() throws Exception {
        List<ColumnMetaData> columns = written(
                rows(1000, i -> (i % 100 == 0 ? i + WORD : "\\N") + ",\\N"),
                rows(3, i -> i + ",x"));

        assertThat(columns).hasSize(4);
        assertThat(hasDictionary(columns.get(0))).isFalse();
        assertThat(columns.get(1).getStatistics().getNull_count()).isEqualTo(1000);
        assertThat(hasDictionary(columns.get(2))).isFalse();
        assertThat(hasDictionary(columns.get(3))).isTrue();
    }
}
