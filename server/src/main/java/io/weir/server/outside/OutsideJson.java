package io.weir.server.outside;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.run.Failure;
import io.weir.ledger.outside.OutsideDispatch;
import io.weir.ledger.outside.OutsideEvent;
import io.weir.ledger.outside.OutsideLedger;
import io.weir.ledger.outside.OutsideMetric;
import io.weir.ledger.outside.OutsidePartition;
import io.weir.ledger.outside.OutsideReplies;
import io.weir.ledger.outside.OutsideRun;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Documents of what the ledger holds. */
final class OutsideJson {
    private static final int RECENT_HOURS = 24;

    private OutsideJson() {}

    static ObjectNode created(OutsideRun run) {
        return Json.object()
                .put("runId", run.id().toString())
                .put("status", run.state().name())
                .put("hdfsRunPath", run.runPath())
                .put("stageTable", run.stageTable());
    }

    static ObjectNode registered(OutsideReplies.Registered reply) {
        ObjectNode node = Json.object()
                .put("runId", reply.run().id().toString())
                .put("status", reply.run().state().name());
        ArrayNode parts = node.putArray("dispatchPartitions");
        reply.parts().forEach(part -> parts.add(part(part)));
        return node.put("emptyPartitionCount", reply.empty())
                .put("validationScheduled", reply.scheduled());
    }

    private static ObjectNode part(OutsidePartition part) {
        return range(Json.object().put("partitionId", part.id().value()), part);
    }

    /** Bounds travel as text: 38 digits survive no JSON number. */
    static ObjectNode range(ObjectNode node, OutsidePartition part) {
        return node.put("lowerBound", part.lower())
                .put("upperBound", part.upper())
                .put("upperInclusive", part.upperInclusive())
                .put("isNullPartition", part.isNull())
                .put("expectedRowCount", part.expectedRows());
    }

    static ObjectNode claimed(OutsideReplies.Claimed reply) {
        OutsidePartition partition = reply.partition();
        ObjectNode node = Json.object()
                .put("claimed", reply.claimed())
                .put("runStatus", reply.run().state().name())
                .put("partitionStatus", partition.state().name())
                .put("attempt", partition.epoch())
                .put("epoch", partition.epoch())
                .put("leaseSeconds", Duration.ofMillis(partition.leaseMillis()).toSeconds());
        if (reply.claimed()) {
            OutsideRun run = reply.run();
            ObjectNode order = node.putObject("workOrder")
                    .put("jobKey", run.job())
                    .put("businessKey", run.businessKey())
                    .put("snapshotScn", run.snapshot());
            range(order, partition).put("path", OutsideLedger.claimPath(run, partition));
        } else {
            node.putNull("workOrder");
        }
        return node;
    }

    static ObjectNode alive(OutsidePartition partition) {
        ObjectNode node = Json.object()
                .put("partitionStatus", partition.state().name())
                .put("epoch", partition.epoch());
        return time(node, "leaseUntil", partition.leaseUntil());
    }

    static ObjectNode reported(OutsideReplies.Reported reply) {
        return Json.object()
                .put("recorded", true)
                .put("partitionStatus", reply.partitionState().name())
                .put("runStatus", reply.runState().name())
                .put("receivedChunks", reply.received())
                .put("chunkCount", reply.total())
                .put("validationScheduled", reply.scheduled());
    }

    static ObjectNode started(OutsideReplies.Started reply) {
        OutsideRun run = reply.run();
        ObjectNode node = Json.object()
                .put("started", run != null)
                .put("runStatus", reply.runState().name())
                .put("jobKey", run == null ? null : run.job())
                .put("businessKey", run == null ? null : run.businessKey())
                .put("snapshotScn", run == null ? null : run.snapshot())
                .put("hdfsRunPath", run == null ? null : run.runPath())
                .put("stageTable", run == null ? null : run.stageTable())
                .put("sourceCount", run == null ? null : run.sourceCount())
                .put("extractedCount", run == null ? null : (Long) run.extractedRows());
        ObjectNode metrics = node.putObject("sourceMetrics");
        reply.sourceMetrics().forEach(metric -> metrics.put(metric.name(), metric.actual()));
        return node;
    }

    static ObjectNode gate(String name, OutsideReplies.Gate gate) {
        ObjectNode node = Json.object()
                .put(name, gate.passed())
                .put("runStatus", gate.runState().name());
        ArrayNode reasons = node.putArray("reasons");
        gate.reasons().forEach(reasons::add);
        return node;
    }

    static ObjectNode changed(OutsideReplies.Changed changed) {
        return Json.object()
                .put("runStatus", changed.runState().name())
                .put("changed", changed.changed());
    }

    static ObjectNode run(OutsideRun run) {
        Failure failure = run.failure();
        ObjectNode node = Json.object()
                .put("runId", run.id().toString())
                .put("profile", "outside")
                .put("jobKey", run.job())
                .put("businessKey", run.businessKey())
                .put("status", run.state().name())
                .put("snapshotScn", run.snapshot())
                .put("sourceCount", run.sourceCount())
                .put("extractedCount", run.extractedRows())
                .put("stagingCount", run.stagingCount())
                .put("targetCount", run.targetCount())
                .put("expectedPartitionCount", run.partitionCount())
                .put("successPartitionCount", run.succeededPartitions())
                .put("failedPartitionCount", run.failedPartitions())
                .put("hdfsRunPath", run.runPath())
                .put("stageTable", run.stageTable());
        time(node, "startedAt", run.createdAt());
        time(node, "heartbeatAt", run.heartbeatAt());
        time(node, "extractCompletedAt", run.extractedAt());
        time(node, "publishStartedAt", run.publishStartedAt());
        time(node, "publishedAt", run.publishedAt());
        time(node, "completedAt", run.endedAt());
        time(node, "cleanedAt", run.cleanedAt());
        return node.put("errorStage", failure == null ? null : failure.stage())
                .put("errorCode", failure == null ? null : failure.code())
                .put("errorMessage", failure == null ? null : failure.message());
    }

    static ObjectNode detail(OutsideReplies.Detail detail) {
        ObjectNode node = run(detail.run());
        node.set("parameters", Json.parse(detail.run().parameters()));
        ObjectNode counts = node.putObject("partitionCounts");
        ArrayNode partitions = node.putArray("partitions");
        for (OutsidePartition partition : detail.partitions()) {
            String state = partition.state().name();
            counts.put(state, counts.path(state).asInt() + 1);
            partitions.add(partition(partition));
        }
        ArrayNode dispatches = node.putArray("dispatches");
        detail.dispatches().forEach(dispatch -> dispatches.add(dispatch(dispatch)));
        return node;
    }

    private static ObjectNode partition(OutsidePartition partition) {
        Failure failure = partition.failure();
        ObjectNode node = Json.object()
                .put("partitionId", partition.id().value())
                .put("status", partition.state().name())
                .put("expectedRowCount", partition.expectedRows())
                .put("actualRowCount", partition.rows())
                .put("fileCount", partition.chunkCount())
                .put("attemptCount", partition.epoch())
                .put("workerNode", partition.worker())
                .put("errorCode", failure == null ? null : failure.code());
        return time(node, "leaseUntil", partition.leaseUntil());
    }

    private static ObjectNode dispatch(OutsideDispatch dispatch) {
        ObjectNode node = Json.object()
                .put("dispatchId", dispatch.id().toString())
                .put("type", dispatch.kind().name())
                .put(
                        "partitionId",
                        dispatch.partitionId() == null
                                ? null
                                : dispatch.partitionId().value())
                .put("status", dispatch.state().name())
                .put("attemptCount", dispatch.attempts())
                .put("cycle", dispatch.cycle());
        time(node, "sentAt", dispatch.sentAt());
        time(node, "ackedAt", dispatch.acknowledgedAt());
        return node.put("lastHttpStatus", dispatch.httpStatus())
                .put("lastError", dispatch.lastError());
    }

    static ObjectNode metrics(String runId, List<OutsideMetric> metrics) {
        ObjectNode node = Json.object().put("runId", runId);
        ArrayNode array = node.putArray("metrics");
        for (OutsideMetric metric : metrics) {
            ObjectNode one = array.addObject()
                    .put("stage", metric.stage().name())
                    .put("metricName", metric.name())
                    .put("queryVersion", metric.queryVersion())
                    .put("expectedValue", metric.expected())
                    .put("actualValue", metric.actual())
                    .put("tolerance", metric.tolerance())
                    .put("result", metric.verdict())
                    .put("clientResult", metric.result());
            one.set("details", Json.parse(metric.details()));
        }
        return node;
    }

    static ObjectNode events(String runId, List<OutsideEvent> events) {
        ObjectNode node = Json.object().put("runId", runId);
        ArrayNode array = node.putArray("events");
        for (OutsideEvent event : events) {
            ObjectNode one = array.addObject().put("sequence", event.sequence());
            time(one, "eventTime", event.at());
            one.put("eventLevel", event.level())
                    .put("eventName", event.name())
                    .put(
                            "partitionId",
                            event.partitionId() == null
                                    ? null
                                    : event.partitionId().value())
                    .put("message", event.message());
            one.set("details", Json.parse(event.details()));
        }
        return node;
    }

    static ObjectNode summary(OutsideReplies.Summary summary) {
        ObjectNode node = time(Json.object(), "serverTime", summary.now());
        long active =
                summary.active().values().stream().mapToLong(Long::longValue).sum();
        node.put("activeRuns", active);
        counts(node.putObject("activeByStatus"), summary.active());
        node.put("recentRuns", summary.recentRuns()).put("recentWindowHours", RECENT_HOURS);
        ObjectNode dispatches =
                node.putObject("dispatches").put("PENDING", 0).put("SENT", 0).put("DEAD", 0);
        counts(dispatches, summary.dispatches());
        node.put("cleanupDue", summary.cleanupDue());
        ArrayNode alerts = node.putArray("alerts");
        summary.alerts().forEach(alert -> alerts.add(alert(alert)));
        return node;
    }

    private static void counts(ObjectNode node, Map<String, Long> counts) {
        counts.forEach(node::put);
    }

    private static ObjectNode alert(OutsideReplies.Alert alert) {
        OutsideRun run = alert.run();
        OutsideDispatch dispatch = alert.dispatch();
        ObjectNode node = Json.object()
                .put("kind", alert.kind())
                .put("level", alert.level())
                .put("runId", run == null ? null : run.id().toString())
                .put("jobKey", run == null ? null : run.job())
                .put("businessKey", run == null ? null : run.businessKey())
                .put("status", run == null ? null : run.state().name())
                .put("dispatchId", dispatch == null ? null : dispatch.id().toString());
        return time(node, "since", alert.since()).put("message", alert.message());
    }

    private static ObjectNode time(ObjectNode node, String name, @Nullable Instant time) {
        return node.put(name, time == null ? null : time.toString());
    }
}
