package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** From the validation of what is staged to SUCCESS, and what a person settles. */
class PublishApiTest extends ApiTest {
    @Test
    void validationStartsOnceAndTellsWhatToCompare() {
        Flow flow = new Flow(api).extracted();
        String dispatch = flow.dispatch("VALIDATE_RUN");

        Api.Answer won = flow.start(dispatch).ok();
        assertThat(won.truth("started")).isTrue();
        assertThat(won.text("runStatus")).isEqualTo("STAGE_VALIDATING");
        assertThat(won.text("hdfsRunPath")).isEqualTo(flow.path);
        assertThat(won.text("snapshotScn")).isEqualTo(Flow.SCN);
        assertThat(won.body().path("extractedCount").asLong()).isEqualTo(3);
        assertThat(won.body().at("/sourceMetrics/SOURCE_COUNT").asText()).isEqualTo("3");
        assertThat(won.body().at("/sourceMetrics/AMOUNT_SUM").asText()).isEqualTo("71853075");
        Api.Answer late = flow.start(dispatch).ok();
        assertThat(late.truth("started")).isFalse();
        assertThat(late.body().get("jobKey").isNull()).isTrue();
        assertThat(late.body().get("sourceMetrics")).isEmpty();
        assertThat(flow.detail().body().at("/dispatches/0/status").asText()).isEqualTo("ACKED");
    }

    /** The winner whose reply is lost asks again under its name; nobody else is told. */
    @Test
    void aNamedValidatorIsToldAgain() {
        Flow flow = new Flow(api).extracted();
        ObjectNode body = Json.object().put("dispatchId", flow.dispatch("VALIDATE_RUN"));
        assertThat(flow.call("validation/start", body.put("owner", "v-1")).ok().truth("started"))
                .isTrue();
        assertThat(flow.call("validation/start", body).ok().truth("started")).isTrue();
        assertThat(flow.call("validation/start", body.put("owner", "v-2")).ok().truth("started"))
                .isFalse();
    }

    @Test
    void validationNeedsItsDispatch() {
        Flow flow = new Flow(api).extracted();
        flow.start(UUID.randomUUID().toString()).refused(409, "DISPATCH_MISMATCH");
        Flow other = new Flow(api).extracted();
        flow.start(other.dispatch("VALIDATE_RUN")).refused(409, "DISPATCH_MISMATCH");
        flow.start("x").refused(422, "REQUEST_INVALID");
    }

    @Test
    void oneOfManyStartsWins() {
        Flow flow = new Flow(api).extracted();
        String dispatch = flow.dispatch("VALIDATE_RUN");
        assertThat(atOnce(8, () -> flow.start(dispatch).ok().truth("started")))
                .containsOnlyOnce(true);
    }

    @Test
    void theGateNeedsEveryFigureToPass() {
        Flow flow = new Flow(api).validating();
        assertThat(reasons(flow, "stage-validated")).containsExactly("NO_METRICS");
        flow.metric("STAGING", "STAGE_COUNT", "3", "3", "PASS").ok();
        Api.Answer failed =
                flow.metric("STAGING", "DUP_PK_COUNT", "0", "1", "FAIL").ok();
        assertThat(failed.body().path("failCount").asInt()).isEqualTo(1);
        assertThat(reasons(flow, "stage-validated")).containsExactly("FAIL DUP_PK_COUNT");
        assertThat(flow.state()).isEqualTo("STAGE_VALIDATING");

        flow.metric("STAGING", "DUP_PK_COUNT", "0", "0", "PASS").ok();
        assertThat(reasons(flow, "stage-validated")).isEmpty();
        assertThat(reasons(flow, "stage-validated")).isEmpty();
        assertThat(flow.detail().body().path("stagingCount").asLong()).isEqualTo(3);
    }

    /** A flow that says PASS of figures that differ is not believed. */
    @Test
    void theStricterVerdictCounts() {
        Flow flow = new Flow(api).validating();
        flow.metric("STAGING", "AMOUNT_SUM", "71853075", "71853075.00", "PASS").ok();
        assertThat(reasons(flow, "stage-validated")).isEmpty();

        Flow other = new Flow(api).validating();
        Api.Answer told = other.metric("STAGING", "AMOUNT_SUM", "71853075", "71853600", "PASS");
        assertThat(told.ok().body().path("failCount").asInt()).isEqualTo(1);
        assertThat(reasons(other, "stage-validated")).containsExactly("FAIL AMOUNT_SUM");
        other.metric("STAGING", "AMOUNT_SUM", "71853075", "71853075", "WARN").ok();
        other.metric("STAGING", "STAGE_COUNT", "4", "4", "PASS").ok();
        // Four staged rows are not the three of the source, whatever was expected.
        assertThat(reasons(other, "stage-validated")).containsExactly("FAIL STAGE_COUNT");
    }

    private static List<String> reasons(Flow flow, String gate) {
        List<String> reasons = new ArrayList<>();
        flow.call(gate, Json.object())
                .ok()
                .body()
                .get("reasons")
                .forEach(reason -> reasons.add(reason.asText()));
        return reasons;
    }

    @Test
    void figuresBelongToTheirState() {
        Flow flow = new Flow(api).extracted();
        flow.metric("STAGING", "N", "1", "1", "PASS").refused(409, "RUN_STATUS_MISMATCH");
        flow.metric("SOURCE", "N", "1", "1", "PASS").refused(422, "REQUEST_INVALID");
        Flow staged = new Flow(api).validated();
        staged.metric("TARGET", "N", "1", "1", "PASS").refused(409, "RUN_STATUS_MISMATCH");
        staged.metric("STAGING", "N", "1", "1", "PASS").refused(409, "RUN_STATUS_MISMATCH");
        assertThat(reasons(staged, "success")).containsExactly("RUN_STATUS STAGING_VALIDATED");
    }

    @Test
    void oneTokenPublishes() {
        Flow flow = new Flow(api).validating();
        UUID token = UUID.randomUUID();
        assertThat(flow.claimPublish(token).ok().truth("claimed")).isFalse();
        flow.metric("STAGING", "N", "1", "1", "PASS").ok();
        flow.call("stage-validated", Json.object()).ok();

        assertThat(flow.claimPublish(token).ok().truth("claimed")).isTrue();
        assertThat(flow.claimPublish(token).ok().truth("claimed")).isTrue();
        assertThat(flow.claimPublish(UUID.randomUUID()).ok().truth("claimed")).isFalse();
        flow.result(UUID.randomUUID(), "PUBLISHED").refused(409, "PUBLISH_TOKEN_MISMATCH");
        assertThat(flow.result(token, "PUBLISHED").ok().truth("changed")).isTrue();
        assertThat(flow.result(token, "PUBLISHED").ok().truth("changed")).isFalse();
        flow.result(token, "FAILED_PUBLISH").refused(409, "RUN_STATUS_MISMATCH");
        flow.result(token, "SUCCESS").refused(422, "REQUEST_INVALID");
        assertThat(house.ask("select count(*) from weir.audit where details::text like '%" + token
                        + "%'"))
                .isEqualTo("0");
    }

    @Test
    void manyClaimsToPublishHaveOneWinner() {
        Flow flow = new Flow(api).validated();
        assertThat(atOnce(10, () -> flow.claimPublish(UUID.randomUUID()).ok().truth("claimed")))
                .containsOnlyOnce(true);
    }

    @Test
    void aFailedPublishEndsTheRun() {
        UUID token = UUID.randomUUID();
        Flow flow = new Flow(api).publishing(token);
        assertThat(flow.result(token, "FAILED_PUBLISH").ok().text("runStatus"))
                .isEqualTo("FAILED_PUBLISH");
        assertThat(flow.detail().body().get("completedAt").isTextual()).isTrue();
    }

    @Test
    void successNeedsTheTargetToPass() {
        Flow flow = new Flow(api).published();
        assertThat(reasons(flow, "success")).containsExactly("NO_METRICS");
        flow.metric("TARGET", "TARGET_COUNT", "3", "2", "FAIL").ok();
        assertThat(reasons(flow, "success")).containsExactly("FAIL TARGET_COUNT");
        flow.metric("TARGET", "TARGET_COUNT", "3", "3", "PASS").ok();
        // A count in the call is checked too; the older design believed it.
        Api.Answer lie =
                flow.call("success", Json.object().put("targetCount", 4)).ok();
        assertThat(lie.truth("success")).isFalse();
        assertThat(flow.succeed().ok().truth("success")).isTrue();
        assertThat(flow.succeed().ok().truth("success")).isTrue();
        assertThat(flow.detail().text("status")).isEqualTo("SUCCESS");
        assertThat(flow.detail().body().path("targetCount").asLong()).isEqualTo(3);
    }

    /** What was measured of the staging has to be measured of the target. */
    @Test
    void theTargetNeedsTheFiguresOfTheStaging() {
        Flow flow = new Flow(api).validating();
        flow.metric("STAGING", "AMOUNT_SUM", "1", "1", "PASS").ok();
        flow.call("stage-validated", Json.object()).ok();
        UUID token = UUID.randomUUID();
        flow.claimPublish(token).ok();
        flow.result(token, "PUBLISHED").ok();
        flow.metric("TARGET", "TARGET_COUNT", "3", "3", "PASS").ok();
        assertThat(reasons(flow, "success")).containsExactly("MISSING AMOUNT_SUM");
    }

    private static ObjectNode resolve(String resolution, String reason) {
        return Json.object().put("resolution", resolution).put("reason", reason);
    }

    @Test
    void aPersonSettlesWhatIsNotKnown() {
        UUID token = UUID.randomUUID();
        Flow flow = new Flow(api).publishing(token);
        String at = "/v1/runs/" + flow.run + "/publish-unknown/resolve";
        String published = Json.line(resolve("PUBLISHED", "count and sum equal the staging"));
        operator.post(at, published).refused(409, "RUN_STATUS_MISMATCH");
        flow.result(token, "PUBLISH_UNKNOWN").ok();
        // A new run of the key is blocked until somebody looked.
        String job = flow.detail().text("jobKey");
        api.post("/v1/runs", Flow.create(job, "2026-09-28")).refused(409, "DUPLICATE_ACTIVE_RUN");
        flow.result(token, "PUBLISHED").refused(409, "RUN_STATUS_MISMATCH");
        Api.Answer explained = api.get("/v1/runs/" + flow.run + "/explain").ok();
        assertThat(explained.body().get("checklist")).hasSize(5);
        assertThat(explained.text("next")).contains("publish-unknown/resolve");

        api.post(at, published).refused(403, "FORBIDDEN");
        operator.post(at, Json.line(Json.object().put("resolution", "PUBLISHED")))
                .refused(422, "REQUEST_INVALID");
        operator.post(at, Json.line(resolve("PUBLISHED", "four"))).refused(422, "REQUEST_INVALID");
        operator.post(at, Json.line(resolve("SUCCESS", "long enough")))
                .refused(422, "REQUEST_INVALID");
        ObjectNode seen = resolve("PUBLISHED", "count and sum equal the staging");
        var evidence = seen.putArray("evidence");
        evidence.addObject()
                .put("check", explained.body().at("/checklist/3").asText())
                .put("finding", "3 rows, 71853075, as staged");
        // One finding is no checklist, whatever the flow sends.
        Api.Answer part = operator.post(at, Json.line(seen)).refused(422, "REQUEST_INVALID");
        assertThat(part.body().at("/details/fields")).hasSize(4);
        for (int check : List.of(0, 1, 2, 4)) {
            evidence.addObject()
                    .put("check", explained.body().at("/checklist/" + check).asText())
                    .put("finding", " ");
        }
        operator.post(at, Json.line(seen)).refused(422, "REQUEST_INVALID");
        evidence.forEach(one -> ((ObjectNode) one).put("finding", "as staged"));
        assertThat(operator.post(at, Json.line(seen)).ok().text("runStatus"))
                .isEqualTo("PUBLISHED");
        assertThat(operator.post(at, published).ok().truth("changed")).isFalse();
        assertThat(house.ask("select details::text from weir.outside_event where run_id = '"
                        + flow.run + "' and name = 'PUBLISH_UNKNOWN_RESOLVED'"))
                .contains("as staged", "test-operator");

        // The flow goes on where it stopped.
        flow.metric("TARGET", "TARGET_COUNT", "3", "3", "PASS").ok();
        assertThat(flow.succeed().ok().truth("success")).isTrue();
    }

    @Test
    void aPersonSettlesThatNothingHappened() {
        UUID token = UUID.randomUUID();
        Flow flow = new Flow(api).publishing(token);
        flow.result(token, "PUBLISH_UNKNOWN").ok();
        String at = "/v1/runs/" + flow.run + "/publish-unknown/resolve";
        operator.post(at, Json.line(resolve("FAILED_PUBLISH", "the engine never saw it")))
                .ok();
        assertThat(flow.detail().text("errorCode")).isEqualTo("PUBLISH_UNKNOWN_RESOLVED");
        assertThat(house.ask("select details #>> '{facts,evidence}' from weir.outside_event"
                        + " where run_id = '" + flow.run + "'"
                        + " and name = 'PUBLISH_UNKNOWN_RESOLVED'"))
                .startsWith("none: settled by the older body");
        assertThat(flow.detail().text("errorMessage")).isEqualTo("the engine never saw it");
        api.post("/v1/runs", Flow.create(flow.detail().text("jobKey"), "2026-09-28"))
                .ok();
    }

    /** The older body is for flows of the older design; one newer field shows that it is none. */
    @Test
    void aFlowThatNamesFilesIsSettledByTheWholeChecklist() {
        Flow flow = new Flow(api);
        flow.register(3).ok();
        UUID claim = UUID.randomUUID();
        flow.claim(0, claim).ok();
        ObjectNode chunk = flow.chunk(0, claim, 0, 1, 3).put("fileName", "a.parquet");
        chunk.remove("hdfsPath");
        flow.report(0, chunk).ok();
        flow.start(flow.dispatch("VALIDATE_RUN")).ok();
        flow.metric("STAGING", "STAGE_COUNT", "3", "3", "PASS").ok();
        flow.call("stage-validated", Json.object()).ok();
        UUID token = UUID.randomUUID();
        flow.claimPublish(token).ok();
        flow.result(token, "PUBLISH_UNKNOWN").ok();

        Api.Answer refused = operator.post(
                        "/v1/runs/" + flow.run + "/publish-unknown/resolve",
                        Json.line(resolve("PUBLISHED", "count and sum equal the staging")))
                .refused(422, "REQUEST_INVALID");
        assertThat(refused.body().at("/details/fields")).hasSize(5);
        assertThat(flow.state()).isEqualTo("PUBLISH_UNKNOWN");
    }

    @Test
    void aRunWithAnIdempotencyKeyIsSettledByTheWholeChecklist() {
        UUID token = UUID.randomUUID();
        Flow flow = new Flow(api).publishing(token);
        flow.result(token, "PUBLISH_UNKNOWN").ok();
        house.update("update weir.outside_run set idempotency_key = 'key-" + flow.run
                + "' where id = '" + flow.run + "'");
        String at = "/v1/runs/" + flow.run + "/publish-unknown/resolve";
        ObjectNode resolve = resolve("PUBLISHED", "count and sum equal the staging");
        Api.Answer bare = operator.post(at, Json.line(resolve)).refused(422, "REQUEST_INVALID");
        assertThat(bare.body().at("/details/fields")).hasSize(5);
        var checklist = api.get("/v1/runs/" + flow.run + "/explain").ok().body().get("checklist");
        var evidence = resolve.putArray("evidence");
        for (int i = 0; i < 4; i++) {
            evidence.addObject().put("check", checklist.get(i).asText()).put("finding", "yes");
        }
        Api.Answer short4 = operator.post(at, Json.line(resolve)).refused(422, "REQUEST_INVALID");
        assertThat(short4.body().at("/details/fields/0").asText())
                .isEqualTo("/evidence: nothing on: " + checklist.get(4).asText());
        assertThat(flow.state()).isEqualTo("PUBLISH_UNKNOWN");

        evidence.addObject().put("check", checklist.get(4).asText()).put("finding", "nobody");
        assertThat(operator.post(at, Json.line(resolve)).ok().text("runStatus"))
                .isEqualTo("PUBLISHED");
    }

    @Test
    void aCertificateSaysWhatIsNotProven() {
        Flow flow = new Flow(api).published();
        String at = "/v1/runs/" + flow.run + "/certificate";
        api.get(at).refused(409, "RUN_STATUS_MISMATCH");
        flow.metric("TARGET", "TARGET_COUNT", "3", "3", "PASS").ok();
        assertThat(flow.succeed().ok().truth("success")).isTrue();
        Api.Answer certificate = api.get(at).ok();
        assertThat(certificate.text("status")).isEqualTo("SUCCESS");
        assertThat(certificate.body().path("extractedCount").asInt()).isEqualTo(3);
        assertThat(certificate.body().path("fileCount").asInt()).isEqualTo(1);
        assertThat(certificate.body().at("/limits/0").asText()).startsWith("unfenced paths");
        assertThat(certificate.body().at("/limits/1").asText()).startsWith("client-measured");
        assertThat(certificate.body().get("metrics")).hasSize(4);
    }

    @Test
    void aFlowTellsItsOwnEvents() {
        Flow flow = new Flow(api);
        flow.call(
                        "events",
                        Json.object()
                                .put("level", "WARN")
                                .put("name", "CLEANUP_FAILED")
                                .put("message", "it's stuck"))
                .ok();
        Api.Answer events = api.get("/v1/runs/" + flow.run + "/events?limit=1").ok();
        assertThat(events.body().at("/events/0/eventName").asText()).isEqualTo("CLEANUP_FAILED");
        assertThat(events.body().at("/events/0/message").asText()).isEqualTo("it's stuck");
        flow.published();
    }

    @Test
    void everyFigureIsListed() {
        Flow flow = new Flow(api).published();
        var metrics =
                api.get("/v1/runs/" + flow.run + "/validations").ok().body().get("metrics");
        assertThat(metrics.findValuesAsText("metricName"))
                .containsExactly("AMOUNT_SUM", "SOURCE_COUNT", "STAGE_COUNT");
        assertThat(metrics.findValuesAsText("stage"))
                .containsExactly("SOURCE", "SOURCE", "STAGING");
    }
}
