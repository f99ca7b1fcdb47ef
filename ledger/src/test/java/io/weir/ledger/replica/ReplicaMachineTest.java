package io.weir.ledger.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.run.RunId;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.decision.StatesDocument;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import java.util.stream.IntStream;

class ReplicaMachineTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final RunId RUN = new RunId(new UUID(0, 1));
    private static final Stop STOP = new Stop("MERGE_CHAIN_BROKEN", "found", "weir rebuild t");

    @Test
    void everyPairIsDecided() throws IOException {
        StatesDocument<ReplicaState, Replica> document = new StatesDocument<>(
                "States of a replicated table",
                "A replicated table is a table of the lake that is kept equal to a table of a"
                        + " source. Its windows move it along the log; whatever must not be"
                        + " published stops it and nothing else. Only a person lets a stopped"
                        + " table go on.",
                Arrays.asList(ReplicaState.values()),
                Replica::state);
        document.decide("Loaded", state -> ReplicaMachine.loaded(row(state), at(5), RUN));
        document.decide("Advance", state -> ReplicaMachine.advance(row(state), at(20)));
        document.decide(
                "Advance to the end of its log",
                state -> ReplicaMachine.advance(row(state), at(30)));
        document.decide("Advance, backwards", state -> ReplicaMachine.advance(row(state), at(9)));
        document.decide("Fail", state -> ReplicaMachine.fail(row(state), "why", 0, NOW));
        document.decide("Stop", state -> ReplicaMachine.stop(row(state), STOP));
        document.decide(
                "End of its log, further on",
                state -> ReplicaMachine.end(row(state), at(30), STOP));
        document.decide(
                "End of its log, here", state -> ReplicaMachine.end(row(state), at(10), STOP));
        document.decide("Look at every key", state -> ReplicaMachine.look(row(state)));
        document.decide(
                "Files put together by another writer",
                state -> ReplicaMachine.rewrite(row(state)));
        document.decide("Grow", state -> ReplicaMachine.grow(row(state), at(10)));
        document.decide("Continue", state -> ReplicaMachine.resume(row(state)));
        document.decide("Rebuild", state -> ReplicaMachine.rebuild(row(state)));
        document.decide("Roll back", state -> ReplicaMachine.rollBack(row(state), at(7)));
        document.checkPage("replica.md");

        for (String command : document.commands()) {
            boolean leaves = document.after(ReplicaState.STOPPED, command) != ReplicaState.STOPPED;
            assertThat(leaves).as(command).isEqualTo(command.matches("Continue|Rebuild|Roll back"));
        }
    }

    private static LogPlace at(long place) {
        return new LogPlace(place, "0/" + place);
    }

    private static Replica row(ReplicaState state) {
        return row(state, state == ReplicaState.ENDING ? at(30) : null);
    }

    private static Replica row(ReplicaState state, @Nullable LogPlace ends) {
        boolean loaded = state != ReplicaState.LOADING;
        boolean stopped = state == ReplicaState.ENDING || state == ReplicaState.STOPPED;
        return new Replica(
                "shop",
                "public.t",
                "sales.t",
                3,
                state,
                1,
                loaded ? RUN : null,
                loaded ? at(5) : null,
                loaded ? at(10) : null,
                0,
                null,
                null,
                ends,
                stopped ? STOP : null);
    }

    @Test
    void pausesDoubleUpToTenMinutes() {
        assertThat(IntStream.range(0, 9)
                        .mapToObj(failures -> ReplicaMachine.pause(failures, 1).toSeconds()))
                .containsExactly(5L, 10L, 20L, 40L, 80L, 160L, 320L, 600L, 600L);
        assertThat(ReplicaMachine.pause(3, 0)).isEqualTo(Duration.ofSeconds(20));
        assertThat(ReplicaMachine.pause(3, 0.5)).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void aFailureWaitsAndASuccessForgetsIt() {
        Replica failed =
                ReplicaMachine.fail(row(ReplicaState.RUNNING), "down", 0, NOW).rowOrThrow();
        assertThat(failed.failures()).isEqualTo(1);
        assertThat(failed.failure()).isEqualTo("down");
        assertThat(failed.nextAttemptAt()).isEqualTo(NOW.plusMillis(2500));
        assertThat(failed.isWaiting(NOW)).isTrue();
        assertThat(failed.isWaiting(NOW.plusMillis(2500))).isFalse();
        Replica on = ReplicaMachine.advance(failed, at(10)).rowOrThrow();
        assertThat(on.failures()).isZero();
        assertThat(on.nextAttemptAt()).isNull();
        assertThat(on.failure()).isNull();
    }

    /** Later changes are in no log: a table whose log ended can only be loaded anew. */
    @Test
    void aTableWhoseLogEndedCannotContinue() {
        Decision<Replica> decision = ReplicaMachine.resume(row(ReplicaState.STOPPED, at(10)));
        assertThat(decision.isRefused()).isTrue();
        Replica rebuilt =
                ReplicaMachine.rebuild(row(ReplicaState.STOPPED, at(10))).rowOrThrow();
        assertThat(rebuilt.generation()).isEqualTo(2);
        assertThat(rebuilt.ends()).isNull();
        assertThat(rebuilt.stop()).isNull();
        assertThat(rebuilt.verified()).isNull();
    }

    @Test
    void aTableIsNotRolledBackBehindTheBeginOfItsLog() {
        assertThat(ReplicaMachine.rollBack(row(ReplicaState.RUNNING), at(4)).isRefused())
                .isTrue();
        assertThat(ReplicaMachine.rollBack(row(ReplicaState.RUNNING), at(5))
                        .rowOrThrow()
                        .verified())
                .isEqualTo(at(5));
    }
}
