package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.app.CommandLineHouse.Output;
import io.weir.core.error.ErrorCode;
import io.weir.core.json.Json;
import io.weir.ingest.StreamingConnection;
import io.weir.ingest.TransactionError;
import io.weir.ingest.WeirStreamingConnection;
import io.weir.ingest.record.StrictDelimitedInputWriter;
import io.weir.ledger.PostgresLedger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** Another process sees who streams records into tables, and may end it. */
class TransactionsCommandTest {
    @TempDir
    Path directory;

    private CommandLineHouse house;
    private String file;
    private PostgresLedger ledger;
    private StreamingConnection connection;

    @BeforeEach
    void open() throws Exception {
        house = new CommandLineHouse(directory);
        file = house.jobFile().toString();
        house.weir(
                "ingest",
                "-f",
                file,
                "--table",
                "testing.alerts",
                "--create",
                "id int, msg string",
                "--input",
                house.write("none.csv", "").toString());
        ledger = PostgresLedger.open(house.books.url(), house.books.user(), house.books.password());
        connection = WeirStreamingConnection.newBuilder()
                .withDatabase("testing")
                .withTable("alerts")
                .withAgentInfo("nifi-7")
                .withRecordWriter(StrictDelimitedInputWriter.newBuilder()
                        .withFieldDelimiter(',')
                        .build())
                .withLedger(ledger)
                .withCatalog(Map.of(
                        "uri", house.books.url(),
                        "jdbc.user", house.books.user(),
                        "jdbc.password", house.books.password(),
                        "warehouse", "file://" + directory.resolve("lake")))
                .connect();
    }

    @AfterEach
    void close() {
        connection.close();
        ledger.close();
    }

    private Output transactions(String... more) {
        String[] all = new String[more.length + 3];
        all[0] = "transactions";
        System.arraycopy(more, 0, all, 1, more.length);
        all[more.length + 1] = "-f";
        all[more.length + 2] = file;
        return house.weir(all);
    }

    @Test
    void whatIsOpenIsListedAndMayBeAborted() throws Exception {
        assertThat(transactions().out()).isEqualTo("No open transactions.\n");
        connection.beginTransaction();
        connection.write("1,a".getBytes(StandardCharsets.UTF_8));

        var row = Json.parse(transactions("--json").out());
        String id = row.path("transaction").asText();
        assertThat(row.path("table").asText()).isEqualTo("testing.alerts");
        assertThat(row.path("state").asText()).isEqualTo("OPEN");
        assertThat(row.path("agent").asText()).isEqualTo("nifi-7");
        assertThat(row.path("source").isNull()).isTrue();
        assertThat(transactions().out()).contains(id, "testing.alerts", "OPEN", "nifi-7");

        Output abort = transactions("abort", id, "--reason", "wrong feed", "--by", "ann");

        assertThat(abort.out())
                .isEqualTo("Transaction " + id + " on testing.alerts is aborted. Its connection"
                        + " hears of it at its next sign or commit.\n");
        assertThatThrownBy(connection::commitTransaction)
                .isInstanceOfSatisfying(TransactionError.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.INGEST_EXPIRED);
                    assertThat(e).hasMessageContaining("(by=ann: wrong feed)");
                });
        assertThat(transactions().out()).isEqualTo("No open transactions.\n");
    }

    @Test
    void whatCannotBeAbortedIsNamed() {
        assertThat(transactions("abort", "x", "--reason", "r").err())
                .contains("Cannot abort transaction x: it is no id");
        Output unknown =
                transactions("abort", "00000000-0000-0001-0000-000000000002", "--reason", "r");
        assertThat(unknown.exitCode()).isEqualTo(3);
        assertThat(unknown.err())
                .contains("STREAM_NOT_FOUND", "the ledger has no open transaction of this id");
        assertThat(transactions("abort", "x").exitCode()).isEqualTo(2);
    }
}
