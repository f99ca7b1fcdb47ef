package io.weir.testkit.simulation;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.RunDetail;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.RunId;
import io.weir.ledger.publish.PublishEvidence;
import io.weir.ledger.publish.PublishResolver;
import io.weir.ledger.publish.PublishTarget;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/** Fence, read, conclude. */
final class ResolveStep {
    private final Steps steps;
    private final Steps.Step step;
    private final World world;
    private final RunId run;

    ResolveStep(Steps steps, Steps.Step step) {
        this.steps = steps;
        this.step = step;
        this.world = steps.world;
        this.run = step.run;
    }

    void begin(RunDetail detail) {
        Optional<PublishAttempt> unsettled = detail.attempts().stream()
                .filter(attempt -> attempt.state() == AttemptState.OPEN
                        || attempt.state() == AttemptState.UNKNOWN)
                .findFirst();
        if (unsettled.isEmpty()) {
            step.end();
        } else if (world.has(SeededBug.M10_NO_FENCE)) {
            read(unsettled.get());
        } else if (world.random.chance(0.3)) {
            resolveAtOnce();
        } else {
            PublishAttempt attempt = unsettled.get();
            steps.lake.fence(attempt, () -> steps.work(() -> read(attempt)), step::end);
        }
    }

    private void read(PublishAttempt attempt) {
        steps.lake.look(
                attempt.target(),
                state -> {
                    Optional<Long> snapshot = state.evidence(attempt);
                    if (snapshot.isPresent()) {
                        result(attempt, PublishOutcome.PUBLISHED, snapshot.get());
                    } else {
                        boolean again = world.random.chance(0.6);
                        result(
                                attempt,
                                again ? PublishOutcome.ABSENT : PublishOutcome.FAILED,
                                null);
                    }
                },
                step::end);
    }

    private void result(PublishAttempt attempt, PublishOutcome outcome, @Nullable Long snapshot) {
        steps.port.call(
                "resolve " + outcome + " of attempt " + attempt.epoch() + " of " + Brief.id(run),
                ledger -> ledger.publishResult(attempt, outcome, snapshot, "read: " + outcome),
                now -> {
                    world.journal.settled(attempt, outcome);
                    step.end();
                },
                refusal -> step.end());
    }

    /** The resolver of the ledger itself, in one go. */
    private void resolveAtOnce() {
        steps.port.call(
                "resolve " + Brief.id(run),
                ledger -> PublishResolver.resolve(ledger, run, new Target()),
                now -> step.end(),
                refusal -> step.end());
    }

    private final class Target implements PublishTarget {
        @Override
        public void fence(PublishAttempt attempt) {
            boolean down = world.faults.strikes(Fault.CATALOG_DOWN);
            LakeState state = world.lake.look(attempt.target());
            boolean needed =
                    state.fence() < attempt.epoch() && state.evidence(attempt).isEmpty();
            if (needed && (!down || world.random.chance(0.5))) {
                world.lake.swap(
                        steps.process.name,
                        attempt.target(),
                        state,
                        state.fenced(attempt, world.lake.newSnapshotId()),
                        "fence " + attempt.epoch());
            }
            if (down) {
                throw new WeirException(ErrorCode.CATALOG_UNREACHABLE, "Cannot fence: no answer");
            }
        }

        @Override
        public PublishEvidence read(PublishAttempt attempt) {
            return world.lake
                    .look(attempt.target())
                    .evidence(attempt)
                    .map(snapshot -> PublishEvidence.published(snapshot, "there"))
                    .orElseGet(() -> PublishEvidence.absent("fenced, not there"));
        }
    }
}
