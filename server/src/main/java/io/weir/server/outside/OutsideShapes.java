package io.weir.server.outside;

import static io.weir.server.shape.Field.count;
import static io.weir.server.shape.Field.decimal;
import static io.weir.server.shape.Field.list;
import static io.weir.server.shape.Field.object;
import static io.weir.server.shape.Field.text;
import static io.weir.server.shape.Field.textsByName;
import static io.weir.server.shape.Field.truth;
import static io.weir.server.shape.Field.uuid;

import io.weir.core.metric.Stage;
import io.weir.core.run.RunState;
import io.weir.server.shape.Field;
import io.weir.server.shape.Shape;

import java.util.regex.Pattern;

/** What flows and operators send. Forms and names are those of the older design. */
final class OutsideShapes {
    static final Pattern JOB = Pattern.compile("[A-Z0-9_]{1,200}");
    static final Pattern BUSINESS_KEY = Pattern.compile("[0-9A-Za-z_.:-]{1,200}");
    private static final Pattern PARTITION = Pattern.compile("[0-9]{4}|NULL");
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,60}");
    private static final Pattern PATH = Pattern.compile("/[A-Za-z0-9_.=/-]*");
    private static final Pattern METRIC = Pattern.compile("[A-Za-z0-9_.:-]{1,150}");
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.:-]{1,100}");
    private static final Pattern TABLE = Pattern.compile("[A-Za-z0-9_.]{1,300}");
    private static final int PATH_MAX = 1_500;
    private static final int SHORT = 100;
    private static final int NAME = 200;
    private static final int PARTITIONS = 10_000;
    private static final int CHUNKS = 1_000_000;
    private static final int LEASE_SECONDS = 86_400;

    private static final Field CLAIM_TOKEN = uuid("claimToken").mandatory();
    private static final Field MESSAGE = text("message");

    static final Shape CREATE = Shape.of(
            "CreateRun",
            text("jobKey").matching(JOB).mandatory(),
            text("businessKey").matching(BUSINESS_KEY).mandatory(),
            text("hdfsRoot").matching(PATH).atMost(PATH_MAX).mandatory(),
            text("stageTablePrefix").matching(PREFIX).mandatory(),
            truth("allowEmptySource"),
            object("parameters"));

    static final Shape PARTITION_OF_MANIFEST = Shape.of(
            "ManifestPartition",
            text("partitionId").matching(PARTITION).mandatory(),
            decimal("lowerBound"),
            decimal("upperBound"),
            truth("upperInclusive"),
            truth("isNullPartition"),
            count("expectedRowCount").mandatory());

    static final Shape MANIFEST = Shape.of(
            "Manifest",
            decimal("snapshotScn"),
            count("sourceCount").mandatory(),
            count("sourceNullSplitCount"),
            decimal("sourceMinSplit"),
            decimal("sourceMaxSplit"),
            count("plannedPartitionCount").atLeast(1).atMost(PARTITIONS).mandatory(),
            textsByName("sourceMetrics", NAME).matching(METRIC),
            text("sourceMetricsVersion").matching(WORD),
            list("partitions", PARTITION_OF_MANIFEST, 1, PARTITIONS).mandatory());

    static final Shape FAIL = Shape.of(
            "FailRun",
            text("expectedStatus").oneOf(RunState.values()).mandatory(),
            text("failStatus").oneOf(RunState.values()).mandatory(),
            text("errorStage").atMost(SHORT).mandatory(),
            text("errorCode").atMost(SHORT).mandatory(),
            MESSAGE);

    static final Shape CLAIM = Shape.of(
            "ClaimPartition",
            CLAIM_TOKEN,
            text("workerNode").atLeast(1).atMost(NAME).mandatory(),
            count("leaseSeconds").atLeast(1).atMost(LEASE_SECONDS));

    static final Shape CHUNK = Shape.of(
            "ReportChunk",
            CLAIM_TOKEN,
            count("epoch"),
            count("chunkIndex").atMost(CHUNKS).mandatory(),
            count("chunkCount").atLeast(1).atMost(CHUNKS).mandatory(),
            text("fragmentIdentifier").atMost(SHORT),
            text("hdfsPath").atLeast(1).atMost(PATH_MAX),
            text("fileName").atLeast(1).atMost(NAME),
            count("recordCount").mandatory(),
            count("byteCount"));

    static final Shape CHUNKS_AT_ONCE =
            Shape.of("ReportChunks", list("chunks", CHUNK, 1, SHORT).mandatory());

    static final Shape HEARTBEAT = Shape.of("Heartbeat", CLAIM_TOKEN, count("epoch"));

    static final Shape FAIL_PARTITION = Shape.of(
            "FailPartition",
            CLAIM_TOKEN,
            text("errorStage").atMost(SHORT).mandatory(),
            text("errorClass").atMost(SHORT).mandatory(),
            text("errorCode").atMost(SHORT).mandatory(),
            MESSAGE,
            count("attempt"));

    static final Shape START = Shape.of(
            "StartValidation",
            uuid("dispatchId").mandatory(),
            text("node").atMost(NAME),
            text("owner").atLeast(1).atMost(SHORT));

    static final Shape METRIC_VALUE = Shape.of(
            "Metric",
            text("metricName").matching(METRIC).mandatory(),
            text("expectedValue"),
            text("actualValue"),
            text("tolerance").atMost(SHORT),
            text("result").oneOf("PASS", "FAIL", "WARN").mandatory(),
            object("details"));

    static final Shape VALIDATIONS = Shape.of(
            "RecordMetrics",
            text("stage").oneOf(Stage.STAGING, Stage.TARGET).mandatory(),
            text("queryVersion").matching(WORD),
            list("metrics", METRIC_VALUE, 1, 500).mandatory());

    static final Shape NOTHING = Shape.empty("Nothing");

    static final Shape PUBLISH_CLAIM =
            Shape.of("ClaimPublish", uuid("publishToken").mandatory());

    static final Shape PUBLISH_RESULT = Shape.of(
            "PublishResult",
            uuid("publishToken").mandatory(),
            text("outcome")
                    .oneOf(RunState.PUBLISHED, RunState.FAILED_PUBLISH, RunState.PUBLISH_UNKNOWN)
                    .mandatory(),
            text("errorCode").atMost(SHORT),
            MESSAGE);

    static final Shape SUCCESS = Shape.of("FinishRun", count("targetCount"));

    static final Shape CLEANUP = Shape.of(
            "RecordCleanup",
            text("droppedTable").matching(TABLE),
            text("deletedPath").matching(PATH).atMost(PATH_MAX));

    static final Shape EVENT = Shape.of(
            "TellEvent",
            text("level").oneOf("INFO", "WARN", "ERROR").mandatory(),
            text("name").matching(WORD).mandatory(),
            MESSAGE,
            object("details"));

    static final Shape RESEND = Shape.of("ResendDispatch", text("reason").atLeast(5));

    static final Shape EVIDENCE = Shape.of(
            "Evidence",
            text("check").atLeast(1).atMost(NAME).mandatory(),
            text("finding").atLeast(1).mandatory());

    static final Shape RESOLVE = Shape.of(
            "ResolvePublish",
            text("resolution")
                    .oneOf(RunState.PUBLISHED, RunState.FAILED_PUBLISH)
                    .mandatory(),
            text("reason").atLeast(5).mandatory(),
            list("evidence", EVIDENCE, 0, SHORT));

    static final Shape CANCEL = Shape.of(
            "CancelRun",
            text("reason").atLeast(5).mandatory(),
            text("expectedStatus").oneOf(RunState.values()));

    private OutsideShapes() {}
}
