package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.core.run.RecoveryMode;
import io.weir.ledger.outside.OutsideDispatch.Kind;
import io.weir.ledger.outside.OutsideOutbox;
import io.weir.ledger.outside.OutsideSettings;
import io.weir.server.access.Role;
import io.weir.server.receiver.AddressGuard;
import io.weir.server.receiver.HostNames;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Calling receivers of outside flows; what a 202 is not, and where nobody is called. */
class OutboxApiTest extends ApiTest {
    private Receiver receiver;

    @Override
    OutsideSettings settings() {
        return OutsideSettings.DEFAULTS
                .withRecovery(RecoveryMode.REISSUE)
                .withGrace(Duration.ZERO)
                .withOutbox(new OutsideSettings.Delivery(
                        3,
                        Duration.ofSeconds(5),
                        Duration.ofMinutes(5),
                        Duration.ofSeconds(60),
                        Duration.ofMinutes(10)));
    }

    @Override
    @BeforeAll
    void open() {
        receiver = new Receiver();
        house = new House();
        server = house.server(settings(), receiver.address());
        api = house.api(server, Role.WORKER);
        operator = house.api(server, Role.OPERATOR);
    }

    @Override
    @AfterAll
    void close() {
        receiver.close();
        super.close();
    }

    private void past(Flow flow, String column, String time) {
        house.update("update weir.outside_dispatch set " + column + " = " + column + " - interval '"
                + time + "' where run_id = '" + flow.run + "'");
    }

    private String dispatched(Flow flow, String field) {
        return flow.detail().body().get("dispatches").get(0).path(field).asText();
    }

    @Test
    void theReceiverIsCalledAndItsAnswerIsNoAcknowledgement() {
        receiver.answering(202);
        Flow flow = new Flow(api).extracted();

        assertThat(server.deliver()).isPositive();

        Receiver.Call call = receiver.of(flow.run).get(0);
        assertThat(call.path()).isEqualTo("/hook/validate/" + flow.detail().text("jobKey"));
        assertThat(call.dispatchId()).isEqualTo(flow.dispatch("VALIDATE_RUN"));
        assertThat(call.body())
                .isEqualTo(
                        Json.object().put("runId", flow.run).put("dispatchId", call.dispatchId()));
        assertThat(dispatched(flow, "status")).isEqualTo("SENT");
        assertThat(flow.state()).isEqualTo("EXTRACTED_VALIDATED");
        server.deliver();
        assertThat(receiver.of(flow.run)).hasSize(1);

        // Taken and not started: sent again, until its attempts are used up.
        past(flow, "sent_at", "11 minutes");
        assertThat(server.sweep()).contains("requeue_dispatch");
        server.deliver();
        past(flow, "sent_at", "11 minutes");
        server.sweep();
        server.deliver();
        assertThat(receiver.of(flow.run)).hasSize(3);
        past(flow, "sent_at", "11 minutes");
        assertThat(server.sweep()).contains("dead_dispatch");
        assertThat(dispatched(flow, "status")).isEqualTo("DEAD");
        // Whoever got it before may still start it.
        assertThat(flow.start(call.dispatchId()).ok().truth("started")).isTrue();
        assertThat(dispatched(flow, "status")).isEqualTo("ACKED");
    }

    /** The flow starts the step before its receiver has answered. */
    @Test
    void anEarlyAcknowledgementStays() {
        receiver.answering(202);
        Flow flow = new Flow(api).extracted();
        receiver.before(call -> {
            if (call.runId().equals(flow.run)) {
                flow.start(call.dispatchId()).ok();
            }
        });
        server.deliver();
        receiver.before(call -> {});
        assertThat(dispatched(flow, "status")).isEqualTo("ACKED");
        assertThat(flow.state()).isEqualTo("STAGE_VALIDATING");
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 503, 408, 425, 429, 301})
    void anAnswerThatPassesIsTriedAgainLater(int status) {
        receiver.answering(status);
        Flow flow = new Flow(api).extracted();
        server.deliver();
        server.deliver();
        assertThat(receiver.of(flow.run)).hasSize(1);
        assertThat(dispatched(flow, "status")).isEqualTo("PENDING");
        assertThat(dispatched(flow, "lastHttpStatus")).isEqualTo(String.valueOf(status));
        past(flow, "due_at", "6 seconds");
        receiver.answering(202);
        server.deliver();
        assertThat(dispatched(flow, "status")).isEqualTo("SENT");
    }

    @Test
    void whatIsRefusedIsDeadUntilAPersonSendsItAgain() {
        receiver.answering(400);
        Flow flow = new Flow(api).extracted();
        server.deliver();
        assertThat(dispatched(flow, "status")).isEqualTo("DEAD");
        assertThat(api.get("/v1/monitor/summary")
                        .ok()
                        .body()
                        .at("/alerts/0/kind")
                        .asText())
                .isEqualTo("DISPATCH_DEAD");

        String dispatch = flow.dispatch("VALIDATE_RUN");
        String at = "/v1/runs/" + flow.run + "/dispatches/" + dispatch + "/resend";
        api.post(at, "{}").refused(403, "FORBIDDEN");
        Api.Answer again = operator.post(at, "").ok();
        assertThat(again.text("status")).isEqualTo("PENDING");
        operator.post(at, "{}").refused(409, "DISPATCH_STATUS_MISMATCH");
        operator.post(at.replace(dispatch, UUID.randomUUID().toString()), "{}")
                .refused(404, "DISPATCH_NOT_FOUND");
        receiver.answering(202);
        server.deliver();
        assertThat(dispatched(flow, "status")).isEqualTo("SENT");
        flow.start(dispatch).ok();
        operator.post(at, "{}").refused(409, "DISPATCH_STATUS_MISMATCH");
    }

    @Test
    void attemptsAreUsedUpByFailures() {
        receiver.answering(500);
        Flow flow = new Flow(api).extracted();
        for (int i = 0; i < 3; i++) {
            server.deliver();
            past(flow, "due_at", "10 minutes");
        }
        assertThat(dispatched(flow, "status")).isEqualTo("DEAD");
        assertThat(dispatched(flow, "attemptCount")).isEqualTo("3");
        receiver.answering(202);
        server.deliver();
        assertThat(receiver.of(flow.run)).hasSize(3);
    }

    /** A dispatcher dies while it delivers: after its lease another one takes the row. */
    @Test
    void aLeaseThatEndedIsDeliveredAgain() {
        receiver.answering(202);
        Flow flow = new Flow(api).extracted();
        OutsideOutbox dead = house.outside(settings()).outbox();
        assertThat(dead.lease(100)).isNotEmpty();
        server.deliver();
        assertThat(receiver.of(flow.run)).isEmpty();
        past(flow, "due_at", "61 seconds");
        server.deliver();
        assertThat(receiver.of(flow.run)).hasSize(1);
        assertThat(dispatched(flow, "attemptCount")).isEqualTo("2");
    }

    @Test
    void manyDispatchersSendOnce() {
        receiver.answering(202);
        List<Flow> flows = List.of(
                new Flow(api).extracted(), new Flow(api).extracted(), new Flow(api).extracted());
        atOnce(4, server::deliver);
        flows.forEach(flow -> assertThat(receiver.of(flow.run)).hasSize(1));
    }

    @Test
    void aLostPartitionIsReadAgainAtTheSameSnapshot() {
        receiver.answering(202);
        Flow flow = new Flow(api);
        flow.register(5, 4).ok();
        UUID old = UUID.randomUUID();
        flow.claim(0, old).ok();
        flow.report(0, old, 0, 2, 2).ok();
        house.update("update weir.outside_partition set lease_until = clock_timestamp()"
                + " where run_id = '" + flow.run + "' and state = 'RUNNING'");
        assertThat(server.sweep()).contains("reissue_partition");

        server.deliver();
        Receiver.Call call = receiver.of(flow.run).get(0);
        assertThat(call.path()).startsWith("/hook/reissue/");
        assertThat(call.body())
                .isEqualTo(Json.object()
                        .put("runId", flow.run)
                        .put("dispatchId", call.dispatchId())
                        .put("partitionId", "0000")
                        .put("businessKey", "2026-09-28")
                        .put("snapshotScn", Flow.SCN)
                        .put("hdfsRunPath", flow.path)
                        .put("lowerBound", "0")
                        .put("upperBound", "10")
                        .put("upperInclusive", false)
                        .put("isNullPartition", false)
                        .put("expectedRowCount", 5));
        flow.report(0, old, 1, 2, 3).refused(409, "CLAIM_MISMATCH");
        UUID fresh = UUID.randomUUID();
        Api.Answer claim = flow.claim(0, fresh).ok();
        assertThat(claim.body().path("attempt").asInt()).isEqualTo(2);
        assertThat(dispatched(flow, "status")).isEqualTo("ACKED");
        flow.report(0, old, 1, 2, 3).refused(409, "CLAIM_MISMATCH");
        // The same file names as before, as a flow that knows no epochs writes them.
        flow.report(0, fresh, 0, 1, 5).ok();
        flow.read(1, 4);
        assertThat(flow.state()).isEqualTo("EXTRACTED_VALIDATED");
        assertThat(flow.detail().body().path("extractedCount").asLong()).isEqualTo(9);
    }

    @Test
    void kindsThatAreNewGoOnlyToThoseWhoDeclareThem() {
        receiver.answering(202);
        Flow old = new Flow(api).validated();
        assertThat(old.dispatch("PUBLISH_RUN")).isEmpty();

        OutsideSettings declared = settings()
                .withKinds(Set.of(
                        Kind.VALIDATE_RUN,
                        Kind.REISSUE_PARTITION,
                        Kind.PUBLISH_RUN,
                        Kind.CONFIRM_RUN));
        WeirServer other = house.server(declared, receiver.address());
        Flow flow = new Flow(house.api(other, Role.WORKER)).validated();
        other.deliver();
        UUID token = UUID.randomUUID();
        flow.claimPublish(token).ok();
        flow.result(token, "PUBLISH_UNKNOWN").ok();
        other.deliver();
        house.api(other, Role.OPERATOR)
                .post(
                        "/v1/runs/" + flow.run + "/publish-unknown/resolve",
                        House.json("resolution", "PUBLISHED", "reason", "it is there"))
                .ok();
        other.deliver();
        // What follows a settled publishing is asked for: nobody has to remember it.
        assertThat(receiver.of(flow.run))
                .extracting(call -> call.path().split("/", -1)[2])
                .containsExactly("publish", "confirm");
        flow.metric("TARGET", "TARGET_COUNT", "3", "3", "PASS").ok();
        assertThat(flow.succeed().ok().truth("success")).isTrue();
        assertThat(flow.detail().body().get("dispatches").findValuesAsText("status"))
                .containsExactly("ACKED", "CANCELLED", "CANCELLED");
    }

    @Test
    void aReceiverThatIsNotThereIsTriedAgain() {
        Receiver gone = new Receiver();
        WeirServer other = house.server(settings(), gone.address());
        gone.close();
        Flow flow = new Flow(api).extracted();
        other.deliver();
        assertThat(dispatched(flow, "status")).isEqualTo("PENDING");
        assertThat(dispatched(flow, "lastError")).startsWith("no answer");
        flow.start(flow.dispatch("VALIDATE_RUN")).ok();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1/",
                "http://localhost:8080",
                "http://[::1]/",
                "http://169.254.169.254/latest",
                "http://10.1.2.3",
                "http://192.168.0.1/x",
                "http://172.16.0.1",
                "http://0.0.0.0",
                "http://[::ffff:127.0.0.1]/",
                "http://[fd00::1]/",
                "http://[fe80::1]/",
                "http://100.64.0.1/",
                "http://2130706433/",
                "http://224.0.0.1/"
            })
    void addressesThatAreNotPublicAreNotCalled(String address) {
        AddressGuard guard = new AddressGuard(Set.of(), HostNames.SYSTEM);
        assertThatThrownBy(() -> guard.targets(URI.create(address).getHost()))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.RECEIVER_NOT_ALLOWED));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:///etc/passwd",
                "ftp://example.org",
                "http://user:pw@example.org",
                "http://example.org/#x",
                "http://example.org/?a=b",
                "example.org",
                "http://",
                "http:///x",
                "gopher://example.org"
            })
    void otherAddressesAreNone(String address) {
        AddressGuard guard = new AddressGuard(Set.of("example.org"), HostNames.SYSTEM);
        assertThatThrownBy(() -> guard.check(address))
                .isInstanceOfSatisfying(WeirException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.RECEIVER_NOT_ALLOWED);
                    assertThat(e.text()).doesNotContain("user:pw");
                });
    }
}
