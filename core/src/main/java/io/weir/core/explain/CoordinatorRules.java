package io.weir.core.explain;

import io.weir.core.run.Run;
import io.weir.core.run.RunState;

import java.time.Instant;
import java.util.List;

/** The coordinator of a run that is planned or read. */
final class CoordinatorRules {
    private CoordinatorRules() {}

    static List<Finding> of(Facts facts) {
        boolean led = facts.state() == RunState.CREATED || facts.state() == RunState.EXTRACTING;
        if (led && facts.isOver(facts.run().leaseUntil())) {
            return List.of(lost(facts));
        }
        return facts.state() == RunState.CREATED ? List.of(planning(facts)) : List.of();
    }

    private static Finding lost(Facts facts) {
        Instant lease = facts.run().leaseUntil();
        return new Draft(
                        FindingCode.COORDINATOR_LOST,
                        "The coordinator gave no sign since its lease ended " + facts.ago(lease)
                                + ".")
                .since(lease)
                .next(facts.atSweep("the run ends as TIMED_OUT", lease))
                .act(Commands.LOAD_AGAIN)
                .done();
    }

    private static Finding planning(Facts facts) {
        Run run = facts.run();
        return new Draft(
                        FindingCode.PLANNING,
                        "The coordinator takes a snapshot of " + run.sourceTable()
                                + " and plans how to split it.")
                .since(run.createdAt())
                .fact("source", run.source())
                .time("lease of the coordinator", run.leaseUntil())
                .next(Next.sometime("the manifest moves the run to EXTRACTING"))
                .act(Commands.cancel(run.id()))
                .done();
    }
}
