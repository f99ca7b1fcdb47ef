package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.core.json.Json;
import io.weir.core.run.RecoveryMode;
import io.weir.ledger.outside.OutsideLedger;
import io.weir.ledger.outside.OutsideSettings;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What happens to runs whose time is over, to what they left behind, and what a monitor shows. */
class RecoveryApiTest extends ApiTest {
    @Override
    OutsideSettings settings() {
        return OutsideSettings.DEFAULTS.withGrace(Duration.ZERO);
    }

    private void past(Flow flow, String column, String time) {
        house.update("update weir.outside_run set " + column + " = " + column + " - interval '"
                + time + "' where id = '" + flow.run + "'");
    }

    private void loseClaims(Flow flow) {
        house.update("update weir.outside_partition set lease_until = clock_timestamp()"
                + " where run_id = '" + flow.run + "' and state = 'RUNNING'");
    }

    @Test
    void aSilentPartitionEndsTheRunUnlessItIsReadAgain() {
        Flow fresh = new Flow(api);
        fresh.register(5).ok();
        fresh.claim(0, UUID.randomUUID()).ok();
        Flow stale = new Flow(api);
        stale.register(5, 4).ok();
        stale.claim(0, UUID.randomUUID()).ok();
        loseClaims(stale);

        assertThat(server.sweep()).contains("timeout_stale_partition");

        assertThat(stale.state()).isEqualTo("TIMED_OUT");
        assertThat(stale.detail().text("errorCode")).isEqualTo("PARTITION_STALE");
        assertThat(stale.detail().body().at("/partitionCounts/TIMED_OUT").asInt())
                .isEqualTo(2);
        assertThat(fresh.state()).isEqualTo("EXTRACTING");
    }

    /** A report leaves a row that a sweeper holds to a slower way. */
    @Test
    void aSweepTouchesNoPartitionThatIsAlive() {
        Flow flow = new Flow(api);
        flow.register(5, 4).ok();
        flow.claim(0, UUID.randomUUID()).ok();
        // A lock is written into its row.
        String locks = "select string_agg(xmax::text, ' ' order by ordinal)"
                + " from weir.outside_partition where run_id = '" + flow.run + "'";
        String before = house.ask(locks);
        server.sweep();

        assertThat(flow.state()).isEqualTo("EXTRACTING");
        assertThat(house.ask(locks)).isEqualTo(before).hasSizeGreaterThan(2);
    }

    @Test
    void aPartitionIsReadAgainOnlySoOften() {
        OutsideLedger reissuing = house.outside(settings().withRecovery(RecoveryMode.REISSUE));
        Flow flow = new Flow(api);
        flow.register(5).ok();
        for (int i = 0; i < 2; i++) {
            flow.claim(0, UUID.randomUUID()).ok();
            loseClaims(flow);
            assertThat(reissuing.sweep()).contains("reissue_partition");
        }
        flow.claim(0, UUID.randomUUID()).ok();
        loseClaims(flow);
        reissuing.sweep();
        assertThat(flow.state()).isEqualTo("TIMED_OUT");
        assertThat(flow.detail().text("errorCode")).isEqualTo("REISSUE_ATTEMPTS_EXHAUSTED");
        assertThat(flow.detail().body().at("/dispatches/0/status").asText()).isEqualTo("ACKED");
    }

    /** Servers that were down together must not end what nobody could give a sign for. */
    @Test
    void nothingIsLostRightAfterAStart() {
        OutsideLedger started = house.outside(settings().withGrace(Duration.ofHours(1)));
        Flow flow = new Flow(api);
        flow.register(5).ok();
        flow.claim(0, UUID.randomUUID()).ok();
        loseClaims(flow);
        assertThat(started.sweep()).doesNotContain("timeout_stale_partition");
        assertThat(flow.state()).isEqualTo("EXTRACTING");
        server.sweep();
        assertThat(flow.state()).isEqualTo("TIMED_OUT");
    }

    @Test
    void everyStateBeforePublishingEndsWithTheDeadline() {
        List<Flow> flows = List.of(
                new Flow(api),
                new Flow(api).extracted(),
                new Flow(api).validating(),
                new Flow(api).validated());
        flows.forEach(flow -> past(flow, "deadline", "7 hours"));
        Flow published = new Flow(api).published();
        past(published, "deadline", "7 hours");

        assertThat(server.sweep()).contains("timeout_run_deadline");

        flows.forEach(flow -> assertThat(flow.state()).isEqualTo("TIMED_OUT"));
        assertThat(published.state()).isEqualTo("PUBLISHED");
    }

    @Test
    void aSilentValidationIsAskedForAgain() {
        Flow flow = new Flow(api).validating();
        String first = flow.dispatch("VALIDATE_RUN");
        past(flow, "heartbeat_at", "3 hours");
        assertThat(server.sweep()).contains("validation_asked_again");
        assertThat(flow.state()).isEqualTo("EXTRACTED_VALIDATED");
        String second = flow.dispatch("VALIDATE_RUN");
        assertThat(second).isNotEqualTo(first);
        assertThat(flow.start(first).ok().truth("started")).isFalse();
        assertThat(flow.start(second).ok().truth("started")).isTrue();
    }

    @Test
    void aSilentPublishingIsNotKnownAndALateWordOfItRefused() {
        UUID token = UUID.randomUUID();
        Flow flow = new Flow(api).publishing(token);
        past(flow, "publish_started_at", "3 hours");
        assertThat(server.sweep()).contains("publish_unknown");
        assertThat(flow.state()).isEqualTo("PUBLISH_UNKNOWN");
        assertThat(flow.detail().text("errorCode")).isEqualTo("PUBLISH_STALE");
        flow.result(token, "PUBLISHED").refused(409, "RUN_STATUS_MISMATCH");
        past(flow, "deadline", "9 hours");
        server.sweep();
        assertThat(flow.state()).isEqualTo("PUBLISH_UNKNOWN");
    }

    @Test
    void aSilentTargetIsAlertedOncePerWindow() {
        Flow flow = new Flow(api).published();
        past(flow, "heartbeat_at", "3 hours");
        assertThat(server.sweep()).contains("stale_alert");
        assertThat(server.sweep()).doesNotContain("stale_alert");
        assertThat(flow.state()).isEqualTo("PUBLISHED");
    }

    @Test
    void manySweepersActOnce() {
        Flow flow = new Flow(api).validating();
        past(flow, "heartbeat_at", "3 hours");
        List<OutsideLedger> sweepers =
                List.of(house.outside(settings()), house.outside(settings()));
        atOnce(4, () -> sweepers.get((int) (Thread.currentThread().getId() % 2)).sweep());
        server.sweep();
        assertThat(flow.detail().body().get("dispatches")).hasSize(2);
    }

    @Test
    void onlyWhatEndedLongAgoIsCleanedUpAfter() {
        Flow good = new Flow(api).published();
        good.metric("TARGET", "TARGET_COUNT", "3", "3", "PASS").ok();
        good.succeed().ok();
        String at = "/v1/runs/" + good.run + "/cleanup";
        String body = House.json("droppedTable", "stage.t", "deletedPath", good.path);
        api.post(at, body).refused(409, "CLEANUP_NOT_DUE");
        past(good, "ended_at", "4 days");
        String job = good.detail().text("jobKey");
        Flow active = new Flow(api);
        api.post("/v1/runs/" + active.run + "/cleanup", body).refused(409, "CLEANUP_NOT_DUE");
        assertThat(candidates("?jobKey=" + job)).containsExactly(good.run);
        assertThat(api.get("/v1/monitor/summary").ok().body().path("cleanupDue").asInt())
                .isPositive();

        api.post(at, House.json("deletedPath", "/a b")).refused(422, "REQUEST_INVALID");
        assertThat(api.post(at, body).ok().truth("changed")).isTrue();
        assertThat(operator.post(at, body).ok().truth("changed")).isFalse();
        assertThat(good.state()).isEqualTo("SUCCESS");
        assertThat(candidates("?jobKey=" + job)).isEmpty();
        api.get("/v1/cleanup/candidates?jobKey=lower").refused(422, "REQUEST_INVALID");
    }

    private List<String> candidates(String query) {
        return api.get("/v1/cleanup/candidates" + query)
                .ok()
                .body()
                .get("runs")
                .findValuesAsText("runId");
    }

    @Test
    void theSummaryShowsWhatAPersonShouldLookAt() {
        UUID token = UUID.randomUUID();
        Flow unknown = new Flow(api).publishing(token);
        unknown.result(token, "PUBLISH_UNKNOWN").ok();
        Flow stale = new Flow(api);
        past(stale, "heartbeat_at", "2 hours");
        Flow failed = new Flow(api);
        failed.call(
                        "fail",
                        Json.object()
                                .put("expectedStatus", "CREATED")
                                .put("failStatus", "FAILED_MANIFEST")
                                .put("errorStage", "S")
                                .put("errorCode", "NO_TABLE"))
                .ok();
        failed.call("events", Json.object().put("level", "ERROR").put("name", "CLEANUP_FAILED"))
                .ok();

        var summary = api.get("/v1/monitor/summary").ok().body();

        assertThat(summary.path("recentWindowHours").asInt()).isEqualTo(24);
        assertThat(summary.path("activeRuns").asInt()).isGreaterThanOrEqualTo(2);
        assertThat(summary.path("dispatches").fieldNames())
                .toIterable()
                .contains("PENDING", "SENT", "DEAD");
        assertThat(alerts(summary, unknown)).containsExactly("PUBLISH_UNKNOWN ERROR");
        assertThat(alerts(summary, stale)).containsExactly("RUN_STALE WARN");
        assertThat(alerts(summary, failed))
                .containsExactly("RUN_FAILED ERROR", "CLEANUP_FAILED WARN");
    }

    private static List<String> alerts(JsonNode summary, Flow flow) {
        List<String> kinds = new ArrayList<>();
        summary.get("alerts").forEach(alert -> {
            if (alert.path("runId").asText().equals(flow.run)) {
                kinds.add(
                        alert.path("kind").asText() + " " + alert.path("level").asText());
            }
        });
        return kinds;
    }
}
