package io.weir.core.explain;

import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Failure;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A target that is taken, and a publish whose outcome nobody knows. */
final class PublishRules {
    private PublishRules() {}

    static List<Finding> of(Facts facts) {
        if (facts.state() == RunState.PUBLISH_UNKNOWN) {
            return List.of(unknown(facts));
        }
        PublishAttempt blocking = facts.situation().blocking();
        boolean taken = blocking != null
                && facts.state() == RunState.STAGING_VALIDATED
                && !blocking.runId().equals(facts.id())
                && (blocking.state() == AttemptState.OPEN
                        || blocking.state() == AttemptState.UNKNOWN);
        return blocking != null && taken ? List.of(busy(blocking)) : List.of();
    }

    private static Finding busy(PublishAttempt other) {
        boolean unknown = other.state() == AttemptState.UNKNOWN;
        String cause = unknown
                ? "Target " + other.target() + " is taken: nobody knows whether run "
                        + other.runId() + " is published to it."
                : "Target " + other.target() + " is taken: run " + other.runId()
                        + " publishes to it.";
        Draft draft = new Draft(FindingCode.TARGET_BUSY, cause)
                .fact("attempt", other.epoch())
                .fact("state", other.state())
                .fact("evidence", other.evidence())
                .next(Next.sometime("this run is published once that attempt is settled"));
        if (unknown) {
            draft.act(Commands.resolve(other.runId()));
        }
        return draft.act(Commands.show(other.runId())).done();
    }

    private static Finding unknown(Facts facts) {
        Run run = facts.run();
        Optional<PublishAttempt> attempt = facts.situation().detail().attempts().stream()
                .filter(a -> a.state() == AttemptState.UNKNOWN)
                .max(Comparator.comparingLong(PublishAttempt::epoch));
        Failure failure = run.failure();
        return new Draft(
                        FindingCode.PUBLISH_UNKNOWN,
                        "Nobody knows whether the run is published to " + run.target() + ".")
                .since(since(facts))
                .fact("attempt", attempt.map(PublishAttempt::epoch).orElse(null))
                .fact("evidence", attempt.map(PublishAttempt::evidence).orElse(null))
                .fact("reason", failure == null ? null : failure.message())
                .next(Next.sometime("a worker process fences the target, reads it and concludes;"
                        + " until then no other run is published to it"))
                .act(Commands.resolve(run.id()))
                .done();
    }

    /** When it became unknown: only the first question for the outcome was asked at that time. */
    private static @Nullable Instant since(Facts facts) {
        List<Dispatch> asked = facts.situation().detail().dispatches().stream()
                .filter(dispatch -> dispatch.kind() == Dispatch.Kind.RESOLVE_RUN)
                .toList();
        return asked.size() == 1 ? asked.get(0).createdAt() : null;
    }
}
