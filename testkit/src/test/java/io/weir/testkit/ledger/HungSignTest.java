package io.weir.testkit.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.Progress;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.run.Partition;
import io.weir.ledger.LedgerSettings;
import io.weir.ledger.PostgresLedger;
import io.weir.testkit.postgresql.TestDatabase;
import io.weir.testkit.postgresql.TestPostgres;
import io.weir.testkit.proxy.Fault;
import io.weir.testkit.proxy.FaultProxy;
import io.weir.testkit.proxy.Protocol;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** A sign of life whose connection hangs is given up while there is time for the others. */
class HungSignTest {
    private static final Duration LEASE = Duration.ofSeconds(24);

    private final TestDatabase books = TestPostgres.shared().createDatabase();
    private final FaultProxy line =
            FaultProxy.start(Protocol.POSTGRESQL, books.host(), books.port());
    private final PostgresLedger ledger = PostgresLedger.open(
            "jdbc:postgresql://" + line.host() + ":" + line.port() + "/" + books.name(),
            books.user(),
            books.password(),
            LedgerSettings.ofLease(LEASE));

    @AfterEach
    void close() {
        ledger.close();
        line.close();
    }

    // F33
    @Test
    void oneConnectionThatHangsCostsNoOtherClaimItsLease() {
        LedgerScript script = new LedgerScript(ledger, LedgerScript.request("orders"));
        ledger.registerManifest(script.id(), LedgerScript.manifest(2));
        WorkOrder hung = claim(script);
        WorkOrder other = claim(script);
        RunDetail before = script.detail();
        line.at(request -> request.text().contains("weir.partition"), Fault.BLACK_HOLE);

        assertThatThrownBy(() -> ledger.heartbeat(hung.claim(), new Progress(1, 8)))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.LEDGER_UNREACHABLE));
        assertThat(alive(script)).isEqualTo(2);
        ledger.heartbeat(other.claim(), new Progress(1, 8));
        ledger.heartbeat(hung.claim(), new Progress(2, 16));

        List<Partition> after = script.detail().partitions();
        for (int i = 0; i < after.size(); i++) {
            assertThat(after.get(i).leaseUntil())
                    .isAfter(before.partitions().get(i).leaseUntil());
        }
        assertThat(alive(script)).isEqualTo(2);
    }

    private WorkOrder claim(LedgerScript script) {
        return ledger.claimNext(script.id(), UUID.randomUUID(), "w1").orElseThrow();
    }

    /** Claims whose lease is not over, by the clock of the ledger. */
    private static long alive(LedgerScript script) {
        RunDetail detail = script.detail();
        return detail.partitions().stream()
                .filter(partition -> partition.leaseUntil() != null
                        && detail.now().isBefore(partition.leaseUntil()))
                .count();
    }
}
