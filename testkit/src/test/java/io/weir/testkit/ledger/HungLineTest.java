package io.weir.testkit.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.run.PartitionState;
import io.weir.ledger.LedgerSettings;
import io.weir.ledger.PostgresLedger;
import io.weir.testkit.postgresql.TestDatabase;
import io.weir.testkit.postgresql.TestPostgres;
import io.weir.testkit.proxy.Direction;
import io.weir.testkit.proxy.Ending;
import io.weir.testkit.proxy.FaultProxy;
import io.weir.testkit.proxy.Protocol;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** A line that swallows everything holds no call for longer than the URL of the ledger allows. */
class HungLineTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final TestDatabase books = TestPostgres.shared().createDatabase();
    private final FaultProxy line =
            FaultProxy.start(Protocol.POSTGRESQL, books.host(), books.port());
    private final PostgresLedger ledger = PostgresLedger.open(
            "jdbc:postgresql://" + line.host() + ":" + line.port() + "/" + books.name()
                    + "?socketTimeout=1",
            books.user(),
            books.password(),
            LedgerSettings.DEFAULTS);

    @AfterEach
    void close() {
        ledger.close();
        line.close();
    }

    // F33
    @Test
    void aReportThatHangsEndsWithAnErrorAndCountsOnceWhenItIsSentAgain() {
        LedgerScript script = new LedgerScript(ledger, LedgerScript.request("orders"));
        ledger.registerManifest(script.id(), LedgerScript.manifest(1));
        WorkOrder order = ledger.claimNext(script.id(), UUID.randomUUID(), "w1").orElseThrow();
        List<ChunkReport> all = List.of(LedgerScript.chunk(0, LedgerScript.ROWS, true));
        line.blackHole(Direction.UP, Direction.DOWN);

        assertTimeoutPreemptively(
                PATIENCE,
                () -> assertThatThrownBy(() -> ledger.reportChunks(order.claim(), all))
                        .isInstanceOfSatisfying(
                                WeirException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.LEDGER_UNREACHABLE)));

        line.pass();
        line.cutAll(Ending.RESET);
        assertThat(ledger.reportChunks(order.claim(), all).partitionState())
                .isEqualTo(PartitionState.SUCCESS);
        assertThat(script.detail().partitions().get(0).chunkCount()).isEqualTo(1);
    }
}
