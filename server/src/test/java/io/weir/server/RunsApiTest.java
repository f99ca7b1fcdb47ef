package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.UUID;

/** Beginning and ending runs of outside flows. */
class RunsApiTest extends ApiTest {
    @Test
    void aRunIsCreatedWithItsPathAndTable() {
        Flow flow = new Flow(api);

        Api.Answer detail = flow.detail();
        assertThat(detail.text("status")).isEqualTo("CREATED");
        assertThat(detail.text("businessKey")).isEqualTo("2026-09-28");
        assertThat(detail.text("profile")).isEqualTo("outside");
        assertThat(detail.body().get("parameters")).isEqualTo(Json.object());
    }

    @Test
    void aSecondRunOfTheSameKeyIsRefusedWhileTheFirstIsActive() {
        Flow flow = new Flow(api, "TWICE");

        Api.Answer second = api.post("/v1/runs", Flow.create("TWICE", "2026-09-28"));
        second.refused(409, "DUPLICATE_ACTIVE_RUN");
        assertThat(second.body().at("/details/jobKey").asText()).isEqualTo("TWICE");
        assertThat(second.body().at("/details/runId").asText()).isEqualTo(flow.run);
        assertThat(second.truth("retryable")).isFalse();
        api.post("/v1/runs", Flow.create("TWICE", "2026-09-29")).ok();

        flow.call("fail", fail("CREATED", "FAILED_MANIFEST")).ok();
        api.post("/v1/runs", Flow.create("TWICE", "2026-09-28")).ok();
    }

    @Test
    void aRepeatedRequestWithAKeyAnswersWithTheSameRun() {
        String body = Flow.create("KEYED", "d");
        String first = api.post("/v1/runs", body, "Idempotency-Key", "k-1").ok().text("runId");

        assertThat(api.post("/v1/runs", body, "Idempotency-Key", "k-1").ok().text("runId"))
                .isEqualTo(first);
        api.post("/v1/runs", Flow.create("KEYED", "e"), "Idempotency-Key", "k-1")
                .refused(409, "IDEMPOTENCY_KEY_REUSED");
        api.post("/v1/runs", body, "Idempotency-Key", "no spaces").refused(422, "REQUEST_INVALID");
    }

    @ParameterizedTest
    @CsvSource({
        "jobKey,lower",
        "jobKey,''",
        "jobKey,A;DROP TABLE",
        "businessKey,2026/09/28",
        "businessKey,'x''; delete'",
        "hdfsRoot,relative",
        "hdfsRoot,/with space",
        "stageTablePrefix,1abc",
        "stageTablePrefix,a-b",
        "stageTablePrefix,'a\"b'",
        "allowEmptySource,maybe",
        "surprise,1",
    })
    void aFieldThatCannotBeUsedIsNamed(String field, String value) {
        var body = (ObjectNode) Json.parse(Flow.create("BAD", "d"));
        body.put(field, value);

        Api.Answer answer = api.post("/v1/runs", Json.line(body)).refused(422, "REQUEST_INVALID");

        assertThat(answer.body().at("/details/fields/0").asText()).startsWith("/" + field + ":");
    }

    @ParameterizedTest
    @CsvSource({"/a/../b", "/..", "/a/./b", "/a//b", "/"})
    void aRootThatClimbsIsRefused(String root) {
        var body = (ObjectNode) Json.parse(Flow.create("CLIMBS", "d"));
        api.post("/v1/runs", Json.line(body.put("hdfsRoot", root)))
                .refused(422, "INVALID_HDFS_ROOT");
    }

    private static ObjectNode fail(String expected, String state) {
        return Json.object()
                .put("expectedStatus", expected)
                .put("failStatus", state)
                .put("errorStage", "STEP")
                .put("errorCode", "CODE");
    }

    @Test
    void aRunEndsOnlyInThePairsOfTheContract() {
        Flow flow = new Flow(api);
        Api.Answer wrong = flow.call("fail", fail("CREATED", "FAILED_EXTRACT"));
        wrong.refused(422, "FAIL_TRANSITION_NOT_ALLOWED");
        assertThat(wrong.body().at("/details/failStatus").asText()).isEqualTo("FAILED_EXTRACT");
        Api.Answer late = flow.call("fail", fail("EXTRACTING", "FAILED_EXTRACT"));
        late.refused(409, "RUN_STATUS_MISMATCH");
        assertThat(late.body().at("/details/runStatus").asText()).isEqualTo("CREATED");

        Api.Answer done = flow.call("fail", fail("CREATED", "FAILED_MANIFEST")).ok();
        assertThat(done.truth("changed")).isTrue();
        assertThat(done.text("runStatus")).isEqualTo("FAILED_MANIFEST");
        assertThat(flow.call("fail", fail("CREATED", "FAILED_MANIFEST")).ok().truth("changed"))
                .isFalse();
        assertThat(flow.detail().text("errorCode")).isEqualTo("CODE");
    }

    @Test
    void aRunThatIsNotThereIsNotFound() {
        String id = UUID.randomUUID().toString();
        api.get("/v1/runs/" + id).refused(404, "RUN_NOT_FOUND");
        api.get("/v1/runs/" + id + "/events").refused(404, "RUN_NOT_FOUND");
        api.get("/v1/runs/" + id + "/validations").refused(404, "RUN_NOT_FOUND");
        api.get("/v1/runs/nonsense").refused(422, "REQUEST_INVALID");
        api.post("/v1/runs/" + id + "/manifest", Json.line(Flow.manifest(1)))
                .refused(404, "RUN_NOT_FOUND");
    }

    @Test
    void anOperatorCancelsWhatNobodyCanHaveSeen() {
        Flow flow = new Flow(api);
        flow.register(3, 4).ok();
        flow.claim(0, UUID.randomUUID()).ok();
        String cancel = Json.line(Json.object().put("reason", "wrong date loaded"));

        String at = "/v1/runs/" + flow.run + "/cancel";
        operator.post(at, "{}").refused(422, "REQUEST_INVALID");
        Api.Answer answer = operator.post(at, cancel).ok();
        assertThat(answer.text("runStatus")).isEqualTo("CANCELLED");
        assertThat(operator.post(at, cancel).ok().truth("changed")).isFalse();
        assertThat(flow.detail().body().at("/partitionCounts/TIMED_OUT").asInt())
                .isEqualTo(2);
        assertThat(house.ask("select actor || ' ' || reason from weir.audit"
                        + " where action = 'RUN_CANCELLED'"))
                .isEqualTo("test-operator wrong date loaded");

        Flow published = new Flow(api).published();
        operator.post("/v1/runs/" + published.run + "/cancel", cancel)
                .refused(409, "RUN_STATUS_MISMATCH");
    }

    @Test
    void runsAreListedNewestFirst() {
        Flow first = new Flow(api, "LISTED");
        first.register(2).ok();
        first.call("fail", fail("EXTRACTING", "FAILED_EXTRACT")).ok();
        Flow second = new Flow(api, "LISTED");

        var list = api.get("/v1/runs?jobKey=LISTED").ok().body();
        assertThat(list.findValuesAsText("runId")).containsExactly(second.run, first.run);
        assertThat(list.get(1).path("expectedPartitionCount").asInt()).isEqualTo(1);
        assertThat(list.get(1).path("errorCode").asText()).isEqualTo("CODE");
        assertThat(api.get("/v1/runs?jobKey=LISTED&status=CREATED&limit=1")
                        .ok()
                        .body()
                        .findValuesAsText("runId"))
                .containsExactly(second.run);
        api.get("/v1/runs?status=NONE").refused(422, "REQUEST_INVALID");
        api.get("/v1/runs?limit=0").refused(422, "REQUEST_INVALID");
        api.get("/v1/runs?sort=up").refused(422, "REQUEST_INVALID");
    }
}
