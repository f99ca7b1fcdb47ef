package io.weir.core.ledger;

import io.weir.core.publish.PublishMode;
import io.weir.core.run.Cut;
import io.weir.core.run.RecoveryMode;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/**
 * Asks for a new run.
 *
 * @param idempotencyKey the same key with the same request answers with the same run
 * @param dataRoot where the table keeps its data; the ledger appends {@code /run=<id>} and, for
 *     each claim, {@code /p=<partition>/e=<epoch>/}
 * @param allowEmpty whether a source without rows may be published
 * @param lease how long a step of the run lives without a sign of its owner
 * @param timeout how long the run may take until it is published
 * @param recovery what happens to a partition whose worker is lost
 * @param cut null if the run is alone
 */
public record CreateRun(
        String idempotencyKey,
        String job,
        String businessKey,
        String source,
        String sourceTable,
        String target,
        PublishMode publishMode,
        String dataRoot,
        boolean allowEmpty,
        Duration lease,
        Duration timeout,
        RecoveryMode recovery,
        @Nullable Cut cut) {
    /** What must be equal for two requests to be the same request. */
    public List<Object> fingerprint() {
        return List.of(job, businessKey, source, sourceTable, target, publishMode, dataRoot);
    }
}
