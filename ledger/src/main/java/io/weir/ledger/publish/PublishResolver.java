package io.weir.ledger.publish;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.RunDetail;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;

/** Settles a publish whose outcome nobody knows: fence, read, conclude. May be repeated. */
public final class PublishResolver {
    private PublishResolver() {}

    /**
     * Settles the unsettled attempt of a run; a run that has none is returned as it is.
     *
     * @return the run: PUBLISHED, or STAGING_VALIDATED to be published again, or FAILED_PUBLISH if
     *     that was tried often enough
     * @throws WeirException of the target if it cannot be fenced or read: the outcome stays open
     */
    public static Run resolve(Ledger ledger, RunId runId, PublishTarget target) {
        RunDetail detail = ledger.detail(runId);
        RunState state = detail.run().state();
        if (state != RunState.PUBLISHING && state != RunState.PUBLISH_UNKNOWN) {
            return detail.run();
        }
        PublishAttempt attempt = unsettled(detail);
        target.fence(attempt);
        PublishEvidence evidence = target.read(attempt);
        PublishOutcome outcome =
                evidence.published() ? PublishOutcome.PUBLISHED : PublishOutcome.ABSENT;
        return ledger.publishResult(attempt, outcome, evidence.snapshotId(), evidence.text());
    }

    private static PublishAttempt unsettled(RunDetail detail) {
        return detail.attempts().stream()
                .filter(attempt -> attempt.state() == AttemptState.OPEN
                        || attempt.state() == AttemptState.UNKNOWN)
                .findFirst()
                .orElseThrow(() -> new WeirException(
                        ErrorCode.LEDGER_INVARIANT,
                        "Cannot resolve run " + detail.run().id()
                                + ": no attempt is open (state="
                                + detail.run().state() + ")"));
    }
}
