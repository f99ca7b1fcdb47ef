package io.weir.ingest;

import static io.weir.ingest.IngestHouse.transaction;
import static io.weir.ingest.IngestHouse.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many connections and many partitions at once. */
class ManyWritersTest extends HouseTest {
    private static final int WRITERS = 8;
    private static final int TRANSACTIONS = 12;

    @Test
    void eightWritersLoseAndDoubleNothing() throws Exception {
        house.alerts();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        List<Callable<Void>> writers = new ArrayList<>();
        for (int w = 0; w < WRITERS; w++) {
            int writer = w;
            // Half of them share a committer, each of the others is like a process of its own.
            var catalog = w < WRITERS / 2 ? house.config : house.asOther("writer" + w);
            writers.add(() -> {
                try (StreamingConnection connection = house.to("alerts")
                        .withCatalog(catalog)
                        .withSource("source" + writer)
                        .withTransactionBatchSize(4)
                        .connect()) {
                    for (int i = 0; i < TRANSACTIONS; i++) {
                        int id = writer * 1000 + i;
                        transaction(connection, id + ",a,Asia,India", id + ",b,Asia,land" + writer);
                    }
                }
                return null;
            });
        }
        try {
            for (Future<Void> done : threads.invokeAll(writers)) {
                done.get();
            }
        } finally {
            threads.shutdown();
        }

        List<String> expected = new ArrayList<>();
        for (int w = 0; w < WRITERS; w++) {
            for (int i = 0; i < TRANSACTIONS; i++) {
                expected.add(w * 1000 + i + ",a,Asia,India");
                expected.add(w * 1000 + i + ",b,Asia,land" + w);
            }
        }
        assertThat(house.rows("alerts")).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(house.balance("alerts")).isEqualTo(house.measured("alerts"));
    }

    @Test
    void oneCommitServesConnectionsThatWaitTogether() throws Exception {
        house.plain();
        int snapshots = snapshots();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        List<StreamingConnection> connections = new ArrayList<>();
        List<Callable<CommitInfo>> commits = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            StreamingConnection connection = house.to("plain").connect();
            connections.add(connection);
            connection.beginTransaction();
            write(connection, i + ",x");
            commits.add(connection::commitTransaction);
        }
        long rows = 0;
        try {
            for (Future<CommitInfo> done : threads.invokeAll(commits)) {
                rows += done.get().balance().rows();
            }
        } finally {
            threads.shutdown();
            connections.forEach(StreamingConnection::close);
        }

        assertThat(rows).isEqualTo(WRITERS);
        assertThat(snapshots() - snapshots).isBetween(1, WRITERS);
        assertThat(house.balance("plain")).isEqualTo(house.measured("plain"));
    }

    private int snapshots() {
        List<Object> all = new ArrayList<>();
        house.table("plain").snapshots().forEach(all::add);
        return all.size();
    }

    @Test
    void aThousandPartitionsStayWithinTheirMemory() throws Exception {
        house.create("many", IngestHouse.ALERTS.subList(0, 3), "continent");
        long limit = 2L << 20;
        try (StreamingConnection connection =
                house.to("many").withMemoryLimit(limit).connect()) {
            connection.beginTransaction();
            String text = "x".repeat(100);
            for (int i = 0; i < 20_000; i++) {
                write(connection, i + "," + text + ",p" + i % 1000);
            }
            assertThat(connection.getConnectionStats().getAutoFlushes()).isPositive();
            assertThat(connection.getPartitions()).hasSize(1000);
            connection.commitTransaction();
        }

        assertThat(house.balance("many").rows()).isEqualTo(20_000);
        assertThat(house.partitions("many")).hasSize(1000);
    }

    @Test
    void onePartitionTooManyIsRefusedAndTheOthersStay() throws Exception {
        house.create("many", IngestHouse.ALERTS.subList(0, 3), "continent");
        try (StreamingConnection connection = house.to("many").connect()) {
            connection.beginTransaction();
            PartitionCreationFailed failure = null;
            int taken = 0;
            while (failure == null) {
                try {
                    write(connection, taken + ",x,p" + taken);
                    taken++;
                } catch (PartitionCreationFailed e) {
                    failure = e;
                }
            }
            assertThat(taken).isEqualTo(4096);
            assertThat(failure).hasMessageContaining("too many partitions (partitions=4096)");
            assertThat(connection.getCurrentTransactionState()).isEqualTo(TxnState.OPEN);
            connection.abortTransaction();
        }
    }
}
