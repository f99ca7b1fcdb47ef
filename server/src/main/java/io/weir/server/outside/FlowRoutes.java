package io.weir.server.outside;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.core.json.Json;
import io.weir.core.metric.Stage;
import io.weir.core.run.Failure;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunState;
import io.weir.ledger.outside.OutsideLedger;
import io.weir.ledger.outside.OutsideManifest;
import io.weir.ledger.outside.OutsideMetric;
import io.weir.ledger.outside.OutsideReplies;
import io.weir.ledger.outside.OutsideRequests;
import io.weir.server.access.Scope;
import io.weir.server.metric.ServerMetrics;
import io.weir.server.route.Call;
import io.weir.server.route.Reply;
import io.weir.server.route.Route;
import io.weir.server.shape.Documents;
import io.weir.server.shape.Values;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** What a flow calls, from the start of a run to its end. */
public final class FlowRoutes {
    private static final String RUN = "/v1/runs/{runId}";
    private static final String PARTITION = RUN + "/partitions/{partitionId}";
    private static final String VERSION = "v1";
    private static final long MILLIS = 1000;

    private final OutsideLedger ledger;
    private final ServerMetrics metrics;

    public FlowRoutes(OutsideLedger ledger, ServerMetrics metrics) {
        this.ledger = ledger;
        this.metrics = metrics;
    }

    public List<Route> all() {
        List<Route> routes = new ArrayList<>(beginning());
        routes.addAll(extracting());
        routes.addAll(publishing());
        return routes;
    }

    private List<Route> beginning() {
        return List.of(
                Route.post(
                        "/v1/runs",
                        "Opens a run.",
                        Scope.RUNS_CREATE,
                        OutsideShapes.CREATE,
                        ReplyShapes.CREATED,
                        this::create),
                Route.post(
                        RUN + "/manifest",
                        "Registers what the run has to read.",
                        Scope.PARTS_WORK,
                        OutsideShapes.MANIFEST,
                        ReplyShapes.REGISTERED,
                        this::manifest),
                Route.post(
                        RUN + "/fail",
                        "Ends a run that its flow cannot go on with.",
                        Scope.PARTS_WORK,
                        OutsideShapes.FAIL,
                        ReplyShapes.RUN_CHANGED,
                        this::fail),
                Route.post(
                        RUN + "/events",
                        "Keeps an event that the flow tells.",
                        Scope.PARTS_WORK,
                        OutsideShapes.EVENT,
                        ReplyShapes.TOLD,
                        this::tell));
    }

    private List<Route> extracting() {
        return List.of(
                Route.post(
                        PARTITION + "/claim",
                        "Claims a partition; claimed=false is normal contention.",
                        Scope.PARTS_WORK,
                        OutsideShapes.CLAIM,
                        ReplyShapes.CLAIMED,
                        this::claim),
                Route.post(
                        PARTITION + "/heartbeat",
                        "Says that the worker of a partition is alive.",
                        Scope.PARTS_WORK,
                        OutsideShapes.HEARTBEAT,
                        ReplyShapes.ALIVE,
                        this::heartbeat),
                Route.post(
                        PARTITION + "/chunks",
                        "Records one durable file.",
                        Scope.PARTS_WORK,
                        OutsideShapes.CHUNK,
                        ReplyShapes.REPORTED,
                        call -> Reply.ok(OutsideJson.reported(report(call, List.of(call.body()))))),
                Route.post(
                        PARTITION + "/chunks:batch",
                        "Records durable files in order; stops at the first that is refused.",
                        Scope.PARTS_WORK,
                        OutsideShapes.CHUNKS_AT_ONCE,
                        ReplyShapes.REPORTED,
                        this::reportAll),
                Route.post(
                        PARTITION + "/fail",
                        "Fails a partition and with it the run.",
                        Scope.PARTS_WORK,
                        OutsideShapes.FAIL_PARTITION,
                        ReplyShapes.PARTITION_CHANGED,
                        this::failPartition));
    }

    private List<Route> publishing() {
        return List.of(
                Route.post(
                        RUN + "/validation/start",
                        "Starts the validation that a dispatch asks for; one caller wins.",
                        Scope.VALIDATE_WORK,
                        OutsideShapes.START,
                        ReplyShapes.STARTED,
                        this::start),
                Route.post(
                        RUN + "/validations",
                        "Records figures of the staging or of the target.",
                        Scope.VALIDATE_WORK,
                        OutsideShapes.VALIDATIONS,
                        ReplyShapes.RECORDED,
                        this::record),
                Route.post(
                        RUN + "/stage-validated",
                        "Passes the gate before publishing, or says why not.",
                        Scope.VALIDATE_WORK,
                        OutsideShapes.NOTHING,
                        ReplyShapes.STAGE_VALIDATED,
                        call -> Reply.ok(OutsideJson.gate(
                                "stageValidated",
                                ledger.stageValidated(call.runId(), call.actor())))),
                Route.post(
                        RUN + "/publish/claim",
                        "Claims the one right to publish.",
                        Scope.PUBLISH_WORK,
                        OutsideShapes.PUBLISH_CLAIM,
                        ReplyShapes.PUBLISH_CLAIMED,
                        this::claimPublish),
                Route.post(
                        RUN + "/publish/result",
                        "Records how publishing ended.",
                        Scope.PUBLISH_WORK,
                        OutsideShapes.PUBLISH_RESULT,
                        ReplyShapes.STATE_CHANGED,
                        this::publishResult),
                Route.post(
                        RUN + "/success",
                        "Passes the last gate, or says why not.",
                        Scope.PUBLISH_WORK,
                        OutsideShapes.SUCCESS,
                        ReplyShapes.FINISHED,
                        call -> Reply.ok(OutsideJson.gate(
                                "success",
                                ledger.succeed(
                                        call.runId(),
                                        call.body().countOrNull("targetCount"),
                                        call.actor())))));
    }

    private Reply create(Call call) {
        Values body = call.body();
        OutsideRequests.Create request = new OutsideRequests.Create(
                call.idempotencyKey(),
                body.text("jobKey"),
                body.text("businessKey"),
                body.text("hdfsRoot"),
                body.text("stageTablePrefix"),
                body.truth("allowEmptySource"),
                Json.line(orEmpty(body.objectOrNull("parameters"))));
        return Reply.ok(OutsideJson.created(ledger.create(request, call.actor())));
    }

    private Reply manifest(Call call) {
        Values body = call.body();
        List<OutsideManifest.Part> parts = new ArrayList<>();
        for (Values part : body.list("partitions")) {
            parts.add(new OutsideManifest.Part(
                    new PartitionId(part.text("partitionId")),
                    part.decimalOrNull("lowerBound"),
                    part.decimalOrNull("upperBound"),
                    part.truth("upperInclusive"),
                    part.truth("isNullPartition"),
                    part.count("expectedRowCount")));
        }
        OutsideManifest manifest = new OutsideManifest(
                body.decimalOrNull("snapshotScn"),
                body.count("sourceCount"),
                body.count("sourceNullSplitCount", 0),
                body.decimalOrNull("sourceMinSplit"),
                body.decimalOrNull("sourceMaxSplit"),
                Math.toIntExact(body.count("plannedPartitionCount")),
                body.textsByName("sourceMetrics"),
                body.text("sourceMetricsVersion", VERSION),
                parts);
        return Reply.ok(
                OutsideJson.registered(ledger.register(call.runId(), manifest, call.actor())));
    }

    private Reply fail(Call call) {
        Values body = call.body();
        OutsideRequests.Fail request = new OutsideRequests.Fail(
                body.constant("expectedStatus", RunState.class),
                body.constant("failStatus", RunState.class),
                new Failure(
                        body.text("errorStage"), body.text("errorCode"), body.text("message", "")));
        return Reply.ok(OutsideJson.changed(ledger.fail(call.runId(), request, call.actor()))
                .put("runId", call.runId().toString()));
    }

    private Reply tell(Call call) {
        Values body = call.body();
        ledger.tell(
                call.runId(),
                body.text("level"),
                body.text("name"),
                body.text("message", ""),
                orEmpty(body.objectOrNull("details")));
        return Reply.ok(Json.object().put("recorded", true));
    }

    private Reply claim(Call call) {
        Long seconds = call.body().countOrNull("leaseSeconds");
        OutsideRequests.Claim request = new OutsideRequests.Claim(
                call.body().uuid("claimToken").toString(),
                call.body().text("workerNode"),
                seconds == null ? null : (Long) (seconds * MILLIS));
        OutsideReplies.Claimed reply =
                ledger.claim(call.runId(), call.partitionId(), request, call.actor());
        metrics.claimed(reply.claimed());
        return Reply.ok(OutsideJson.claimed(reply));
    }

    private Reply heartbeat(Call call) {
        return Reply.ok(OutsideJson.alive(ledger.heartbeat(
                call.runId(),
                call.partitionId(),
                call.body().uuid("claimToken").toString(),
                call.body().countOrNull("epoch"),
                call.actor())));
    }

    private Reply reportAll(Call call) {
        List<Values> chunks = call.body().list("chunks");
        if (chunks.isEmpty()) {
            throw Documents.invalid(List.of("/chunks: missing"));
        }
        return Reply.ok(OutsideJson.reported(report(call, chunks)));
    }

    private OutsideReplies.Reported report(Call call, List<Values> bodies) {
        List<OutsideRequests.Chunk> chunks =
                bodies.stream().map(FlowRoutes::chunk).toList();
        OutsideReplies.Reported reply =
                ledger.report(call.runId(), call.partitionId(), chunks, call.actor());
        metrics.reported(reply, chunks.size());
        return reply;
    }

    private static OutsideRequests.Chunk chunk(Values body) {
        @Nullable String path = body.textOrNull("hdfsPath");
        @Nullable String fileName = body.textOrNull("fileName");
        if ((path == null) == (fileName == null)) {
            throw Documents.invalid(List.of("/hdfsPath: name either hdfsPath or fileName"));
        }
        return new OutsideRequests.Chunk(
                body.uuid("claimToken").toString(),
                body.countOrNull("epoch"),
                Math.toIntExact(body.count("chunkIndex")),
                Math.toIntExact(body.count("chunkCount")),
                body.textOrNull("fragmentIdentifier"),
                path,
                fileName,
                body.count("recordCount"),
                body.countOrNull("byteCount"));
    }

    private Reply failPartition(Call call) {
        Values body = call.body();
        OutsideRequests.FailPartition request = new OutsideRequests.FailPartition(
                body.uuid("claimToken").toString(),
                body.text("errorStage"),
                body.text("errorClass"),
                body.text("errorCode"),
                body.text("message", ""));
        return Reply.ok(OutsideJson.changed(ledger.failPartition(
                        call.runId(), call.partitionId(), request, call.actor()))
                .put("partitionStatus", "FAILED"));
    }

    private Reply start(Call call) {
        return Reply.ok(OutsideJson.started(ledger.start(
                call.runId(),
                call.body().uuid("dispatchId"),
                call.body().textOrNull("owner"),
                call.actor())));
    }

    private Reply record(Call call) {
        Values body = call.body();
        Stage stage = body.constant("stage", Stage.class);
        List<OutsideMetric> metrics = new ArrayList<>();
        for (Values metric : body.list("metrics")) {
            metrics.add(new OutsideMetric(
                    stage,
                    metric.text("metricName"),
                    body.text("queryVersion", VERSION),
                    metric.textOrNull("expectedValue"),
                    metric.textOrNull("actualValue"),
                    metric.textOrNull("tolerance"),
                    metric.text("result"),
                    metric.text("result"),
                    Json.line(orEmpty(metric.objectOrNull("details")))));
        }
        if (metrics.stream().map(OutsideMetric::name).distinct().count() < metrics.size()) {
            throw Documents.invalid(List.of("/metrics: one name twice"));
        }
        OutsideReplies.Recorded reply = ledger.record(call.runId(), stage, metrics, call.actor());
        return Reply.ok(Json.object()
                .put("recorded", reply.recorded())
                .put("failCount", reply.failures())
                .put("runStatus", reply.runState().name()));
    }

    private Reply claimPublish(Call call) {
        OutsideReplies.Changed reply = ledger.claimPublish(
                call.runId(), call.body().uuid("publishToken").toString(), call.actor());
        return Reply.ok(Json.object()
                .put("claimed", reply.changed())
                .put("runStatus", reply.runState().name()));
    }

    private Reply publishResult(Call call) {
        Values body = call.body();
        OutsideRequests.PublishResult result = new OutsideRequests.PublishResult(
                body.uuid("publishToken").toString(),
                body.constant("outcome", RunState.class),
                body.textOrNull("errorCode"),
                body.text("message", ""));
        return Reply.ok(
                OutsideJson.changed(ledger.publishResult(call.runId(), result, call.actor())));
    }

    private static JsonNode orEmpty(@Nullable JsonNode node) {
        return node == null ? Json.object() : node;
    }
}
