package io.weir.server.outside;

import static io.weir.server.shape.Field.count;
import static io.weir.server.shape.Field.countsByName;
import static io.weir.server.shape.Field.decimal;
import static io.weir.server.shape.Field.list;
import static io.weir.server.shape.Field.object;
import static io.weir.server.shape.Field.text;
import static io.weir.server.shape.Field.texts;
import static io.weir.server.shape.Field.textsByName;
import static io.weir.server.shape.Field.time;
import static io.weir.server.shape.Field.truth;
import static io.weir.server.shape.Field.uuid;

import io.weir.server.shape.Field;
import io.weir.server.shape.Shape;

/** What flows and operators are answered. */
final class ReplyShapes {
    private static final Field RUN_ID = uuid("runId").mandatory();
    private static final Field RUN_STATUS = text("runStatus").mandatory();
    private static final Field CHANGED = truth("changed").mandatory();
    private static final int MANY = Integer.MAX_VALUE;

    static final Shape CREATED = Shape.of(
            "RunCreated",
            RUN_ID,
            text("status").mandatory(),
            text("hdfsRunPath").mandatory(),
            text("stageTable").mandatory());

    static final Shape REGISTERED = Shape.of(
            "ManifestRegistered",
            RUN_ID,
            text("status").mandatory(),
            list("dispatchPartitions", OutsideShapes.PARTITION_OF_MANIFEST, 0, MANY)
                    .mandatory(),
            count("emptyPartitionCount").mandatory(),
            truth("validationScheduled").mandatory());

    static final Shape RUN_CHANGED = Shape.of("RunChanged", RUN_ID, RUN_STATUS, CHANGED);

    static final Shape STATE_CHANGED = Shape.of("StateChanged", RUN_STATUS, CHANGED);

    static final Shape PARTITION_CHANGED =
            Shape.of("PartitionChanged", text("partitionStatus").mandatory(), RUN_STATUS, CHANGED);

    static final Shape WORK_ORDER = Shape.of(
            "WorkOrder",
            text("jobKey").mandatory(),
            text("businessKey").mandatory(),
            decimal("snapshotScn"),
            decimal("lowerBound"),
            decimal("upperBound"),
            truth("upperInclusive").mandatory(),
            truth("isNullPartition").mandatory(),
            count("expectedRowCount").mandatory(),
            text("path").mandatory());

    static final Shape CLAIMED = Shape.of(
            "PartitionClaimed",
            truth("claimed").mandatory(),
            RUN_STATUS,
            text("partitionStatus").mandatory(),
            count("attempt").mandatory(),
            count("epoch").mandatory(),
            count("leaseSeconds").mandatory(),
            object("workOrder"));

    static final Shape ALIVE = Shape.of(
            "ClaimProlonged",
            text("partitionStatus").mandatory(),
            count("epoch").mandatory(),
            time("leaseUntil").mandatory());

    static final Shape REPORTED = Shape.of(
            "ChunkReported",
            truth("recorded").mandatory(),
            text("partitionStatus").mandatory(),
            RUN_STATUS,
            count("receivedChunks").mandatory(),
            count("chunkCount").mandatory(),
            truth("validationScheduled").mandatory());

    static final Shape STARTED = Shape.of(
            "ValidationStarted",
            truth("started").mandatory(),
            RUN_STATUS,
            text("jobKey"),
            text("businessKey"),
            decimal("snapshotScn"),
            text("hdfsRunPath"),
            text("stageTable"),
            count("sourceCount"),
            count("extractedCount"),
            textsByName("sourceMetrics", MANY).mandatory());

    static final Shape RECORDED = Shape.of(
            "MetricsRecorded",
            count("recorded").mandatory(),
            count("failCount").mandatory(),
            RUN_STATUS);

    static final Shape STAGE_VALIDATED = Shape.of(
            "StageValidated",
            truth("stageValidated").mandatory(),
            RUN_STATUS,
            texts("reasons").mandatory());

    static final Shape FINISHED = Shape.of(
            "RunFinished",
            truth("success").mandatory(),
            RUN_STATUS,
            texts("reasons").mandatory());

    static final Shape PUBLISH_CLAIMED =
            Shape.of("PublishClaimed", truth("claimed").mandatory(), RUN_STATUS);

    static final Shape PARTITION = Shape.of(
            "Partition",
            text("partitionId").mandatory(),
            text("status").mandatory(),
            count("expectedRowCount").mandatory(),
            count("actualRowCount"),
            count("fileCount").mandatory(),
            count("attemptCount").mandatory(),
            text("workerNode"),
            text("errorCode"),
            time("leaseUntil"));

    static final Shape DISPATCH = Shape.of(
            "Dispatch",
            uuid("dispatchId").mandatory(),
            text("type").mandatory(),
            text("partitionId"),
            text("status").mandatory(),
            count("attemptCount").mandatory(),
            count("cycle").mandatory(),
            time("sentAt"),
            time("ackedAt"),
            count("lastHttpStatus"),
            text("lastError"));

    static final Shape RUN = Shape.of(
            "RunListed",
            RUN_ID,
            text("profile").mandatory(),
            text("jobKey").mandatory(),
            text("businessKey").mandatory(),
            text("status").mandatory(),
            decimal("snapshotScn"),
            count("sourceCount"),
            count("extractedCount").mandatory(),
            count("stagingCount"),
            count("targetCount"),
            count("expectedPartitionCount").mandatory(),
            count("successPartitionCount").mandatory(),
            count("failedPartitionCount").mandatory(),
            text("hdfsRunPath").mandatory(),
            text("stageTable").mandatory(),
            time("startedAt").mandatory(),
            time("heartbeatAt").mandatory(),
            time("extractCompletedAt"),
            time("publishStartedAt"),
            time("publishedAt"),
            time("completedAt"),
            time("cleanedAt"),
            text("errorStage"),
            text("errorCode"),
            text("errorMessage"));

    static final Shape RUN_DETAIL = RUN.with(
            "Run",
            object("parameters").mandatory(),
            countsByName("partitionCounts").mandatory(),
            list("partitions", PARTITION, 0, MANY).mandatory(),
            list("dispatches", DISPATCH, 0, MANY).mandatory());

    static final Shape METRIC = Shape.of(
            "MetricJudged",
            text("stage").mandatory(),
            text("metricName").mandatory(),
            text("queryVersion").mandatory(),
            text("expectedValue"),
            text("actualValue"),
            text("tolerance"),
            text("result").mandatory(),
            text("clientResult").mandatory(),
            object("details").mandatory());

    static final Shape METRICS =
            Shape.of("Metrics", RUN_ID, list("metrics", METRIC, 0, MANY).mandatory());

    static final Shape EVENT = Shape.of(
            "Event",
            count("sequence").mandatory(),
            time("eventTime").mandatory(),
            text("eventLevel").mandatory(),
            text("eventName").mandatory(),
            text("partitionId"),
            text("message").mandatory(),
            object("details").mandatory());

    static final Shape EVENTS =
            Shape.of("Events", RUN_ID, list("events", EVENT, 0, MANY).mandatory());

    static final Shape ALERT = Shape.of(
            "Alert",
            text("kind").mandatory(),
            text("level").mandatory(),
            uuid("runId"),
            text("jobKey"),
            text("businessKey"),
            text("status"),
            uuid("dispatchId"),
            time("since").mandatory(),
            text("message").mandatory());

    static final Shape SUMMARY = Shape.of(
            "Summary",
            time("serverTime").mandatory(),
            count("activeRuns").mandatory(),
            countsByName("activeByStatus").mandatory(),
            count("recentRuns").mandatory(),
            count("recentWindowHours").mandatory(),
            countsByName("dispatches").mandatory(),
            count("cleanupDue").mandatory(),
            list("alerts", ALERT, 0, MANY).mandatory());

    static final Shape CANDIDATES =
            Shape.of("CleanupCandidates", list("runs", RUN, 0, MANY).mandatory());

    static final Shape TOLD = Shape.of("EventTold", truth("recorded").mandatory());

    static final Shape RESENT = Shape.of(
            "DispatchResent", uuid("dispatchId").mandatory(), text("status").mandatory());

    static final Shape EXPLAINED = Shape.of(
            "Explanation",
            RUN_ID,
            RUN_STATUS,
            text("situation").mandatory(),
            text("next").mandatory(),
            texts("checklist").mandatory());

    static final Shape CERTIFICATE = Shape.of(
            "Certificate",
            RUN_ID,
            text("profile").mandatory(),
            text("jobKey").mandatory(),
            text("businessKey").mandatory(),
            text("status").mandatory(),
            decimal("snapshotScn"),
            text("manifestDigest"),
            count("sourceCount"),
            count("extractedCount").mandatory(),
            count("stagingCount"),
            count("targetCount"),
            count("partitionCount").mandatory(),
            count("fileCount").mandatory(),
            time("publishedAt"),
            time("completedAt").mandatory(),
            texts("limits").mandatory(),
            list("metrics", METRIC, 0, MANY).mandatory());

    private ReplyShapes() {}
}
