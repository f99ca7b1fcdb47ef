package io.weir.testkit.simulation;

import io.weir.core.error.ErrorCode;
import io.weir.core.ledger.RunDetail;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishMode;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.RunId;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Makes what was audited visible: claims the target, commits once, tells how it ended. */
final class PublishStep {
    private static final int MOVES_MAX = 2;
    private static final int BUSY_MAX = 4;

    private final Steps steps;
    private final Steps.Step step;
    private final World world;
    private final RunId run;
    private PublishMode mode = PublishMode.REPLACE;
    private List<String> files = List.of();
    private int moves;
    private int busy;

    PublishStep(Steps steps, Steps.Step step) {
        this.steps = steps;
        this.step = step;
        this.world = steps.world;
        this.run = step.run;
    }

    void begin(RunDetail detail) {
        mode = detail.run().publishMode();
        files = ValidateStep.filesOf(detail);
        Optional<PublishAttempt> staged = detail.attempts().stream()
                .filter(attempt -> attempt.state() == AttemptState.STAGED
                        && attempt.stagedSnapshotId() != null)
                .findFirst();
        steps.lake.look(
                detail.run().target(),
                state -> {
                    Optional<PublishAttempt> ready =
                            staged.filter(attempt -> state.refusal(attempt).isEmpty());
                    if (ready.isPresent()) {
                        steps.work(() -> claim(ready.get()));
                    } else {
                        open(state.main());
                    }
                },
                step::end);
    }

    /** The same files on a branch of the new main. */
    private void open(long base) {
        UUID token = world.random.id();
        steps.port.call(
                "open attempt again of " + Brief.id(run),
                ledger -> ledger.openAttempt(run, base, token),
                attempt -> {
                    world.journal.opened(attempt);
                    stage(attempt, true);
                },
                refusal -> step.end());
    }

    private void stage(PublishAttempt attempt, boolean claim) {
        steps.lake.stage(
                attempt,
                mode,
                files,
                staged -> steps.port.tell(
                        "record staged again of " + Brief.id(run),
                        ledger -> ledger.recordStaged(attempt, staged),
                        () -> {
                            PublishAttempt ready = attempt.withStaged(staged);
                            if (claim) {
                                claim(ready);
                            } else {
                                commit(ready);
                            }
                        },
                        refusal -> step.end()),
                step::end);
    }

    private void claim(PublishAttempt attempt) {
        steps.port.call(
                "claim publish " + attempt.epoch() + " of " + Brief.id(run),
                ledger -> ledger.claimPublish(attempt),
                open -> steps.work(() -> commit(open)),
                refusal -> {
                    boolean again = refusal.code() == ErrorCode.TARGET_BUSY && busy < BUSY_MAX;
                    busy++;
                    if (again) {
                        steps.process.after(world.random.seconds(2, 10), () -> claim(attempt));
                    } else {
                        step.end();
                    }
                });
    }

    private void commit(PublishAttempt attempt) {
        steps.lake.publish(attempt, (outcome, snapshot) -> {
            switch (outcome) {
                case PUBLISHED -> result(attempt, PublishOutcome.PUBLISHED, snapshot);
                case UNKNOWN -> result(attempt, PublishOutcome.UNKNOWN, null);
                case MOVED ->
                    // Without its branch it can never be published: that is the proof.
                    steps.lake.discard(
                            attempt.target(),
                            attempt.branch(),
                            () -> moved(attempt),
                            () -> result(attempt, PublishOutcome.UNKNOWN, null));
            }
        });
    }

    private void moved(PublishAttempt attempt) {
        if (moves++ == MOVES_MAX) {
            result(
                    attempt,
                    world.random.chance(0.5) ? PublishOutcome.FAILED : PublishOutcome.ABSENT,
                    null);
            return;
        }
        UUID token = world.random.id();
        steps.lake.look(
                attempt.target(),
                state -> steps.port.call(
                        "renew attempt " + attempt.epoch() + " of " + Brief.id(run),
                        ledger -> ledger.renewAttempt(attempt, state.main(), token),
                        renewed -> {
                            world.journal.opened(renewed);
                            stage(renewed, false);
                        },
                        refusal -> step.end()),
                step::end);
    }

    private void result(PublishAttempt attempt, PublishOutcome outcome, @Nullable Long snapshot) {
        steps.port.call(
                "result " + outcome + " of attempt " + attempt.epoch() + " of " + Brief.id(run),
                ledger -> ledger.publishResult(attempt, outcome, snapshot, "seen: " + outcome),
                now -> {
                    world.journal.settled(attempt, outcome);
                    step.end();
                },
                refusal -> step.end());
    }
}
