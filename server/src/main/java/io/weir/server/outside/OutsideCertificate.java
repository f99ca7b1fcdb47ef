package io.weir.server.outside;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.ledger.outside.OutsideMetric;
import io.weir.ledger.outside.OutsidePartition;
import io.weir.ledger.outside.OutsideReplies;
import io.weir.ledger.outside.OutsideRun;

import java.util.List;
import java.util.Map;

/** What the ledger vouches for after an outside run, and what it does not. */
final class OutsideCertificate {
    /** Always so: the flow reads, writes, measures and publishes by itself. */
    private static final List<String> LIMITS = List.of(
            "unfenced paths: a late worker can overwrite a file that counts",
            "client-measured: every figure is the word of the flow",
            "no digests: a changed value that no figure covers is not seen",
            "unfenced target: the publishing statement cannot be looked up");

    private OutsideCertificate() {}

    /**
     * Of a run that ended.
     *
     * @throws WeirException {@link ErrorCode#RUN_STATUS_MISMATCH} before its end
     */
    static ObjectNode of(OutsideReplies.Detail detail, List<OutsideMetric> metrics) {
        OutsideRun run = detail.run();
        if (run.endedAt() == null) {
            throw WeirException.of(
                    ErrorCode.RUN_STATUS_MISMATCH,
                    "Cannot certify run " + run.id() + ": it has not ended (state=" + run.state()
                            + ")",
                    Map.of("runStatus", run.state().name()));
        }
        String id = run.id().toString();
        ObjectNode node = Json.object()
                .put("runId", id)
                .put("profile", "outside")
                .put("jobKey", run.job())
                .put("businessKey", run.businessKey())
                .put("status", run.state().name())
                .put("snapshotScn", run.snapshot())
                .put("manifestDigest", run.manifestDigest())
                .put("sourceCount", run.sourceCount())
                .put("extractedCount", run.extractedRows())
                .put("stagingCount", run.stagingCount())
                .put("targetCount", run.targetCount())
                .put("partitionCount", run.partitionCount())
                .put(
                        "fileCount",
                        detail.partitions().stream()
                                .mapToLong(OutsidePartition::chunkCount)
                                .sum())
                .put("publishedAt", run.publishedAt() == null ? null : "" + run.publishedAt())
                .put("completedAt", run.endedAt().toString());
        LIMITS.forEach(node.putArray("limits")::add);
        node.set("metrics", OutsideJson.metrics(id, metrics).get("metrics"));
        return node;
    }
}
