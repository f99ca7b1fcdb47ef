package io.weir.ingest;

import static io.weir.ingest.IngestHouse.transaction;
import static io.weir.ingest.IngestHouse.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;

/** A connection commits by itself, and puts small files together, when it is time. */
class AutoCommitTest extends HouseTest {
    @Test
    void rowsAndBytesAreALimit() throws Exception {
        house.plain();
        try (StreamingConnection connection = house.to("plain")
                .withAutoCommit(AutoCommit.everyRows(2).orBytes(100))
                .connect()) {
            write(connection, "1,a", "2,b", "3,c");
            assertThat(house.rows("plain")).containsExactly("1,a", "2,b");
            write(connection, "4," + "x".repeat(100));
            assertThat(house.rows("plain")).hasSize(4);
            assertThat(connection.getConnectionStats().getCommittedTransactions())
                    .isEqualTo(2);
        }
    }

    @Test
    void ageIsALimitAlsoWhenNobodyWrites() throws Exception {
        house.plain();
        ManualTimer timer = new ManualTimer();
        try (StreamingConnection connection = house.to("plain")
                .withTimer(timer)
                .withAutoCommit(AutoCommit.OFF.orAge(Duration.ofSeconds(10)))
                .connect()) {
            write(connection, "1,a");
            assertThat(house.rows("plain")).isEmpty();
            timer.pass();
            assertThat(house.rows("plain")).containsExactly("1,a");
            timer.pass();
            write(connection, "2,b");
            connection.commitTransaction();
        }

        assertThat(house.rows("plain")).containsExactly("1,a", "2,b");
    }

    @Test
    void theFilesOfABatchAreNotSmallForLong() throws Exception {
        house.plain();
        ManualTimer timer = new ManualTimer();
        try (StreamingConnection connection = house.to("plain")
                .withTimer(timer)
                .withTransactionBatchSize(100)
                .withBatchTimeout(Duration.ofMinutes(1))
                .connect()) {
            transaction(connection, "1,a");
            transaction(connection, "2,b");
            var balance = house.balance("plain");
            timer.pass();
            assertThat(house.tasks("plain")).hasSize(1);
            assertThat(house.balance("plain")).isEqualTo(balance);
            transaction(connection, "3,c");
        }

        assertThat(house.rows("plain")).containsExactly("1,a", "2,b", "3,c");
    }
}
