package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.PublishAttempt;
import io.weir.ledger.publish.PublishEvidence;
import io.weir.ledger.publish.PublishTarget;
import io.weir.table.Evidence;
import io.weir.table.LakeTable;

/** A lake table in the eyes of the resolver. */
record LakeTarget(LakeTable table) implements PublishTarget {
    @Override
    public void fence(PublishAttempt attempt) {
        table.fence(attempt);
    }

    @Override
    public PublishEvidence read(PublishAttempt attempt) {
        Evidence evidence = table.read(attempt);
        if (evidence.verdict() == Evidence.Verdict.UNDETERMINED) {
            throw new WeirException(
                    ErrorCode.TABLE_COMMIT_UNKNOWN,
                    "Cannot settle run "
                            + attempt.runId()
                            + ": the table no longer tells (evidence="
                            + evidence.text()
                            + ")");
        }
        return new PublishEvidence(evidence.published(), evidence.snapshotId(), evidence.text());
    }
}
