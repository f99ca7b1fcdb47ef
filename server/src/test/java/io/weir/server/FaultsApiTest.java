package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.weir.server.access.Role;
import io.weir.testkit.proxy.Direction;
import io.weir.testkit.proxy.Ending;
import io.weir.testkit.proxy.Fault;
import io.weir.testkit.proxy.FaultProxy;
import io.weir.testkit.proxy.Protocol;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** Lines that are cut, replies that are lost, and two servers over one ledger. */
class FaultsApiTest extends ApiTest {
    private FaultProxy line;
    private WeirServer second;
    private Api other;

    @BeforeEach
    void connect() {
        line = House.line();
        second = house.server(line);
        other = house.api(second, Role.WORKER);
    }

    @AfterEach
    void disconnect() {
        line.close();
    }

    @Test
    void aLedgerThatIsGoneIsWorthAnotherTry() {
        Flow flow = new Flow(other);
        line.refuse();
        line.cutAll(Ending.RESET);

        Api.Answer answer = other.get("/v1/runs/" + flow.run);
        answer.refused(503, "DATABASE_UNAVAILABLE");
        assertThat(answer.truth("retryable")).isTrue();
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        other.get("/readyz").refused(503, "DATABASE_UNAVAILABLE");
        other.get("/livez").ok();

        line.pass();
        assertThat(other.get("/readyz").ok().headers().firstValue("Retry-After"))
                .isEmpty();
        assertThat(flow.state()).isEqualTo("CREATED");
    }

    /** Nothing comes back and nothing is refused: the pool would wait for half a minute. */
    @Test
    void readinessDoesNotWaitForALedgerThatIsSilent() {
        other.get("/readyz").ok();
        line.blackHole(Direction.UP, Direction.DOWN);
        Api.Answer answer = assertTimeout(Duration.ofSeconds(2), () -> other.get("/readyz"));
        answer.refused(503, "DATABASE_UNAVAILABLE");
        other.get("/livez").ok();
        line.pass();
        line.cutAll(Ending.RESET);
        await().untilAsserted(() -> other.get("/readyz").ok());
    }

    /** The commit arrives, its reply does not: the server finds out and answers all the same. */
    @Test
    void aReportWhoseCommitHasNoReplyCountsOnce() {
        for (Fault fault : List.of(Fault.CUT_AFTER, Fault.CUT_BEFORE)) {
            Flow flow = new Flow(other);
            flow.register(5).ok();
            UUID token = UUID.randomUUID();
            flow.claim(0, token).ok();
            String report = flow.chunk(0, token, 0, 1, 5).toString();
            // Looking up the caller commits nothing, so the next commit is that of the report.
            line.onCommit(fault);

            Api.Answer first = other.post(flow.at(0) + "/chunks", report);
            Api.Answer again = other.post(flow.at(0) + "/chunks", report).ok();

            assertThat(first.status()).isIn(200, 503);
            assertThat(again.text("runStatus")).isEqualTo("EXTRACTED_VALIDATED");
            assertThat(flow.detail().body().get("dispatches")).hasSize(1);
            assertThat(flow.detail().body().path("extractedCount").asInt()).isEqualTo(5);
        }
    }

    /** The reply of the server is lost on its way to the flow. */
    @Test
    void whatIsRepeatedAfterALostReplyHasTheSameAnswer() {
        try (FaultProxy wire = FaultProxy.start(Protocol.HTTP, "127.0.0.1", server.port())) {
            Flow flow = new Flow(api);
            flow.register(5).ok();
            UUID token = UUID.randomUUID();
            flow.claim(0, token).ok();
            Api lossy = new Api(
                    "http://127.0.0.1:" + wire.port(), house.token(Role.WORKER), server.routes());
            wire.at(1, Fault.CUT_AFTER);
            String report = flow.chunk(0, token, 0, 1, 5).toString();
            try {
                lossy.post(flow.at(0) + "/chunks", report);
            } catch (IllegalStateException e) {
                assertThat(e).hasMessageStartingWith("Cannot call");
            }
            assertThat(flow.state()).isEqualTo("EXTRACTED_VALIDATED");
            Api.Answer again = lossy.post(flow.at(0) + "/chunks", report).ok();
            assertThat(again.text("partitionStatus")).isEqualTo("SUCCESS");
            assertThat(again.truth("validationScheduled")).isFalse();
        }
    }

    /** Every call goes to another server than the one before, and the last chunks to both. */
    @Test
    void twoServersAreOne() {
        Flow flow = new Flow(api);
        Flow same = new Flow(other);
        other.post(
                        "/v1/runs/" + flow.run + "/manifest",
                        Flow.manifest(1, 1, 1, 1).toString())
                .ok();
        same.register(1).ok();
        UUID token = UUID.randomUUID();
        for (int i = 0; i < 4; i++) {
            assertThat(flow.claim(i, token).ok().truth("claimed")).isTrue();
        }
        AtomicInteger next = new AtomicInteger();
        List<Boolean> scheduled = atOnce(4, () -> {
            int i = next.getAndIncrement();
            Api either = i % 2 == 0 ? api : other;
            return either.post(
                            flow.at(i) + "/chunks",
                            flow.chunk(i, token, 0, 1, 1).toString())
                    .ok()
                    .truth("validationScheduled");
        });
        assertThat(scheduled).containsOnlyOnce(true);
        String start = House.json("dispatchId", flow.dispatch("VALIDATE_RUN"));
        AtomicInteger turn = new AtomicInteger();
        assertThat(atOnce(
                        6,
                        () -> (turn.getAndIncrement() % 2 == 0 ? api : other)
                                .post("/v1/runs/" + flow.run + "/validation/start", start)
                                .ok()
                                .truth("started")))
                .containsOnlyOnce(true);
    }
}
