package io.weir.testkit.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.ledger.ReportReply;
import io.weir.core.ledger.RunFilter;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.run.Event;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.LedgerSettings;
import io.weir.ledger.PostgresLedger;
import io.weir.testkit.postgresql.TestDatabase;
import io.weir.testkit.postgresql.TestPostgres;
import io.weir.testkit.proxy.Fault;
import io.weir.testkit.proxy.FaultProxy;
import io.weir.testkit.proxy.Protocol;
import io.weir.testkit.proxy.Request;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.UUID;

/** The connection breaks around a COMMIT: the server is asked what became of the transaction. */
class LostCommitTest {
    private final TestDatabase books = TestPostgres.shared().createDatabase();
    private final FaultProxy line =
            FaultProxy.start(Protocol.POSTGRESQL, books.host(), books.port());
    private PostgresLedger ledger;

    @BeforeEach
    void open() {
        ledger = PostgresLedger.open(
                "jdbc:postgresql://" + line.host() + ":" + line.port() + "/" + books.name(),
                books.user(),
                books.password(),
                LedgerSettings.DEFAULTS.withConnectionsMax(2));
        line.startOver();
    }

    @AfterEach
    void close() {
        ledger.close();
        line.close();
    }

    private long sent(String part) {
        return line.seen().stream()
                .filter(request -> request.text().contains(part))
                .count();
    }

    private List<String> events(RunId id) {
        return ledger.events(id).stream().map(Event::name).toList();
    }

    private Run extracting() {
        Run run = ledger.createRun(LedgerScript.request("orders"));
        return ledger.registerManifest(run.id(), LedgerScript.manifest(1));
    }

    // F23
    @Test
    void whatWasCommittedIsAnsweredAndNotRunAgain() {
        line.onCommit(Fault.CUT_AFTER);

        Run run = ledger.createRun(LedgerScript.request("orders"));

        assertThat(run.state()).isEqualTo(RunState.CREATED);
        assertThat(sent("pg_xact_status")).isEqualTo(1);
        assertThat(sent("insert into weir.run")).isEqualTo(1);
        assertThat(ledger.runs(new RunFilter("orders", false, 10)))
                .extracting(Run::id)
                .containsExactly(run.id());
        assertThat(events(run.id())).containsExactly("RUN_CREATED");
    }

    // F12 F22 F23
    @Test
    void whatWasNotCommittedIsRunAgainOnce() {
        line.onCommit(Fault.CUT_BEFORE);

        Run run = ledger.createRun(LedgerScript.request("orders"));

        assertThat(sent("pg_xact_status")).isGreaterThanOrEqualTo(1);
        assertThat(sent("insert into weir.run")).isEqualTo(2);
        assertThat(ledger.runs(new RunFilter("orders", false, 10)))
                .extracting(Run::id)
                .containsExactly(run.id());
        assertThat(events(run.id())).containsExactly("RUN_CREATED");
    }

    // F1
    @Test
    void aClaimWhoseReplyIsLostIsTheSameClaimAgain() {
        Run run = extracting();
        UUID token = UUID.randomUUID();
        line.at(LostCommitTest::isAdvance, Fault.CUT_AFTER);

        WorkOrder order = ledger.claimNext(run.id(), token, "worker").orElseThrow();
        WorkOrder again = ledger.claimNext(run.id(), token, "worker").orElseThrow();

        assertThat(order.claim().epoch()).isEqualTo(1);
        assertThat(again).isEqualTo(order);
        assertThat(events(run.id())).containsOnlyOnce("PARTITION_CLAIMED");
    }

    // F5 F6
    @Test
    void aReportWhoseReplyIsLostCountsOnce() {
        Run run = extracting();
        WorkOrder order =
                ledger.claimNext(run.id(), UUID.randomUUID(), "worker").orElseThrow();
        line.onCommit(Fault.CUT_AFTER);

        ReportReply reply = ledger.reportChunks(
                order.claim(), List.of(LedgerScript.chunk(0, LedgerScript.ROWS, true)));
        ReportReply again = ledger.reportChunks(
                order.claim(), List.of(LedgerScript.chunk(0, LedgerScript.ROWS, true)));

        assertThat(reply.runState()).isEqualTo(RunState.EXTRACTED_VALIDATED);
        assertThat(again).isEqualTo(reply);
        assertThat(ledger.detail(run.id()).run().extracted().rows()).isEqualTo(LedgerScript.ROWS);
        assertThat(events(run.id()))
                .containsOnlyOnce("PARTITION_SUCCEEDED")
                .containsOnlyOnce("RUN_EXTRACTED");
        assertThat(ledger.detail(run.id()).dispatches()).hasSize(1);
    }

    // F5 F6
    @Test
    void aPlainReportWhoseReplyIsLostCountsOnce() {
        for (Fault fault : List.of(Fault.CUT_AFTER, Fault.CUT_BEFORE)) {
            Run run = ledger.createRun(LedgerScript.request("orders-" + fault));
            ledger.registerManifest(run.id(), LedgerScript.manifest(1));
            WorkOrder order =
                    ledger.claimNext(run.id(), UUID.randomUUID(), "worker").orElseThrow();
            line.at(LostCommitTest::isAdvance, fault);

            ReportReply reply =
                    ledger.reportChunks(order.claim(), List.of(LedgerScript.chunk(0, 4, false)));
            ReportReply again =
                    ledger.reportChunks(order.claim(), List.of(LedgerScript.chunk(0, 4, false)));

            assertThat(reply.runState()).isEqualTo(RunState.EXTRACTING);
            assertThat(again).isEqualTo(reply);
            assertThat(ledger.detail(run.id()).partitions().get(0).balance())
                    .isEqualTo(LedgerScript.balance(4));
            assertThat(events(run.id())).containsOnlyOnce("CHUNKS_REPORTED");
        }
        // Nobody has to ask the server: the same report finds its chunk or writes it.
        assertThat(sent("pg_xact_status")).isZero();
    }

    /** The statement that is a transaction by itself. */
    private static boolean isAdvance(Request request) {
        return request.statements().stream().anyMatch(sql -> sql.startsWith("with call as"));
    }
}
