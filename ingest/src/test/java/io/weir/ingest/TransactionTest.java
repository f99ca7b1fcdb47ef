package io.weir.ingest;

import static io.weir.ingest.IngestHouse.transaction;
import static io.weir.ingest.IngestHouse.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TransactionTest extends HouseTest {
    @Test
    void rowsAreVisibleAfterTheCommitAndNotBefore() throws Exception {
        house.alerts();
        try (StreamingConnection connection = house.toAlerts("Asia", "India").connect()) {
            connection.beginTransaction();
            write(connection, "1,val1", "2,val2");
            assertThat(house.rows("alerts")).isEmpty();

            CommitInfo info = connection.commitTransaction();

            assertThat(house.rows("alerts"))
                    .containsExactly("1,val1,Asia,India", "2,val2,Asia,India");
            assertThat(info.balance()).isEqualTo(house.balance("alerts"));
            assertThat(info.files()).isEqualTo(1);
            transaction(connection, "3,val3");
            assertThat(house.rows("alerts")).hasSize(3);
        }
    }

    /** Far more than is kept in one piece: files are written while rows come in. */
    @Test
    void aLargeTransactionHasOneFileForEachPartition() throws Exception {
        house.alerts();
        String text = "x".repeat(100);
        try (StreamingConnection connection = house.to("alerts").connect()) {
            connection.beginTransaction();
            for (int i = 0; i < 20_000; i++) {
                write(connection, i + "," + text + i + ",Asia," + (i % 3 == 0 ? "India" : "Japan"));
            }
            CommitInfo info = connection.commitTransaction();

            assertThat(info.files()).isEqualTo(2);
            assertThat(info.balance().rows()).isEqualTo(20_000);
            assertThat(house.balance("alerts")).isEqualTo(info.balance());
            assertThat(house.measured("alerts")).isEqualTo(info.balance());
            assertThat(house.summary("alerts"))
                    .containsEntry("added-files-size", Long.toString(info.bytes()))
                    .containsEntry("total-files-size", Long.toString(info.bytes()))
                    .containsEntry("added-data-files", "2")
                    .containsEntry("total-records", "20000");

            connection.beginTransaction();
            for (int i = 0; i < 20_000; i++) {
                write(connection, i + "," + text + i + ",Asia,India");
            }
            connection.abortTransaction();
            assertThat(house.balance("alerts")).isEqualTo(info.balance());
            assertThat(house.filesOnDisk("alerts")).hasSize(2);
        }
    }

    @Test
    void aBatchEndsInOneFile() throws Exception {
        house.alerts();
        try (StreamingConnection connection =
                house.to("alerts").withTransactionBatchSize(3).connect()) {
            transaction(connection, "1,a,Asia,India");
            transaction(connection, "2,b,Asia,India", "4,d,Europe,\\N");
            transaction(connection, "3,c,Asia,India");
            assertThat(house.tasks("alerts")).hasSize(4);
            var balance = house.balance("alerts");

            connection.beginTransaction();

            assertThat(connection.getConnectionStats().getBatchRewrites()).isEqualTo(1);
            assertThat(house.tasks("alerts")).hasSize(2);
            assertThat(house.balance("alerts")).isEqualTo(balance);
            assertThat(house.rows("alerts"))
                    .containsExactly(
                            "1,a,Asia,India",
                            "2,b,Asia,India",
                            "3,c,Asia,India",
                            "4,d,Europe,null");
        }
    }

    @Test
    void manyCommitsKeepTheTableSmall() throws Exception {
        house.plain();
        house.table("plain").updateProperties().set("weir.snapshots.max", "5").commit();
        try (StreamingConnection connection = house.to("plain").connect()) {
            for (int i = 0; i < 12; i++) {
                transaction(connection, i + ",x");
            }
        }

        assertThat(house.table("plain").snapshots()).hasSizeLessThanOrEqualTo(5);
        assertThat(house.rows("plain")).hasSize(12);
        assertThat(house.balance("plain")).isEqualTo(house.measured("plain"));
    }

    @Test
    void everyCommitSaysWhatItAddedAndWhatTheTableIsWorth() throws Exception {
        house.plain();
        try (StreamingConnection connection = house.to("plain").withSource("s").connect()) {
            CommitInfo one = transaction(connection, "1,a");
            CommitInfo two = transaction(connection, "2,b", "3,c");

            assertThat(house.summary("plain"))
                    .containsEntry("weir.delta.rows", "2")
                    .containsEntry("weir.delta.digest", two.balance().digestText())
                    .containsEntry("weir.balance.rows", "3")
                    .containsEntry(
                            "weir.balance.digest",
                            one.balance().plus(two.balance()).digestText());
            assertThat(house.summary("plain").get("weir.ingest.transactions"))
                    .isEqualTo(
                            "[{\"agent\":\"UT_plain\",\"source\":\"s\",\"epoch\":1,\"sequence\":2,"
                                    + "\"rows\":2,\"digest\":\"" + two.balance().digestText()
                                    + "\"}]");
            assertThat(house.balance("plain")).isEqualTo(house.measured("plain"));
        }
    }

    @Test
    void aMemoryLimitThatNoArrayHoldsIsRefused() {
        house.plain();

        assertThatThrownBy(() -> house.to("plain").withMemoryLimit(1L << 30).connect())
                .isInstanceOf(ConnectionError.class)
                .hasMessageContaining("(bytes=1073741824, least=65536, most=536870912)");
    }
}
