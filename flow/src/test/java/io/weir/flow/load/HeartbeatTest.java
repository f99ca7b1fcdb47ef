package io.weir.flow.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.Ledger;
import io.weir.core.run.RunId;
import io.weir.core.run.SnapshotToken;
import io.weir.testkit.ledger.LedgerScript;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Signs of life of one process. */
class HeartbeatTest {
    private static final Duration BEAT = Duration.ofMillis(50);
    private static final int SECONDS_MAX = 60;

    @TempDir
    Path directory;

    private LoadHouse house;

    @BeforeEach
    void open() {
        house = new LoadHouse(directory);
    }

    @AfterEach
    void close() {
        house.close();
    }

    private Heartbeat start(Ledger ledger) {
        return Heartbeat.start(ledger, new Patience(Duration.ZERO, house.cancellation), BEAT);
    }

    // F33
    @Test
    void aSignThatFailsDoesNotKeepTheOthers() throws Exception {
        RunId run = house.ledger.createRun(LedgerScript.request("orders")).id();
        CountDownLatch holds = new CountDownLatch(2);
        Ledger ledger = LossyLedger.hooked(
                house.ledger,
                call -> {
                    if (call.equals("heartbeatRun")) {
                        throw new WeirException(
                                ErrorCode.LEDGER_UNREACHABLE, "Cannot prolong a lease: row locked");
                    }
                },
                call -> {
                    if (call.equals("holdSnapshot")) {
                        holds.countDown();
                    }
                });

        try (Heartbeat heartbeat = start(ledger)) {
            heartbeat.run(run);
            heartbeat.snapshot(
                    run,
                    UUID.randomUUID(),
                    new SnapshotToken(SnapshotToken.POSTGRESQL, "00000003-00000002-1"),
                    "w1");

            assertThat(holds.await(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        }
    }
}
