package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;

import java.util.Locale;
import java.util.UUID;

/** What a flow of the older design sends, call by call. */
final class Flow {
    static final String SCN = "12345678901234567890123456789012345678";

    final Api api;
    final String job;
    final String run;
    final String path;

    Flow(Api api) {
        this(api, "JOB_" + UUID.randomUUID().toString().replace("-", "").toUpperCase(Locale.ROOT));
    }

    Flow(Api api, String job) {
        this.api = api;
        this.job = job;
        Api.Answer created = api.post("/v1/runs", create(job, "2026-09-28")).ok();
        this.run = created.text("runId");
        this.path = created.text("hdfsRunPath");
        assertThat(created.text("status")).isEqualTo("CREATED");
        assertThat(path).isEqualTo("/data/stage/" + job + "/run_id=" + run);
        assertThat(created.text("stageTable")).isEqualTo("stg_" + run.replace("-", ""));
    }

    static String create(String job, String businessKey) {
        return Json.line(Json.object()
                .put("jobKey", job)
                .put("businessKey", businessKey)
                .put("hdfsRoot", "/data/stage/")
                .put("stageTablePrefix", "STG_"));
    }

    /** Ranges of ten keys, one for each count of rows. */
    static ObjectNode manifest(long... rows) {
        ObjectNode manifest = Json.object()
                .put("snapshotScn", SCN)
                .put("sourceMinSplit", "0")
                .put("sourceMaxSplit", String.valueOf(rows.length * 10))
                .put("plannedPartitionCount", rows.length);
        ArrayNode parts = manifest.putArray("partitions");
        long sum = 0;
        for (int i = 0; i < rows.length; i++) {
            sum += rows[i];
            parts.addObject()
                    .put("partitionId", id(i))
                    .put("lowerBound", String.valueOf(i * 10))
                    .put("upperBound", String.valueOf(i * 10 + 10))
                    .put("upperInclusive", String.valueOf(i == rows.length - 1))
                    .put("expectedRowCount", String.valueOf(rows[i]));
        }
        manifest.putObject("sourceMetrics").put("AMOUNT_SUM", "71853075");
        return manifest.put("sourceCount", String.valueOf(sum));
    }

    static String id(int index) {
        return "000" + index;
    }

    Api.Answer register(long... rows) {
        return register(manifest(rows));
    }

    Api.Answer register(ObjectNode manifest) {
        return api.post("/v1/runs/" + run + "/manifest", Json.line(manifest));
    }

    Api.Answer claim(int part, UUID token) {
        return api.post(
                at(part) + "/claim",
                Json.line(Json.object()
                        .put("claimToken", token.toString())
                        .put("workerNode", "node-1")));
    }

    String at(int part) {
        return "/v1/runs/" + run + "/partitions/" + id(part);
    }

    ObjectNode chunk(int part, UUID token, int index, int total, long rows) {
        return Json.object()
                .put("claimToken", token.toString())
                .put("chunkIndex", index)
                .put("chunkCount", total)
                .put("hdfsPath", path + "/part-" + id(part) + "-00000" + index + ".parquet")
                .put("recordCount", rows)
                .put("byteCount", 100 + rows);
    }

    Api.Answer report(int part, UUID token, int index, int total, long rows) {
        return report(part, chunk(part, token, index, total, rows));
    }

    Api.Answer report(int part, ObjectNode chunk) {
        return api.post(at(part) + "/chunks", Json.line(chunk));
    }

    /** Reads a partition as one file. */
    Api.Answer read(int part, long rows) {
        UUID token = UUID.randomUUID();
        assertThat(claim(part, token).ok().truth("claimed")).isTrue();
        return report(part, token, 0, 1, rows).ok();
    }

    String state() {
        return detail().text("status");
    }

    Api.Answer detail() {
        return api.get("/v1/runs/" + run).ok();
    }

    String dispatch(String kind) {
        String found = "";
        for (var dispatch : detail().body().get("dispatches")) {
            if (dispatch.path("type").asText().equals(kind)) {
                found = dispatch.path("dispatchId").asText();
            }
        }
        return found;
    }

    /** A run whose only partition arrived. */
    Flow extracted() {
        register(3).ok();
        assertThat(read(0, 3).truth("validationScheduled")).isTrue();
        return this;
    }

    Api.Answer start(String dispatch) {
        return call(
                "validation/start",
                Json.object().put("dispatchId", dispatch).put("node", "node-1"));
    }

    Api.Answer call(String step, ObjectNode body) {
        return api.post("/v1/runs/" + run + "/" + step, Json.line(body));
    }

    Flow validating() {
        extracted();
        assertThat(start(dispatch("VALIDATE_RUN")).ok().truth("started")).isTrue();
        return this;
    }

    Api.Answer metric(String stage, String name, String expected, String actual, String result) {
        ObjectNode body = Json.object().put("stage", stage);
        body.putArray("metrics")
                .addObject()
                .put("metricName", name)
                .put("expectedValue", expected)
                .put("actualValue", actual)
                .put("result", result);
        return call("validations", body);
    }

    Flow validated() {
        validating();
        metric("STAGING", "STAGE_COUNT", "3", "3", "PASS").ok();
        assertThat(call("stage-validated", Json.object()).ok().truth("stageValidated"))
                .isTrue();
        return this;
    }

    Api.Answer claimPublish(UUID token) {
        return call("publish/claim", Json.object().put("publishToken", token.toString()));
    }

    Api.Answer result(UUID token, String outcome) {
        return call(
                "publish/result",
                Json.object().put("publishToken", token.toString()).put("outcome", outcome));
    }

    Flow publishing(UUID token) {
        validated();
        assertThat(claimPublish(token).ok().truth("claimed")).isTrue();
        return this;
    }

    Flow published() {
        UUID token = UUID.randomUUID();
        publishing(token);
        assertThat(result(token, "PUBLISHED").ok().text("runStatus")).isEqualTo("PUBLISHED");
        return this;
    }

    Api.Answer succeed() {
        return call("success", Json.object());
    }
}
