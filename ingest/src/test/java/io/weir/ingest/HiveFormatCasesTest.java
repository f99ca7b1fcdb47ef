package io.weir.ingest;

import static io.weir.ingest.IngestHouse.bytes;
import static io.weir.ingest.IngestHouse.column;
import static io.weir.ingest.IngestHouse.transaction;
import static io.weir.ingest.IngestHouse.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.row.Column;
import io.weir.ingest.record.RecordWriter;
import io.weir.ingest.record.StrictJsonWriter;
import io.weir.ingest.record.StrictRegexWriter;

import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Cases of Hive's TestStreaming about formats, types and buckets, each under its name there. */
class HiveFormatCasesTest extends HouseTest {
    private static final List<Column> EVERY_TYPE = List.of(
            column("b", "boolean", Types.BooleanType.get()),
            column("i", "integer", Types.IntegerType.get()),
            column("l", "bigint", Types.LongType.get()),
            column("f", "real", Types.FloatType.get()),
            column("d", "double precision", Types.DoubleType.get()),
            column("n", "numeric(10,3)", Types.DecimalType.of(10, 3)),
            column("w", "numeric(30,2)", Types.DecimalType.of(30, 2)),
            column("s", "text", Types.StringType.get()),
            column("c", "character(5)", Types.StringType.get()),
            column("v", "character varying(5)", Types.StringType.get()),
            column("day", "date", Types.DateType.get()),
            column("ts", "timestamp without time zone", Types.TimestampType.withoutZone()),
            column("tz", "timestamp with time zone", Types.TimestampType.withZone()),
            column("t", "time without time zone", Types.TimeType.get()),
            column("u", "uuid", Types.UUIDType.get()),
            column("x", "bytea", Types.BinaryType.get()));

    private static final String EVERY_VALUE = "true,-7,9223372036854775807,1.5,-2.25,4.222,"
            + "-1234567890123456789012345678.90,Zoë,abc,xyz,2026-11-30,2026-11-30 13:45:01.123456,"
            + "2026-11-30T13:45:01+02:00,23:59:59,00112233-4455-6677-8899-aabbccddeeff,raw";

    private static final String EVERY_ROW = "true,-7,9223372036854775807,1.5,-2.25,4.222,"
            + "-1234567890123456789012345678.90,Zoë,abc,xyz,2026-11-30,2026-11-30T13:45:01.123456,"
            + "2026-11-30T11:45:01Z,23:59:59,00112233-4455-6677-8899-aabbccddeeff,"
            + "java.nio.HeapByteBuffer[pos=0 lim=3 cap=3]";

    private static RecordWriter regex(String regex) {
        return StrictRegexWriter.newBuilder().withRegex(regex).build();
    }

    private static RecordWriter json() {
        return StrictJsonWriter.newBuilder().build();
    }

    @Test
    void testAllTypesDelimitedWriter() throws Exception {
        house.create("types", EVERY_TYPE, "");
        try (StreamingConnection connection = house.to("types").connect()) {
            connection.beginTransaction();
            write(connection, EVERY_VALUE);
            // Hive rounds 4.2222; here a value is stored as it came or not at all.
            assertThatThrownBy(() -> write(connection, EVERY_VALUE.replace("4.222", "4.2222")))
                    .hasMessageContaining("column n: more digits behind the point")
                    .hasMessageContaining("(value=4.2222)");
            connection.commitTransaction();
        }

        assertThat(house.rows("types")).containsExactly(EVERY_ROW);
    }

    @Test
    void testAllTypesDelimitedWriterInputStream() throws Exception {
        house.create("types", EVERY_TYPE, "");
        try (StreamingConnection connection = house.to("types").connect()) {
            connection.beginTransaction();
            long taken = connection.write(
                    new ByteArrayInputStream(bytes(EVERY_VALUE + "\n" + EVERY_VALUE + "\n")));
            assertThat(taken).isEqualTo(2);
            connection.commitTransaction();
        }

        assertThat(house.rows("types")).containsExactly(EVERY_ROW, EVERY_ROW);
    }

    @Test
    void testBucketingWhereBucketColIsNotFirstCol() throws Exception {
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < 22; i++) {
            columns.add(column("c" + i, "text", Types.StringType.get()));
        }
        columns.add(column("year", "integer", Types.IntegerType.get()));
        house.create("wide", columns, "year, bucket(4, c9)");

        try (StreamingConnection connection =
                house.to("wide").withStaticPartitionValues(List.of("2026")).connect()) {
            connection.beginTransaction();
            for (int i = 0; i < 10; i++) {
                write(connection, "v,".repeat(21) + i);
            }
            connection.commitTransaction();
        }

        assertThat(house.rows("wide")).hasSize(10).allMatch(row -> row.endsWith(",2026"));
    }

    @Test
    void testStreamBucketingMatchesRegularBucketing() throws Exception {
        house.create("bucketed", IngestHouse.PLAIN, "bucket(100, msg)");
        try (StreamingConnection connection = house.to("bucketed").connect()) {
            connection.beginTransaction();
            for (int i = 0; i < 20; i++) {
                write(connection, i + ",name" + i);
            }
            connection.commitTransaction();
        }

        assertThat(house.misplaced("bucketed")).isEmpty();
        assertThat(house.rows("bucketed")).hasSize(20);
    }

    @Test
    void testBucketing() throws Exception {
        house.create("bucketed", IngestHouse.PLAIN, "bucket(4, id)");
        try (StreamingConnection connection = house.to("bucketed").connect()) {
            transaction(connection, "0,a", "1,b", "2,c", "3,d");
        }

        Map<String, Long> rowsOfBucket = new TreeMap<>();
        house.tasks("bucketed")
                .forEach(task -> rowsOfBucket.put(
                        task.spec().partitionToPath(task.file().partition()),
                        task.file().recordCount()));
        // Murmur3 of 0, 1, 2, 3 modulo 4, as Iceberg's specification has it; no empty file.
        assertThat(rowsOfBucket.values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(4);
        assertThat(rowsOfBucket).allSatisfy((bucket, rows) -> assertThat(rows).isPositive());
        assertThat(house.misplaced("bucketed")).isEmpty();
    }

    @Test
    void testTransactionBatchCommitDelimited() throws Exception {
        house.alerts();
        StreamingConnection connection =
                house.toAlerts("Asia", "India").withTransactionBatchSize(10).connect();
        connection.beginTransaction();
        assertThat(connection.getCurrentTransactionState()).isEqualTo(TxnState.OPEN);
        write(connection, "1,Hello streaming");
        connection.commitTransaction();
        assertThat(connection.getCurrentTransactionState()).isEqualTo(TxnState.COMMITTED);
        connection.beginTransaction();
        write(connection, "2,Welcome to streaming");
        assertThat(house.rows("alerts")).containsExactly("1,Hello streaming,Asia,India");
        connection.commitTransaction();
        assertThat(house.rows("alerts")).hasSize(2);
        connection.close();
        assertThat(connection.getCurrentTransactionState()).isEqualTo(TxnState.INACTIVE);
    }

    @Test
    void testTransactionBatchCommitRegex() throws Exception {
        house.alerts();
        for (String delimiter : List.of(",", ":")) {
            try (StreamingConnection connection = house.toAlerts("Asia", "India")
                    .withRecordWriter(regex("([^" + delimiter + "]*)" + delimiter + "(.*)"))
                    .connect()) {
                transaction(connection, "1" + delimiter + "a" + delimiter);
            }
        }

        assertThat(house.rows("alerts")).containsExactly("1,a,,Asia,India", "1,a:,Asia,India");
    }

    @Test
    void testRegexInputStream() throws Exception {
        house.alerts();
        try (StreamingConnection connection = house.toAlerts("Asia", "India")
                .withRecordWriter(regex("([^,]*),(.*)"))
                .connect()) {
            connection.beginTransaction();
            assertThat(connection.write(new ByteArrayInputStream(bytes("1,a\r2,b\r3,c"))))
                    .isEqualTo(3);
            connection.commitTransaction();
        }

        assertThat(house.rows("alerts"))
                .containsExactly("1,a,Asia,India", "2,b,Asia,India", "3,c,Asia,India");
    }

    @Test
    void testTransactionBatchCommitJson() throws Exception {
        house.alerts();
        try (StreamingConnection connection =
                house.toAlerts("Asia", "India").withRecordWriter(json()).connect()) {
            transaction(connection, "{\"id\" : 1, \"msg\": \"Hello streaming\"}");
        }

        assertThat(house.rows("alerts")).containsExactly("1,Hello streaming,Asia,India");
    }

    @Test
    void testJsonInputStream() throws Exception {
        house.alerts();
        RecordWriter writer =
                StrictJsonWriter.newBuilder().withLineDelimiterPattern("\\|").build();
        try (StreamingConnection connection =
                house.toAlerts("Asia", "India").withRecordWriter(writer).connect()) {
            connection.beginTransaction();
            String three =
                    "{\"id\":1,\"msg\":\"a\"}|{\"id\":2,\"msg\":\"b\"}|{\"id\":3,\"msg\":\"c\"}";
            assertThat(connection.write(new ByteArrayInputStream(bytes(three)))).isEqualTo(3);
            connection.commitTransaction();
        }

        assertThat(house.rows("alerts")).hasSize(3);
    }

    @Test
    void testFileDump() throws Exception {
        house.create("types", EVERY_TYPE, "");
        try (StreamingConnection connection = house.to("types").connect()) {
            transaction(connection, EVERY_VALUE, EVERY_VALUE.replace("true", "false"));

            // While the connection is open, its files are whole and their figures are right.
            assertThat(house.tasks("types")).singleElement().satisfies(task -> {
                assertThat(task.file().recordCount()).isEqualTo(2);
                assertThat(task.file().fileSizeInBytes())
                        .isEqualTo(java.nio.file.Files.size(
                                house.filesOnDisk("types").get(0)));
                assertThat(task.file().valueCounts())
                        .hasSize(16)
                        .allSatisfy((id, count) -> assertThat(count).isEqualTo(2));
            });
            List<Record> found = house.records("types");
            assertThat(found).hasSize(2);
        }
    }
}
