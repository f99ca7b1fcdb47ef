package io.weir.ledger.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.decision.StatesDocument;

import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;

class ReplicationMachineTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final UUID MINE = new UUID(0, 1);
    private static final UUID OTHER = new UUID(0, 2);

    private static final Stop STOP = new Stop("CAPTURE_SLOT_LOST", "gone", "Drop it.");

    private static Replication row(ReplicationState state, UUID token, Instant until) {
        return new Replication(
                "shop",
                4,
                "db",
                "slot",
                state,
                2,
                token,
                "host/1",
                until,
                null,
                new LogPlace(10, "0/A"),
                null);
    }

    private static Replication row(ReplicationState state) {
        return row(state, MINE, NOW.plus(LEASE));
    }

    @Test
    void everyPairIsDecided() throws IOException {
        StatesDocument<ReplicationState, Replication> document = new StatesDocument<>(
                "States of a replicated job",
                "A job is replicated by one process at a time. Whoever claims it later, once the"
                        + " lease of the one before is over, has a higher epoch, and the one before"
                        + " can change nothing any more.",
                Arrays.asList(ReplicationState.values()),
                Replication::state);
        document.decide(
                "Claim, a dead owner's",
                state -> ReplicationMachine.claim(
                        row(state, OTHER, NOW), MINE, "host/2", LEASE, NOW));
        document.decide(
                "Claim, a living owner's",
                state -> ReplicationMachine.claim(row(state), OTHER, "host/2", LEASE, NOW));
        document.decide(
                "Claim, again",
                state -> ReplicationMachine.claim(row(state), MINE, "host/1", LEASE, NOW));
        document.decide("Sign", state -> ReplicationMachine.sign(row(state), MINE, LEASE, NOW));
        document.decide(
                "Sign, by a stranger",
                state -> ReplicationMachine.sign(row(state), OTHER, LEASE, NOW));
        document.decide("Release", state -> ReplicationMachine.release(row(state), MINE));
        document.decide(
                "Release, by a stranger", state -> ReplicationMachine.release(row(state), OTHER));
        document.decide(
                "Begin",
                state -> ReplicationMachine.begin(row(state), MINE, new LogPlace(5, "0/5")));
        document.decide(
                "Begin, by a stranger",
                state -> ReplicationMachine.begin(row(state), OTHER, new LogPlace(5, "0/5")));
        document.decide(
                "Capture",
                state -> ReplicationMachine.capture(row(state), MINE, new LogPlace(11, "0/B")));
        document.decide(
                "Capture, backwards",
                state -> ReplicationMachine.capture(row(state), MINE, new LogPlace(9, "0/9")));
        document.decide("Stop", state -> ReplicationMachine.stop(row(state), MINE, STOP));
        document.decide(
                "Stop, by a stranger", state -> ReplicationMachine.stop(row(state), OTHER, STOP));
        document.decide("Pause", state -> ReplicationMachine.pause(row(state)));
        document.decide("Resume", state -> ReplicationMachine.resume(row(state)));
        document.checkPage("replication.md");
    }

    @Test
    void aLaterClaimHasAHigherEpoch() {
        Replication claimed = ReplicationMachine.claim(
                        row(ReplicationState.RUNNING, OTHER, NOW), MINE, "host/2", LEASE, NOW)
                .rowOrThrow();
        assertThat(claimed.epoch()).isEqualTo(3);
        assertThat(claimed.token()).isEqualTo(MINE);
        assertThat(claimed.isHeld(NOW.plusSeconds(29))).isTrue();
        assertThat(claimed.isHeld(NOW.plusSeconds(30))).isFalse();
    }

    @Test
    void aStopIsOverWithTheNextClaim() {
        Replication stopped = ReplicationMachine.stop(row(ReplicationState.RUNNING), MINE, STOP)
                .rowOrThrow();
        assertThat(stopped.stop()).isEqualTo(STOP);
        Replication released = ReplicationMachine.release(stopped, MINE).rowOrThrow();
        assertThat(released.stop()).isEqualTo(STOP);
        assertThat(ReplicationMachine.claim(released, OTHER, "host/2", LEASE, NOW)
                        .rowOrThrow()
                        .stop())
                .isNull();
    }

    @Test
    void whoComesTooEarlyIsToldWhoHasIt() {
        Decision<Replication> refused = ReplicationMachine.claim(
                row(ReplicationState.RUNNING), OTHER, "host/2", LEASE, NOW);
        Assertions.assertThatThrownBy(refused::rowOrThrow)
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.REPLICATION_BUSY))
                .hasMessage("Cannot replicate job shop: another process does (owner=host/1,"
                        + " epoch=2)");
    }
}
