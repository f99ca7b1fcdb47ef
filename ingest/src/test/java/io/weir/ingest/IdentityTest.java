package io.weir.ingest;

import static io.weir.ingest.IngestHouse.transaction;
import static io.weir.ingest.IngestHouse.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.testkit.proxy.Fault;
import io.weir.testkit.proxy.FaultProxy;
import io.weir.testkit.proxy.Protocol;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;

/** A transaction is committed once, whatever is repeated or lost. */
class IdentityTest extends HouseTest {
    private static final String MOVE = "UPDATE iceberg_tables SET metadata_location";

    @Test
    void aRepeatedTransactionCommitsNothing() throws Exception {
        house.plain();
        try (StreamingConnection connection = house.to("plain").withSource("s").connect()) {
            connection.beginTransaction(7);
            write(connection, "1,a");
            assertThat(connection.commitTransaction().repeated()).isFalse();
        }
        try (StreamingConnection connection = house.to("plain").withSource("s").connect()) {
            assertThat(connection.lastCommitted("s")).hasValue(7);
            assertThat(connection.lastCommitted("other")).isEmpty();
            connection.beginTransaction(7);
            write(connection, "1,a");

            CommitInfo again = connection.commitTransaction();

            assertThat(again.repeated()).isTrue();
            assertThat(again.balance().rows()).isZero();
            CommitInfo next = transaction(connection, "2,b");
            assertThat(next.sequence()).isEqualTo(8);
        }

        assertThat(house.rows("plain")).containsExactly("1,a", "2,b");
        assertThat(house.filesOnDisk("plain")).hasSize(2);
    }

    @Test
    void onlyASourceNumbersTransactions() throws Exception {
        house.plain();
        try (StreamingConnection connection = house.to("plain").connect()) {
            assertThatThrownBy(() -> connection.beginTransaction(1))
                    .isInstanceOf(InvalidTransactionState.class);
        }
    }

    @Test
    void aCommitWhoseReplyIsLostIsFoundByLooking() throws Exception {
        house.plain();
        try (FaultProxy proxy = FaultProxy.start(Protocol.POSTGRESQL, "127.0.0.1", house.port());
                StreamingConnection connection = house.to("plain")
                        .withCatalog(house.through(proxy.port()))
                        .withSource("s")
                        .connect()) {
            proxy.at(request -> request.text().contains(MOVE), Fault.CUT_AFTER);

            CommitInfo info = transaction(connection, "1,a");

            assertThat(info.repeated()).isFalse();
            assertThat(info.snapshotId()).isNotNull();
            assertThat(house.rows("plain")).containsExactly("1,a");
            transaction(connection, "2,b");
        }

        assertThat(house.rows("plain")).containsExactly("1,a", "2,b");
        assertThat(house.balance("plain").rows()).isEqualTo(2);
    }

    @Test
    void aCommitThatNeverArrivedIsSentAgain() throws Exception {
        house.plain();
        try (FaultProxy proxy = FaultProxy.start(Protocol.POSTGRESQL, "127.0.0.1", house.port());
                StreamingConnection connection = house.to("plain")
                        .withCatalog(house.through(proxy.port()))
                        .connect()) {
            proxy.at(request -> request.text().contains(MOVE), Fault.CUT_BEFORE);

            transaction(connection, "1,a");
        }

        assertThat(house.rows("plain")).containsExactly("1,a");
        assertThat(house.tasks("plain")).hasSize(1);
    }

    @Test
    void filesOfAWriterThatIsGoneAreDeletedByTheNextOne() throws Exception {
        house.plain();
        try (StreamingConnection connection = house.to("plain").connect()) {
            transaction(connection, "1,a");
        }
        Path gone = house.filesOnDisk("plain").get(0).resolve("../../gone").normalize();
        Files.createDirectories(gone);
        Files.writeString(gone.resolve(".lease"), "");
        Files.writeString(gone.resolve("00000001.parquet"), "nobody names it");

        try (StreamingConnection connection = house.to("plain").connect()) {
            assertThat(gone).doesNotExist();
            transaction(connection, "2,b");
        }

        assertThat(house.rows("plain")).containsExactly("1,a", "2,b");
        assertThat(house.filesOnDisk("plain")).hasSize(2);
    }

    @Test
    void filesOfAWriterThatLivesAreLeftAlone() throws Exception {
        house.plain();
        try (StreamingConnection living =
                house.to("plain").withMemoryLimit(1 << 16).connect()) {
            living.beginTransaction();
            for (int i = 0; i < 4000; i++) {
                write(living, i + ",some text that fills the memory of the connection");
            }
            assertThat(living.getConnectionStats().getAutoFlushes()).isPositive();
            int files = house.filesOnDisk("plain").size();
            try (StreamingConnection other =
                    house.to("plain").withCatalog(house.through(house.port())).connect()) {
                transaction(other, "-1,b");
            }
            assertThat(house.filesOnDisk("plain")).hasSize(files + 1);
            living.commitTransaction();
        }

        assertThat(house.rows("plain")).hasSize(4001);
    }
}
