package io.weir.ledger;

import io.weir.core.publish.AttemptState;
import io.weir.core.run.Failure;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.ledger.books.Books;
import io.weir.ledger.books.Steps;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.publish.AttemptRow;
import io.weir.ledger.publish.PublishCommand;
import io.weir.ledger.publish.PublishMachine;
import io.weir.ledger.run.RunCommand;
import io.weir.ledger.run.RunMachine;
import io.weir.ledger.run.RunRow;
import io.weir.ledger.run.StepRules;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What follows once the owner of a step gave no sign before its lease ended. */
final class Leases {
    private Leases() {}

    /**
     * Looks at the lease of a locked run.
     *
     * @return the run after; empty if nothing changed
     */
    static Optional<RunRow> expire(Books books, RunRow row, int cyclesMax, Instant now) {
        boolean exhausted = StepRules.done(row.run().state())
                .filter(kind -> Steps.cycles(books, row.run(), kind) >= cyclesMax)
                .isPresent();
        Decision<RunRow> decision = RunMachine.decide(row, new RunCommand.Expire(exhausted), now);
        if (decision.isRefused()
                || decision.rowOrThrow().run().version() == row.run().version()) {
            return Optional.empty();
        }
        RunRow after = books.applyDecided(row, decision, now, next -> List.of());
        if (row.run().state() == RunState.PUBLISHING) {
            loseOpenAttempts(books, after.run(), now);
        }
        return Optional.of(after);
    }

    private static void loseOpenAttempts(Books books, Run run, Instant now) {
        for (AttemptRow attempt : books.attempts().lockUnsettled(run.id())) {
            if (attempt.attempt().state() == AttemptState.OPEN) {
                Failure failure = run.failure();
                String evidence = failure == null ? "lease lost" : failure.message();
                PublishCommand command = new PublishCommand.Lose(evidence);
                books.apply(attempt, PublishMachine.decide(attempt, command), now);
            }
        }
    }
}
