package io.weir.ledger.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.Claim;
import io.weir.core.ledger.Progress;
import io.weir.core.row.Balance;
import io.weir.core.run.Failure;
import io.weir.core.run.KeyRange;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionId;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RunId;
import io.weir.ledger.chunk.ChunkRow;
import io.weir.ledger.chunk.ChunkRules;
import io.weir.ledger.chunk.ChunkSet;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.decision.StatesDocument;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

class PartitionMachineTest {
    private static final RunId RUN = new RunId(new UUID(0, 1));
    private static final PartitionId ID = PartitionId.ofIndex(0);
    private static final UUID MINE = new UUID(0, 2);
    private static final UUID OTHER = new UUID(0, 3);
    private static final Instant NOW = Instant.parse("2026-11-29T10:00:00Z");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final int CLAIMS_MAX = 5;
    private static final PartitionCommand LOSE = new PartitionCommand.Lose(CLAIMS_MAX);
    private static final Failure FAILURE = new Failure("EXTRACT", "SOURCE_LOCKED", "locked");

    @Test
    void everyPairIsDecided() throws IOException {
        StatesDocument<PartitionState, Partition> document = document();

        for (PartitionState state : PartitionState.values()) {
            for (String command : document.commands()) {
                boolean moves = document.moves(state, command);
                assertThat(moves && state.isTerminal())
                        .as(state + " " + command)
                        .isFalse();
            }
            boolean closed = document.after(state, "Close").isTerminal();
            assertThat(closed).as("can be closed from " + state).isTrue();
        }
        document.checkPage("partition.md");
        document.checkMoves("partition");
    }

    private static StatesDocument<PartitionState, Partition> document() {
        StatesDocument<PartitionState, Partition> document = new StatesDocument<>(
                "States of a partition",
                "A partition is one range of a run. The owner is whoever holds token and"
                        + " epoch of the latest claim; a stranger is everybody else. A"
                        + " lease that is over takes nothing from the owner: only the"
                        + " sweeper gives the partition back, to RETRY, or fails it.",
                Arrays.asList(PartitionState.values()),
                Partition::state);
        add(document, "Claim, by the owner again", claim(MINE));
        add(document, "Claim, by a stranger, lease alive", claim(OTHER));
        document.decide(
                "Claim, by a stranger, lease over",
                state -> decide(withLease(state, 2, NOW), claim(OTHER)));
        document.decide(
                "Heartbeat, by the owner, lease over",
                state -> decide(withLease(state, 2, NOW), heartbeat(MINE, 2)));
        add(document, "Heartbeat, by the owner", heartbeat(MINE, 2));
        add(document, "Heartbeat, by a stranger", heartbeat(OTHER, 1));
        add(document, "Report, by the owner", report(MINE, 2, set(chunk(0, 4, false))));
        add(document, "Report, by the owner, completing", report(MINE, 2, set(chunk(0, 10, true))));
        add(
                document,
                "Report, by the owner, completing, and the sum is wrong",
                report(MINE, 2, set(chunk(0, 9, true))));
        add(document, "Report, by a stranger", report(OTHER, 1, set(chunk(0, 4, false))));
        add(document, "Fail, by the owner", new PartitionCommand.Fail(MINE, 2, FAILURE));
        add(document, "Fail, by a stranger", new PartitionCommand.Fail(OTHER, 1, FAILURE));
        add(document, "Lose, lease alive", LOSE);
        document.decide(
                "Lose, lease over", state -> decide(withLease(state, CLAIMS_MAX - 1, NOW), LOSE));
        document.decide(
                "Lose, lease over for the last time",
                state -> decide(withLease(state, CLAIMS_MAX, NOW), LOSE));
        add(document, "Close", new PartitionCommand.Close());
        return document;
    }

    @Test
    void theNextEpochBeginsWithNothing() {
        Partition lost = withLease(PartitionState.RUNNING, 2, NOW);

        Partition back = decide(lost, LOSE).rowOrThrow();
        Partition claimed = decide(back, claim(OTHER)).rowOrThrow();

        // The epoch that was lost stays used.
        assertThat(back.epoch()).isEqualTo(2);
        assertThat(back.leaseUntil()).isNull();
        assertThat(claimed.epoch()).isEqualTo(3);
        assertThat(claimed.token()).isEqualTo(OTHER);
        assertThat(claimed.worker()).isEqualTo("w2");
        assertThat(claimed.leaseUntil()).isEqualTo(NOW.plus(LEASE));
        assertThat(claimed.chunkCount()).isZero();
        assertThat(claimed.balance()).isEqualTo(Balance.ZERO);
        assertThat(claimed.progressRows()).isZero();
        assertThat(claimed.version()).isEqualTo(lost.version() + 2);
    }

    @Test
    void aLeaseIsAliveUntilItsLastMoment() {
        Partition running = withLease(PartitionState.RUNNING, 2, NOW.plusNanos(1000));

        assertThat(refusal(running, LOSE))
                .isEqualTo("CLAIM_MISMATCH Cannot give up the claim of partition 0000 of run " + RUN
                        + ": its lease is not over (state=RUNNING)");
        assertThat(decide(withLease(PartitionState.RUNNING, 2, NOW), LOSE)
                        .rowOrThrow()
                        .state())
                .isEqualTo(PartitionState.RETRY);
    }

    @Test
    void nobodyTakesAPartitionWhoseLeaseIsOver() {
        assertThat(refusal(withLease(PartitionState.RUNNING, 2, NOW), claim(OTHER)))
                .isEqualTo("CLAIM_MISMATCH Cannot claim partition 0000 of run " + RUN
                        + ": it cannot be claimed now (state=RUNNING)");
    }

    @Test
    void failsAfterTheLastClaimWasLost() {
        Partition lost = withLease(PartitionState.RUNNING, CLAIMS_MAX, NOW);

        Partition failed = decide(lost, LOSE).rowOrThrow();

        assertThat(failed.state()).isEqualTo(PartitionState.FAILED);
        assertThat(failed.leaseUntil()).isNull();
        assertThat(failed.failure())
                .isEqualTo(new Failure(
                        "EXTRACT",
                        "LEASE_LOST",
                        "Cannot extract partition 0000 of run " + RUN
                                + ": every claim was lost (claims=5, last worker=w1, lease until="
                                + NOW + ")"));
    }

    @Test
    void tellsALostClaimWhichEpochIsCurrent() {
        Partition running = row(PartitionState.RUNNING);

        assertThat(refusal(running, heartbeat(MINE, 1)))
                .isEqualTo("CLAIM_MISMATCH Cannot prolong the claim of partition 0000 of run " + RUN
                        + ": another claim holds it (epoch=1, current=2)");
        assertThat(refusal(running, report(OTHER, 2, set(chunk(0, 1, false)))))
                .startsWith("CLAIM_MISMATCH Cannot report chunks of partition 0000");
    }

    @Test
    void succeedsWhateverTheCountWhereTheSplitDoesNotKnowIt() {
        Partition running = row(PartitionState.RUNNING, 2, NOW.plusSeconds(1), null);

        Partition after = decide(
                        running, report(MINE, 2, set(chunk(0, 3, false), chunk(1, 4, true))))
                .rowOrThrow();

        assertThat(after.state()).isEqualTo(PartitionState.SUCCESS);
        assertThat(after.balance()).isEqualTo(new Balance(7, 0, 7));
        assertThat(after.bytes()).isEqualTo(200);
        assertThat(after.chunkCount()).isEqualTo(2);
    }

    @Test
    void namesExpectedAndFoundRows() {
        Partition after = decide(
                        row(PartitionState.RUNNING), report(MINE, 2, set(chunk(0, 9, true))))
                .rowOrThrow();

        assertThat(after.failure())
                .isEqualTo(new Failure(
                        "EXTRACT",
                        "ROW_COUNT_MISMATCH",
                        "Cannot accept partition 0000 of run " + RUN
                                + ": other rows arrived than the split counted"
                                + " (expected=10, found=9)"));
    }

    @Test
    void refusesNewChunksOfACompletePartition() {
        Partition success = row(PartitionState.SUCCESS);
        ChunkSet same = ChunkSet.of(List.of(chunk(0, 10, true)), List.of(chunk(0, 10, true)));
        ChunkSet other = ChunkSet.of(List.of(chunk(0, 10, true)), List.of(chunk(0, 11, true)));

        assertThat(decide(success, report(MINE, 2, same)))
                .isEqualTo(new Decision.AlreadyDone<>(success));
        assertThat(refusal(success, report(MINE, 2, other)))
                .startsWith("CHUNK_CONFLICT Cannot report chunks of partition 0000 of run " + RUN
                        + ": chunk 0 was reported with other content");
        assertThat(refusal(success, report(MINE, 2, set(chunk(1, 1, false)))))
                .endsWith("it is complete without them");
    }

    private static void add(
            StatesDocument<PartitionState, Partition> document,
            String name,
            PartitionCommand command) {
        document.decide(name, state -> decide(row(state), command));
    }

    private static Decision<Partition> decide(Partition partition, PartitionCommand command) {
        return PartitionMachine.decide(partition, command, NOW);
    }

    private static String refusal(Partition partition, PartitionCommand command) {
        return decide(partition, command)
                .match(new Decision.Cases<Partition, String>(
                        move -> "moved",
                        renew -> "renewed",
                        done -> "done",
                        refuse -> refuse.code() + " " + refuse.message()));
    }

    private static PartitionCommand claim(UUID token) {
        return new PartitionCommand.Claim(token, "w2", LEASE);
    }

    private static PartitionCommand heartbeat(UUID token, long epoch) {
        return new PartitionCommand.Heartbeat(token, epoch, new Progress(5, 50), LEASE);
    }

    private static PartitionCommand report(UUID token, long epoch, ChunkSet set) {
        return new PartitionCommand.Report(token, epoch, set, LEASE);
    }

    private static ChunkSet set(ChunkRow... rows) {
        return ChunkSet.of(List.of(), List.of(rows));
    }

    private static ChunkRow chunk(int index, long rows, boolean last) {
        ChunkReport report =
                new ChunkReport(index, 100, new Balance(rows, 0, rows), List.of(), last);
        return ChunkRules.rows(new Claim(RUN, ID, MINE, 2), List.of(report), "/p/")
                .get(0);
    }

    private static Partition row(PartitionState state) {
        return withLease(state, 2, NOW.plusSeconds(1));
    }

    private static Partition withLease(PartitionState state, long epoch, Instant leaseUntil) {
        return row(state, epoch, leaseUntil, 10L);
    }

    private static Partition row(
            PartitionState state, long epoch, Instant leaseUntil, @Nullable Long expectedRows) {
        boolean running = state == PartitionState.RUNNING;
        return new Partition(
                RUN,
                ID,
                0,
                KeyRange.ALL,
                state,
                6,
                epoch,
                MINE,
                "w1",
                expectedRows,
                3,
                30,
                1,
                10,
                new Balance(1, 0, 1),
                null,
                NOW.minusSeconds(9),
                state.isTerminal() ? NOW : null,
                running ? leaseUntil : null);
    }
}
