package io.weir.core.explain;

import io.weir.core.run.Run;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The time in which a run has to be published. */
final class DeadlineRules {
    /** Worth saying once this part of the time is left. */
    private static final int NEAR = 10;

    private static final String ENDS = "the run ends as TIMED_OUT";

    private DeadlineRules() {}

    static List<Finding> of(Facts facts) {
        if (!facts.isBeforePublishing()) {
            return List.of();
        }
        Run run = facts.run();
        Duration allowed = Duration.between(run.createdAt(), run.deadline());
        Duration left = Duration.between(facts.now(), run.deadline());
        if (facts.isOver(run.deadline())) {
            return List.of(over(facts, allowed));
        }
        boolean near = left.multipliedBy(NEAR).compareTo(allowed) <= 0;
        return near ? List.of(near(facts, allowed, left)) : List.of();
    }

    private static Finding over(Facts facts, Duration allowed) {
        Instant deadline = facts.run().deadline();
        return new Draft(
                        FindingCode.DEADLINE_OVER,
                        "The run was not published within " + Words.duration(allowed)
                                + ": its deadline was " + facts.ago(deadline) + ".")
                .since(deadline)
                .next(facts.atDeadline(ENDS))
                .act(Commands.advice("Give the job more time"))
                .act(Commands.LOAD_AFTERWARDS)
                .done();
    }

    private static Finding near(Facts facts, Duration allowed, Duration left) {
        Instant deadline = facts.run().deadline();
        return new Draft(
                        FindingCode.DEADLINE_NEAR,
                        "Only " + Words.duration(left) + " of " + Words.duration(allowed)
                                + " are left to publish the run.")
                .since(deadline.minus(allowed.dividedBy(NEAR)))
                .time("deadline", deadline)
                .next(facts.atDeadline(ENDS + " unless it is being published by then"))
                .done();
    }
}
