package io.weir.ingest;

import static io.weir.ingest.IngestHouse.transaction;
import static io.weir.ingest.IngestHouse.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Cases of Hive's TestStreaming about connections and transactions, each under its name there. What
 * they say of delta directories is said of what readers see.
 */
class HiveTransactionCasesTest extends HouseTest {
    @Test
    void testNoBuckets() throws Exception {
        house.create("mixedcase", IngestHouse.PLAIN, "");

        try (StreamingConnection connection = house.to("MixedCase")
                .withDatabase("Testing")
                .withTransactionBatchSize(2)
                .connect()) {
            transaction(connection, "1,a1");
            transaction(connection, "2,b2");
        }

        assertThat(house.rows("mixedcase")).containsExactly("1,a1", "2,b2");
    }

    @Test
    void testCommitWithKeyValue() throws Exception {
        house.plain();
        try (StreamingConnection connection =
                house.to("plain").withSource("topic-0").connect()) {
            connection.beginTransaction(4711);
            write(connection, "1,a1");
            CommitInfo info = connection.commitTransaction();

            assertThat(info.sequence()).isEqualTo(4711);
            assertThat(house.table("plain").properties())
                    .containsEntry("weir.ingest.source.topic-0", "1:4711");
            assertThat(house.rows("plain")).containsExactly("1,a1");
        }
    }

    @Test
    void testAutoRollTransactionBatch() throws Exception {
        house.plain();
        try (StreamingConnection connection =
                house.to("plain").withTransactionBatchSize(2).connect()) {
            transaction(connection, "1,a");
            transaction(connection, "2,b");
            assertThat(connection.toTransactionString()).contains("TxnStatus[CC]");
            transaction(connection, "3,c");
            assertThat(connection.toTransactionString()).contains("TxnStatus[CI]");
            transaction(connection, "4,d");
        }

        assertThat(house.tasks("plain")).hasSize(2);
        assertThat(house.rows("plain")).containsExactly("1,a", "2,b", "3,c", "4,d");
    }

    @Test
    void testTableValidation() {
        house.create("foreign", IngestHouse.PLAIN, "");
        house.table("foreign").updateProperties().remove("weir.digest").commit();

        assertThatThrownBy(() -> house.to("foreign").connect())
                .isInstanceOf(InvalidTable.class)
                .hasMessageContaining("property weir.digest is missing");
        assertThatThrownBy(() -> house.to("nothing").connect())
                .isInstanceOf(InvalidTable.class)
                .extracting(e -> ((StreamingException) e).code())
                .isEqualTo(ErrorCode.TARGET_TABLE_NOT_FOUND);
    }

    @Test
    void testEndpointConnection() throws Exception {
        house.alerts();
        house.plain();

        house.toAlerts("Asia", "India").connect().close();
        house.to("plain").connect().close();
        assertThatThrownBy(() -> house.to("plain")
                        .withStaticPartitionValues(List.of("Asia"))
                        .connect())
                .isInstanceOf(ConnectionError.class)
                .hasMessageEndingWith("specifies partitions for un-partitioned table");
    }

    @Test
    void testAddPartition() throws Exception {
        house.alerts();
        try (StreamingConnection connection = house.toAlerts("Asia", "Nepal").connect()) {
            assertThat(house.partitions("alerts")).isEmpty();
            transaction(connection, "1,val1");
        }

        assertThat(house.partitions("alerts")).containsExactly("continent=Asia/country=Nepal");
    }

    @Test
    void testTransactionBatchEmptyCommit() throws Exception {
        house.alerts();
        house.plain();
        for (var builder : List.of(house.toAlerts("Asia", "India"), house.to("plain"))) {
            try (StreamingConnection connection = builder.connect()) {
                connection.beginTransaction();
                connection.commitTransaction();
                assertThat(connection.getCurrentTransactionState()).isEqualTo(TxnState.COMMITTED);
            }
        }
        assertThat(house.filesOnDisk("plain")).isEmpty();
    }

    @Test
    void testTransactionBatchEmptyAbort() throws Exception {
        house.alerts();
        house.plain();
        for (var builder : List.of(house.toAlerts("Asia", "India"), house.to("plain"))) {
            try (StreamingConnection connection = builder.connect()) {
                connection.beginTransaction();
                connection.abortTransaction();
                assertThat(connection.getCurrentTransactionState()).isEqualTo(TxnState.ABORTED);
            }
        }
    }

    @Test
    void testTimeOutReaper() throws Exception {
        house.plain();
        try (StreamingConnection old = house.to("plain").withSource("s").connect()) {
            old.beginTransaction();
            write(old, "1,lost");
            // No time ends a transaction here; a newer connection of its source does.
            try (StreamingConnection fresh = house.to("plain").withSource("s").connect()) {
                assertThatThrownBy(old::commitTransaction)
                        .isInstanceOf(TransactionError.class)
                        .hasMessageContaining("another connection claimed the source")
                        .extracting(e -> ((StreamingException) e).isRetriable())
                        .isEqualTo(false);
                transaction(fresh, "2,kept");
            }
        }

        assertThat(house.rows("plain")).containsExactly("2,kept");
    }

    @Test
    void testHeartbeat() throws Exception {
        house.plain();
        List<String> expected = new ArrayList<>();
        try (StreamingConnection connection =
                house.to("plain").withTransactionBatchSize(20).connect()) {
            for (int i = 0; i < 60; i++) {
                connection.beginTransaction();
                write(connection, i + ",x");
                if (i % 10 == 9) {
                    connection.abortTransaction();
                } else {
                    connection.commitTransaction();
                    expected.add(i + ",x");
                }
            }
        }

        assertThat(house.rows("plain")).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(house.tasks("plain")).hasSize(3);
    }

    @Test
    void testRemainingTransactions() throws Exception {
        house.alerts();
        StreamingConnection connection =
                house.toAlerts("Asia", "India").withTransactionBatchSize(10).connect();
        for (int i = 0; i < 10; i++) {
            connection.beginTransaction();
            assertThat(connection.remainingTransactions()).isEqualTo(9 - i);
            write(connection, i + ",x");
            if (i % 2 == 0) {
                connection.commitTransaction();
            } else {
                connection.abortTransaction();
            }
        }
        assertThat(connection.remainingTransactions()).isZero();
        connection.close();
        assertThat(connection.getCurrentTransactionState()).isEqualTo(TxnState.INACTIVE);
        assertThat(house.rows("alerts")).hasSize(5);
    }

    @Test
    void testTransactionBatchAbort() throws Exception {
        house.alerts();
        StreamingConnection connection = house.toAlerts("Asia", "India").connect();
        connection.beginTransaction();
        write(connection, "1,a", "2,b");
        connection.abortTransaction();
        assertThat(house.rows("alerts")).isEmpty();
        connection.close();

        assertThat(house.rows("alerts")).isEmpty();
        assertThat(house.filesOnDisk("alerts")).isEmpty();
    }

    @Test
    void testTransactionBatchAbortAndCommit() throws Exception {
        house.alerts();
        try (StreamingConnection connection = house.toAlerts("Asia", "India")
                .withAgentInfo("agent-7")
                .withTransactionBatchSize(2)
                .connect()) {
            connection.beginTransaction();
            write(connection, "1,a");
            connection.abortTransaction();
            transaction(connection, "2,b");
        }

        assertThat(house.rows("alerts")).containsExactly("2,b,Asia,India");
        assertThat(house.summary("alerts").get("weir.ingest.transactions"))
                .contains("\"agent\":\"agent-7\"", "\"rows\":1");
    }

    @Test
    void testMultipleTransactionBatchCommits() throws Exception {
        house.alerts();
        List<String> expected = new ArrayList<>();
        for (int turn = 0; turn < 2; turn++) {
            try (StreamingConnection connection =
                    house.toAlerts("Asia", "India").withTransactionBatchSize(10).connect()) {
                for (int i = 0; i < 4; i++) {
                    transaction(connection, turn + "" + i + ",x");
                    expected.add(Integer.parseInt(turn + "" + i) + ",x,Asia,India");
                    assertThat(house.rows("alerts")).containsExactlyInAnyOrderElementsOf(expected);
                }
            }
            assertThat(house.rows("alerts")).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    void testInterleavedTransactionBatchCommits() throws Exception {
        house.alerts();
        try (StreamingConnection one = house.toAlerts("Asia", "India").connect();
                StreamingConnection two = house.toAlerts("Asia", "India").connect()) {
            one.beginTransaction();
            two.beginTransaction();
            write(one, "1,one");
            write(two, "2,two");
            two.commitTransaction();
            assertThat(house.rows("alerts")).containsExactly("2,two,Asia,India");
            one.commitTransaction();
            assertThat(house.rows("alerts"))
                    .containsExactly("1,one,Asia,India", "2,two,Asia,India");
        }
    }

    @Test
    void testConcurrentTransactionBatchCommits() throws Exception {
        house.alerts();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            List<Callable<Void>> writers = new ArrayList<>();
            for (int w = 0; w < 3; w++) {
                int writer = w;
                writers.add(() -> {
                    try (StreamingConnection connection = house.toAlerts("Asia", "India")
                            .withTransactionBatchSize(10)
                            .connect()) {
                        for (int i = 0; i < 10; i++) {
                            int id = writer * 100 + i;
                            transaction(connection, id + ",a", id + ",b");
                        }
                    }
                    return null;
                });
            }
            for (Future<Void> done : threads.invokeAll(writers)) {
                done.get();
            }
        } finally {
            threads.shutdown();
        }

        List<String> expected = IntStream.range(0, 3)
                .boxed()
                .flatMap(w -> IntStream.range(0, 10).mapToObj(i -> w * 100 + i))
                .flatMap(id -> List.of(id + ",a,Asia,India", id + ",b,Asia,India").stream())
                .toList();
        assertThat(house.rows("alerts")).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(house.balance("alerts").rows()).isEqualTo(60);
    }

    @Test
    void testErrorHandling() throws Exception {
        house.alerts();
        StreamingConnection connection =
                house.toAlerts("Asia", "India").withTransactionBatchSize(2).connect();
        assertThatThrownBy(() -> write(connection, "1,a"))
                .hasMessageEndingWith("Transaction batch is null. Missing beginTransaction?");
        assertThatThrownBy(connection::commitTransaction)
                .hasMessageEndingWith("Transaction batch is null. Missing beginTransaction?");
        transaction(connection, "1,a");
        connection.beginTransaction();
        assertThat(connection.toTransactionString()).contains("TxnStatus[CO]");
        connection.close();
        connection.close();

        assertThat(connection.getConnectionStats().getAbortedTransactions()).isEqualTo(1);
        assertThatThrownBy(connection::beginTransaction)
                .isInstanceOf(InvalidTransactionState.class)
                .hasMessageEndingWith("Streaming connection is closed already.");
        assertThat(house.rows("alerts")).containsExactly("1,a,Asia,India");
    }
}
