package io.weir.ingest;

import static io.weir.ingest.IngestHouse.bytes;
import static io.weir.ingest.IngestHouse.transaction;
import static io.weir.ingest.IngestHouse.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.table.CatalogConfig;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Defects that the released client of Hive has, each with what happens here instead. */
class HiveDefectsTest extends HouseTest {
    @Test
    void aCommittedFileIsWholeBeforeTheConnectionIsClosed() throws Exception {
        house.plain();
        try (StreamingConnection connection =
                house.to("plain").withTransactionBatchSize(3).connect()) {
            transaction(connection, "1,a");

            Path file = house.filesOnDisk("plain").get(0);
            byte[] content = Files.readAllBytes(file);
            assertThat(house.tasks("plain").get(0).file().fileSizeInBytes())
                    .isEqualTo(content.length);
            assertThat(new String(
                            Arrays.copyOfRange(content, content.length - 4, content.length),
                            java.nio.charset.StandardCharsets.US_ASCII))
                    .isEqualTo("PAR1");
            assertThat(house.rows("plain")).containsExactly("1,a");
        }
    }

    @Test
    void nothingOfTheProcessIsChanged() throws Exception {
        house.plain();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        try (StreamingConnection connection = house.to("plain").connect()) {
            connection.beginTransaction();
            assertThat(Thread.getDefaultUncaughtExceptionHandler()).isSameAs(before);
            Thread other = new Thread(() -> {
                throw new IllegalStateException("of somebody else");
            });
            other.setUncaughtExceptionHandler((thread, thrown) -> {});
            other.start();
            other.join();
            write(connection, "1,a");
            connection.commitTransaction();
        }

        assertThat(house.rows("plain")).containsExactly("1,a");
    }

    @Test
    void beginOnAnOpenTransactionKeepsItsRows() throws Exception {
        house.plain();
        try (StreamingConnection connection = house.to("plain").connect()) {
            connection.beginTransaction();
            write(connection, "1,a");
            assertThatThrownBy(connection::beginTransaction)
                    .isInstanceOf(InvalidTransactionState.class)
                    .hasMessageContaining("one is open; commit or abort it first");
            connection.commitTransaction();
        }

        assertThat(house.rows("plain")).containsExactly("1,a");
    }

    @Test
    void closeCountsWhatItAborts() throws Exception {
        house.plain();
        StreamingConnection connection = house.to("plain").connect();
        connection.beginTransaction();
        write(connection, "1,a");
        connection.close();

        assertThat(connection.getConnectionStats().getAbortedTransactions()).isEqualTo(1);
        assertThat(house.rows("plain")).isEmpty();
    }

    @Test
    void wrongSettingsAreNamedAtConnect() {
        house.alerts();
        assertThatThrownBy(() -> house.to("alerts")
                        .withStaticPartitionValues(List.of("Asia"))
                        .connect())
                .isInstanceOf(ConnectionError.class)
                .hasMessageContaining("values=1, partitions=2");
        assertThatThrownBy(() -> house.to("alerts").withTransactionBatchSize(0).connect())
                .isInstanceOf(ConnectionError.class)
                .hasMessageContaining("transactions=0");
        assertThatThrownBy(() -> WeirStreamingConnection.newBuilder()
                        .withCatalog(house.config)
                        .withTable("t")
                        .connect())
                .hasMessageContaining("database cannot be null for streaming connection");
        assertThatThrownBy(() -> WeirStreamingConnection.newBuilder()
                        .withCatalog(house.config)
                        .withDatabase("d")
                        .withTable("t")
                        .connect())
                .hasMessageContaining("record writer cannot be null for streaming connection");
        assertThatThrownBy(() ->
                        WeirStreamingConnection.newBuilder().withCatalog(Map.of("uri", "jdbc:x")))
                .hasMessageContaining("property jdbc.user is missing");
    }

    @Test
    void aCatalogThatDoesNotAnswerIsAConnectionError() {
        CatalogConfig nowhere = new CatalogConfig(
                "weir", "jdbc:postgresql://127.0.0.1:1/x", "u", "p", house.config.warehouse());

        assertThatThrownBy(() -> house.to("plain").withCatalog(nowhere).connect())
                .isInstanceOfSatisfying(ConnectionError.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.CATALOG_UNREACHABLE);
                    assertThat(e.isRetriable()).isTrue();
                });
    }

    @Test
    void aStreamThatFailsIsAnErrorAndItsLastRecordIsNotTaken() throws Exception {
        house.plain();
        InputStream broken =
                new FilterInputStream(new ByteArrayInputStream(bytes("1,a\n2,b\n3,cut"))) {
                    @Override
                    public int read(byte[] into, int offset, int length) throws IOException {
                        int count = super.read(into, offset, length);
                        if (count < 0) {
                            throw new IOException("the line is dead");
                        }
                        return count;
                    }
                };
        try (StreamingConnection connection = house.to("plain").connect()) {
            connection.beginTransaction();
            assertThatThrownBy(() -> connection.write(broken))
                    .isInstanceOf(StreamingIOFailure.class)
                    .hasMessage("Cannot read the stream of records after record 2:"
                            + " the line is dead");
            connection.commitTransaction();
        }

        assertThat(house.rows("plain")).containsExactly("1,a", "2,b");
    }

    @Test
    void aFileThatCannotBeWrittenEndsTheTransactionAndNotTheConnection() throws Exception {
        house.plain();
        try (StreamingConnection connection =
                house.to("plain").withTransactionBatchSize(3).connect()) {
            transaction(connection, "1,a");
            Path first = house.filesOnDisk("plain").get(0);
            Path next = first.resolveSibling("00000002.parquet");
            Files.writeString(next, "in the way");
            connection.beginTransaction();
            write(connection, "2,b");

            assertThatThrownBy(connection::commitTransaction)
                    .isInstanceOf(StreamingIOFailure.class);
            assertThat(connection.toTransactionString()).contains("TxnStatus[CAA]");
            assertThatThrownBy(connection::commitTransaction)
                    .hasMessageContaining("Transaction state is not OPEN");
            transaction(connection, "3,c");
            Files.delete(next);
        }

        assertThat(house.rows("plain")).containsExactly("1,a", "3,c");
    }

    @Test
    void closeComesFromAnotherThreadToo() throws Exception {
        house.plain();
        StreamingConnection connection = house.to("plain").connect();
        connection.beginTransaction();
        write(connection, "1,a");
        Thread other = new Thread(connection::close);
        other.start();
        other.join();

        assertThatThrownBy(() -> write(connection, "2,b"))
                .hasMessageContaining("Streaming connection is closed already.");
        connection.close();
        assertThat(house.rows("plain")).isEmpty();
        assertThat(house.filesOnDisk("plain")).isEmpty();
    }

    @Test
    void aBuilderServesManyConnections() throws Exception {
        house.plain();
        var builder = house.to("plain");
        try (StreamingConnection one = builder.connect();
                StreamingConnection two = builder.connect()) {
            transaction(one, "1,a");
            transaction(two, "2,b");
        }

        assertThat(house.rows("plain")).containsExactly("1,a", "2,b");
    }
}
