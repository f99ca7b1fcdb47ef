package io.weir.flow.replicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.run.Operator;

import org.apache.iceberg.Files;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.io.FileAppender;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Goal: a value arrives as it is or stops the table; a column never goes silently. */
class OutsideTypesTest {
    @TempDir
    private static Path directory;

    private static OutsideHouse house;

    @BeforeAll
    static void open() {
        house = new OutsideHouse(directory);
    }

    @AfterAll
    static void close() {
        house.close();
    }

    private static String insert(long place, String after) {
        return "SELECT 'c' AS op, nullif(row, row) AS before, row AS after, " + place
                + "::BIGINT AS lsn FROM (SELECT " + after + " AS row)";
    }

    @Test
    void everyTypeThatATableTakesArrivesAsItIs() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.copy("a.parquet", insert(10, """
                {'id': 1::SMALLINT, 'b': true, 'u': 4294967295::UINTEGER, 'l': -9::BIGINT,
                 'v': 18446744073709551615::UBIGINT, 'f': 1.5::FLOAT, 'd': 'nan'::DOUBLE,
                 'n': 123456.78::DECIMAL(8,2), 'w': -1.5::DECIMAL(38,10), 't': 'übel',
                 'x': '\\x00\\xFF'::BLOB,
                 'g': '00000000-0000-0000-0000-0000000000ff'::UUID, 'day': DATE '0001-01-01',
                 'h': TIME '23:59:59.999999', 's': TIMESTAMP '9999-12-31 23:59:59.999999',
                 'z': TIMESTAMPTZ '2026-11-30 12:00:00+02', 'nil': NULL::VARCHAR}"""));
        shelf.verified();
        assertThat(shelf.rows())
                .containsExactly("1 true 4294967295 -9 18446744073709551615 1.5 nan 123456.78"
                        + " -1.5000000000 übel \\x00\\xFF 00000000-0000-0000-0000-0000000000ff"
                        + " 0001-01-01 23:59:59.999999 9999-12-31 23:59:59.999999"
                        + " 2026-11-30 10:00:00+00 ~");
        assertThat(shelf.balances()).isTrue();
    }

    @Test
    void aTypeThatNoTableTakesIsNamed() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.copy("a.parquet", insert(10, "{'id': 1, 'tags': ['a', 'b']}"));
        assertThat(shelf.stopped(ErrorCode.LOG_UNFIT))
                .contains("column tags has a type that no table takes (type=VARCHAR[])");
        OutsideHouse.Shelf other = house.shelf();
        other.copy(
                "a.parquet",
                "SELECT * REPLACE (lsn / 2 AS lsn) FROM (" + insert(10, "{'id': 1}") + ")");
        assertThat(other.stopped(ErrorCode.LOG_UNFIT))
                .contains("column lsn (position) is DOUBLE, must be a whole number or a text");
    }

    @Test
    void columnsThatComeAndGoStopTheTable() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5");
        shelf.verified();
        shelf.copy("b.parquet", insert(20, "{'id': 2, 'name': 'x', 'more': 1}"));
        assertThat(shelf.stopped(ErrorCode.LOG_UNFIT))
                .contains("b.parquet", "column qty is missing in after")
                .contains("column more of after is none of the table");
        assertThat(shelf.rows()).containsExactly("1 anna 5");
    }

    /** NULL would be a guess: the source may have given older rows a default. */
    @Test
    void aNewColumnStopsTheTableAndTheStopSaysHowToGoOn() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5");
        shelf.verified();
        shelf.copy("b.parquet", insert(20, "{'id': 2, 'name': 'x', 'qty': 6, 'more': 1}"));
        assertThat(shelf.stopped(ErrorCode.LOG_UNFIT))
                .contains("column more of after is none of the table")
                .contains("no file tells what older rows have in new columns")
                .contains("exclude: [more] in the job file")
                .contains("weir continue sales." + shelf.name + " --reason TEXT");
        house.ledger
                .replicas()
                .resumed(shelf.name, "public." + shelf.name, new Operator("anna", "left out"));
        shelf.without("more").verified();
        assertThat(shelf.rows()).containsExactly("1 anna 5", "2 x 6");

        OutsideHouse.Shelf other = house.shelf();
        other.copy("a.parquet", insert(10, "{'id': 1, 'name': 'anna', 'qty': 5, 'more': 7}"));
        other.copy("b.parquet", insert(20, "{'id': 2, 'name': 'x', 'qty': 6, 'more': 1}"));
        other.verified();
        assertThat(other.rows()).containsExactly("1 anna 5 7", "2 x 6 1");
    }

    @Test
    void widerTypesAreTakenAndValuesOutOfRangeAreNot() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5");
        shelf.verified();
        shelf.copy("b.parquet", insert(20, "{'id': 2::BIGINT, 'name': 'x', 'qty': 7::TINYINT}"));
        shelf.verified();
        assertThat(shelf.rows()).containsExactly("1 anna 5", "2 x 7");
        shelf.copy("c.parquet", insert(30, "{'id': 3000000000::BIGINT, 'name': 'x', 'qty': 7}"));
        assertThat(shelf.stopped(ErrorCode.LOG_CHANGE_INVALID)).contains("3000000000");
    }

    @Test
    void aRoundingIsNoConversion() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5");
        shelf.verified();
        shelf.copy("b.parquet", insert(20, "{'id': 2, 'name': 'x', 'qty': 7.5::DOUBLE}"));
        assertThat(shelf.stopped(ErrorCode.LOG_UNFIT))
                .contains("column qty is DOUBLE in after and int in the table");
    }

    @Test
    void yearsThatNoReaderOfLakesKnowsStopTheTable() {
        OutsideHouse.Shelf shelf = house.shelf();
        shelf.copy("a.parquet", insert(10, "{'id': 1, 'day': DATE '10000-01-01'}"));
        assertThat(shelf.stopped(ErrorCode.LOG_CHANGE_INVALID))
                .contains("column day has a value that no table takes");
    }

    /** Files of Spark and of most connectors come from this writer, not from our engine. */
    @Test
    void filesOfAnotherWriterAreReadAsWell() throws IOException {
        OutsideHouse.Shelf shelf = house.shelf();
        Types.StructType row = Types.StructType.of(
                Types.NestedField.optional(10, "id", Types.IntegerType.get()),
                Types.NestedField.optional(11, "price", Types.DecimalType.of(8, 2)),
                Types.NestedField.optional(12, "at", Types.TimestampType.withZone()));
        Schema schema = new Schema(
                Types.NestedField.optional(1, "op", Types.StringType.get()),
                Types.NestedField.optional(2, "before", row),
                Types.NestedField.optional(
                        3, "after", Types.StructType.of(renumbered(row.fields()))),
                Types.NestedField.optional(4, "lsn", Types.LongType.get()));
        List<Record> changes = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            Record after = GenericRecord.create(schema.findType("after").asStructType())
                    .copy(
                            "id",
                            i,
                            "price",
                            new BigDecimal("1.50"),
                            "at",
                            OffsetDateTime.parse("2026-11-30T12:00:00Z"));
            changes.add(GenericRecord.create(schema)
                    .copy(Map.of("op", "c", "after", after, "lsn", 10L * i)));
        }
        try (FileAppender<Record> file = Parquet.write(Files.localOutput(
                        shelf.files.resolve("a.snappy.parquet").toFile()))
                .schema(schema)
                .set("write.parquet.compression-codec", "snappy")
                .createWriterFunc(GenericParquetWriter::create)
                .build()) {
            file.addAll(changes);
        }
        shelf.verified();
        assertThat(shelf.rows())
                .containsExactly(
                        "1 1.50 2026-11-30 12:00:00+00",
                        "2 1.50 2026-11-30 12:00:00+00",
                        "3 1.50 2026-11-30 12:00:00+00");
    }

    private static List<Types.NestedField> renumbered(List<Types.NestedField> fields) {
        return fields.stream()
                .map(field -> Types.NestedField.optional(
                        field.fieldId() + 10, field.name(), field.type()))
                .toList();
    }
}
