package io.weir.ledger.outside;

import io.weir.core.run.Failure;
import io.weir.core.run.RunState;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** What outside flows and their operators ask. */
public final class OutsideRequests {
    private OutsideRequests() {}

    /**
     * Asks for a new run.
     *
     * @param idempotencyKey null from flows that have none
     * @param parameters a JSON object
     */
    public record Create(
            @Nullable String idempotencyKey,
            String job,
            String businessKey,
            String root,
            String stageTablePrefix,
            boolean allowEmpty,
            String parameters) {}

    /**
     * Asks for a partition.
     *
     * @param leaseMillis how long the claim lives without a sign; null for the ledger's own
     */
    public record Claim(
            String token, String worker, @Nullable Long leaseMillis) {}

    /**
     * Says that a file is durable.
     *
     * @param epoch of the claim; null from flows that know none
     * @param path a full path below that of the run; null if the file is named instead
     * @param fileName a plain name in the directory of the claim
     */
    public record Chunk(
            String token,
            @Nullable Long epoch,
            int index,
            int total,
            @Nullable String fragment,
            @Nullable String path,
            @Nullable String fileName,
            long rows,
            @Nullable Long bytes) {}

    /** Ends a run. */
    public record Fail(RunState expected, RunState failState, Failure failure) {}

    /** Ends a partition; a snapshot error ends the run as FAILED_SNAPSHOT_EXPIRED. */
    public record FailPartition(
            String token, String stage, String errorClass, String code, String message) {}

    /**
     * Says how publishing ended.
     *
     * @param outcome PUBLISHED, FAILED_PUBLISH or PUBLISH_UNKNOWN
     */
    public record PublishResult(
            String token, RunState outcome, @Nullable String code, String message) {}

    /**
     * Settles a PUBLISH_UNKNOWN run by what a person found.
     *
     * @param resolution PUBLISHED or FAILED_PUBLISH
     * @param evidence what was looked at and found
     */
    public record Resolve(RunState resolution, String reason, List<Evidence> evidence) {
        public Resolve {
            evidence = List.copyOf(evidence);
        }
    }

    /** One look at the target. */
    public record Evidence(String check, String finding) {}
}
