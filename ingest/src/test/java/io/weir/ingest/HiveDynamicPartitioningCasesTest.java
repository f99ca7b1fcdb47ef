package io.weir.ingest;

import static io.weir.ingest.IngestHouse.bytes;
import static io.weir.ingest.IngestHouse.column;
import static io.weir.ingest.IngestHouse.transaction;
import static io.weir.ingest.IngestHouse.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.row.Column;
import io.weir.ingest.record.ExtraColumns;
import io.weir.ingest.record.MissingColumns;
import io.weir.ingest.record.StrictDelimitedInputWriter;
import io.weir.ingest.record.StrictJsonWriter;
import io.weir.ingest.record.StrictRegexWriter;

import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.util.List;

/** Cases of Hive's TestStreamingDynamicPartitioning, each under its name there. */
class HiveDynamicPartitioningCasesTest extends HouseTest {
    private static final List<Column> TYPED = List.of(
            column("id", "integer", Types.IntegerType.get()),
            column("msg", "text", Types.StringType.get()),
            column("year", "integer", Types.IntegerType.get()),
            column("month", "integer", Types.IntegerType.get()));

    private static StrictDelimitedInputWriter lenient() {
        return StrictDelimitedInputWriter.newBuilder()
                .withFieldDelimiter(',')
                .withMissingColumns(MissingColumns.NULL)
                .build();
    }

    @Test
    void testDynamicPartitioning() throws Exception {
        house.alerts();
        try (StreamingConnection connection = house.toAlerts("Asia", "India").connect()) {
            transaction(connection, "0,first");
        }
        try (StreamingConnection connection = house.to("alerts").connect()) {
            assertThat(connection.isDynamicPartitioning()).isTrue();
            connection.beginTransaction();
            for (int i = 0; i < 10; i++) {
                write(connection, i + ",x,Asia,land" + i);
            }
            assertThat(connection.getPartitions())
                    .hasSize(10)
                    .contains("continent=Asia, country=land3");
            connection.commitTransaction();
        }

        assertThat(house.partitions("alerts")).hasSize(11).contains("continent=Asia/country=land9");
        assertThat(house.rows("alerts")).hasSize(11).contains("7,x,Asia,land7");
    }

    @Test
    void testDPStreamBucketingMatchesRegularBucketing() throws Exception {
        house.create("bucketed", TYPED.subList(0, 3), "year, bucket(100, msg)");
        try (StreamingConnection connection = house.to("bucketed").connect()) {
            connection.beginTransaction();
            for (int i = 0; i < 20; i++) {
                write(connection, i + ",name" + i + "," + (i < 13 ? 2018 : 2017));
            }
            connection.commitTransaction();
        }

        assertThat(house.misplaced("bucketed")).isEmpty();
        assertThat(house.rows("bucketed").stream().filter(row -> row.endsWith(",2018")))
                .hasSize(13);
        assertThat(house.partitions("bucketed").stream()
                        .map(path -> path.substring(0, path.indexOf('/')))
                        .distinct())
                .containsExactly("year=2017", "year=2018");
    }

    @Test
    void testDPTwoLevel() throws Exception {
        house.alerts();
        try (StreamingConnection connection = house.to("alerts").connect()) {
            transaction(connection, "1,a,Asia,India", "2,b,Asia,Nepal");
            transaction(connection, "3,c,Europe,Italy", "4,d,Europe,Spain");
            transaction(connection, "5,e,Asia,India", "6,f,Europe,Italy");
            transaction(connection, "7,g,Asia,Nepal", "8,h,Europe,Spain");
        }

        assertThat(house.partitions("alerts")).hasSize(4);
        assertThat(house.rows("alerts")).hasSize(8).contains("6,f,Europe,Italy");
    }

    @Test
    void testDPTwoLevelMissingPartitionValues() throws Exception {
        house.alerts();
        try (StreamingConnection connection =
                house.to("alerts").withRecordWriter(lenient()).connect()) {
            transaction(connection, "1,a,Asia,India", "2,b,Asia,", "3,c,,", "4,d,Asia", "5,e");
        }

        assertThat(house.rows("alerts"))
                .containsExactly(
                        "1,a,Asia,India",
                        "2,b,Asia,null",
                        "3,c,null,null",
                        "4,d,Asia,null",
                        "5,e,null,null");
        assertThat(house.partitions("alerts")).hasSize(3);
    }

    @Test
    void testDPTwoLevelNonStringPartitionColumns() throws Exception {
        house.create("typed", TYPED, "year, month");
        try (StreamingConnection connection =
                house.to("typed").withRecordWriter(lenient()).connect()) {
            connection.beginTransaction();
            write(connection, "1,a,2018,2", "2,b,2018,3", "3,c,,7", "4,d,2017,", "5,e");
            assertThatThrownBy(() -> write(connection, "6,f,2018,march"))
                    .isInstanceOf(SerializationError.class)
                    .hasMessageContaining("column month: not a whole number (value=march)");
            connection.commitTransaction();
        }

        assertThat(house.partitions("typed")).hasSize(5);
        assertThat(house.rows("typed"))
                .containsExactly(
                        "1,a,2018,2", "2,b,2018,3", "3,c,null,7", "4,d,2017,null", "5,e,null,null");
    }

    @Test
    void testWriteBeforeBegin() throws Exception {
        house.alerts();
        try (StreamingConnection connection =
                house.to("alerts").withRecordWriter(lenient()).connect()) {
            transaction(connection, "1,a,Asia", "2,b,Asia");
            String text = "Transaction state is not OPEN. Missing beginTransaction?";
            assertThatThrownBy(() -> write(connection, "3,c,Asia")).hasMessageEndingWith(text);
            assertThatThrownBy(connection::commitTransaction).hasMessageEndingWith(text);
            assertThatThrownBy(connection::abortTransaction).hasMessageEndingWith(text);
        }

        assertThat(house.rows("alerts")).containsExactly("1,a,Asia,null", "2,b,Asia,null");
        assertThat(house.partitions("alerts")).containsExactly("continent=Asia/country=null");
    }

    @Test
    void testRegexInputStreamDP() throws Exception {
        house.alerts();
        StrictRegexWriter writer = StrictRegexWriter.newBuilder()
                .withRegex("([^,]*),([^,]*),([^,]*),(.*)")
                .build();
        try (StreamingConnection connection =
                house.to("alerts").withRecordWriter(writer).connect()) {
            connection.beginTransaction();
            connection.write(new ByteArrayInputStream(
                    bytes("1,a,Asia,India\r2,b,Europe,Italy\r3,c,Asia,\r4,d,Asia,Nepal")));
            connection.commitTransaction();
        }

        assertThat(house.partitions("alerts")).hasSize(4);
        assertThat(house.rows("alerts")).contains("3,c,Asia,null");
    }

    @Test
    void testJsonInputStreamDP() throws Exception {
        house.alerts();
        StrictJsonWriter writer = StrictJsonWriter.newBuilder()
                .withExtraColumns(ExtraColumns.DROP)
                .withLineDelimiterPattern("\\|")
                .build();
        try (StreamingConnection connection =
                house.to("alerts").withRecordWriter(writer).connect()) {
            connection.beginTransaction();
            long taken = connection.write(new ByteArrayInputStream(bytes("""
                    {"ID":1,"msg":"a","Continent":"Asia","country":"India","more":{"x":[1]}}|\
                    {"id":2,"MSG":"b","continent":"Asia"}|""")));
            assertThat(taken).isEqualTo(2);
            connection.commitTransaction();
        }

        assertThat(house.rows("alerts")).containsExactly("1,a,Asia,India", "2,b,Asia,null");
    }

    @Test
    void testWriteAfterClose() throws Exception {
        house.alerts();
        StreamingConnection connection = house.to("alerts").connect();
        transaction(connection, "1,a,Asia,India");
        connection.close();

        String text = "Streaming connection is closed already.";
        assertThatThrownBy(() -> write(connection, "2,b,Asia,India")).hasMessageEndingWith(text);
        assertThatThrownBy(connection::commitTransaction).hasMessageEndingWith(text);
        assertThatThrownBy(connection::abortTransaction).hasMessageEndingWith(text);
        assertThat(house.rows("alerts")).containsExactly("1,a,Asia,India");
    }

    @Test
    void testWriteAfterAbort() throws Exception {
        house.alerts();
        StreamingConnection connection = house.to("alerts").connect();
        for (int i = 0; i < 2; i++) {
            connection.beginTransaction();
            write(connection, i + ",gone,Asia,India");
            connection.abortTransaction();
            assertThatThrownBy(() -> write(connection, "9,x,Asia,India"))
                    .hasMessageContaining("Transaction state is not OPEN");
        }
        transaction(connection, "2,kept,Asia,India");
        connection.close();

        assertThat(house.rows("alerts")).containsExactly("2,kept,Asia,India");
        assertThat(house.filesOnDisk("alerts")).hasSize(1);
        assertThatThrownBy(() -> write(connection, "3,x,Asia,India"))
                .hasMessageEndingWith("Streaming connection is closed already.");
    }

    @Test
    void testTableValidation() {
        assertThatThrownBy(() -> house.to("alerts").connect())
                .isInstanceOf(InvalidTable.class)
                .hasMessageContaining("testing.alerts");
    }
}
