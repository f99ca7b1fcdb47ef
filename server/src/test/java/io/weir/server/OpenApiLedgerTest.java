package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;

import io.weir.client.HttpLedger;
import io.weir.client.LedgerAddress;
import io.weir.client.wire.LedgerCall;
import io.weir.client.wire.LedgerCalls;
import io.weir.core.json.Json;
import io.weir.core.ledger.Delivery;
import io.weir.core.ledger.Progress;
import io.weir.core.ledger.RunFilter;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.metric.Stage;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Failure;
import io.weir.core.run.Operator;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunState;
import io.weir.core.run.StreamState;
import io.weir.core.run.StreamTransaction;
import io.weir.core.run.WorkerSign;
import io.weir.server.access.Role;
import io.weir.testkit.ledger.LedgerScript;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** What the document says of the calls of the port is what goes over the line, field by field. */
class OpenApiLedgerTest extends ApiTest {
    private static final Path EXAMPLES = Path.of(System.getProperty("weir.root"))
            .resolve("server/src/main/resources/io/weir/server/ledger/examples.json");

    private final SchemaRegistry registry =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    @Test
    void everyCallIsWhatItsSchemaSays() throws IOException {
        JsonNode document = api.get("/openapi.json").ok().body();
        List<Recorder.Exchange> exchanges = everything();
        Map<String, ObjectNode> first = new TreeMap<>();
        for (Recorder.Exchange exchange : exchanges) {
            JsonNode operation = operation(document, exchange.call());
            assertThat(offences(document, request(operation), exchange.request()))
                    .as(exchange.call())
                    .isEmpty();
            assertThat(offences(document, reply(operation), exchange.reply()))
                    .as(exchange.call())
                    .isEmpty();
            ObjectNode known = first.get(exchange.call());
            boolean says = !exchange.reply().path(LedgerCall.ANSWER).isEmpty();
            // An example that says something is better than an empty list.
            if (known == null || (says && known.at("/reply/answer").isEmpty())) {
                first.put(exchange.call(), exchange.document());
            }
        }
        List<String> names =
                LedgerCalls.ALL.stream().<String>map(LedgerCall::name).toList();
        assertThat(first.keySet()).containsExactlyInAnyOrderElementsOf(names);
        if (Boolean.getBoolean("weir.regenerate")) {
            ObjectNode all = Json.object();
            first.forEach(all::set);
            Files.createDirectories(EXAMPLES.getParent());
            Files.writeString(EXAMPLES, Json.pretty(all) + "\n");
        }
    }

    @Test
    void everyCallHasAnExampleThatIsOne() {
        JsonNode document = api.get("/openapi.json").ok().body();
        for (LedgerCall<?, ?> call : LedgerCalls.ALL) {
            JsonNode operation = operation(document, call.name());
            JsonNode asked = content(operation.path("requestBody")).path("example");
            JsonNode answered = content(operation.at("/responses/200")).path("example");
            assertThat(asked.isObject())
                    .as(call.name() + ": -Dweir.regenerate=true")
                    .isTrue();
            assertThat(offences(document, request(operation), asked))
                    .as(call.name())
                    .isEmpty();
            assertThat(offences(document, reply(operation), answered))
                    .as(call.name())
                    .isEmpty();
            assertThat(call.asked(asked)).isInstanceOf(call.question());
            call.read(answered);
        }
    }

    @Test
    void whatIsNotInTheSchemaIsRefusedByIt() {
        JsonNode document = api.get("/openapi.json").ok().body();
        JsonNode schema = request(operation(document, "claim-next"));
        ObjectNode asked = Json.object()
                .put("runId", UUID.randomUUID().toString())
                .put("token", UUID.randomUUID().toString())
                .put("worker", "w");
        assertThat(offences(document, schema, asked)).isEmpty();
        assertThat(offences(document, schema, asked.deepCopy().put("more", 1))).hasSize(1);
        assertThat(offences(document, schema, asked.deepCopy().put("worker", 7)))
                .hasSize(1);
        assertThat(offences(document, schema, asked.deepCopy().without("token")))
                .hasSize(1);
    }

    private static JsonNode operation(JsonNode document, String call) {
        return document.path("paths").path("/v1/ledger/" + call).path("post");
    }

    private static JsonNode content(JsonNode holder) {
        return holder.path("content").path("application/json");
    }

    private static JsonNode request(JsonNode operation) {
        return content(operation.path("requestBody")).path("schema");
    }

    private static JsonNode reply(JsonNode operation) {
        return content(operation.at("/responses/200")).path("schema");
    }

    private List<String> offences(JsonNode document, JsonNode schema, JsonNode value) {
        ObjectNode whole = schema.deepCopy();
        assertThat(whole.isEmpty()).isFalse();
        whole.set("components", document.path("components"));
        Schema compiled = registry.getSchema(whole);
        return compiled.validate(value).stream().map(String::valueOf).toList();
    }

    /** Each call at least once, by a worker and a person, in the way they are used. */
    private List<Recorder.Exchange> everything() {
        try (Recorder recorder = new Recorder(server.port())) {
            HttpLedger worker = ledger(recorder, Role.WORKER);
            HttpLedger people = ledger(recorder, Role.OPERATOR);
            worker.signWorker(new WorkerSign(
                    new UUID(5, 5), "worker", List.of("shop"), 4, 1, Instant.EPOCH, Instant.EPOCH));
            worker.workers();
            published(worker);
            unpublished(worker, people);
            people.runs(new RunFilter(null, false, 10));
            streamed(worker, people);
            worker.sweep();
            return new ArrayList<>(recorder.exchanges);
        }
    }

    private static void streamed(HttpLedger worker, HttpLedger people) {
        StreamTransaction first = transaction(1);
        worker.openStream(first);
        worker.prolongStream(first.id(), 500);
        worker.commitStream(first.id());
        worker.closeStream(first.id());
        StreamTransaction second = transaction(2);
        worker.openStream(second);
        people.abortStream(second.id(), new Operator("ada", "sent twice"));
        people.streams();
    }

    private static StreamTransaction transaction(int number) {
        return new StreamTransaction(
                new UUID(7, number),
                "testing.alerts",
                "collector",
                "host/7",
                "topic-0",
                (long) number,
                StreamState.OPEN,
                0,
                Duration.ofMinutes(5),
                Instant.EPOCH,
                Instant.EPOCH,
                null);
    }

    private void published(HttpLedger worker) {
        LedgerScript script = new LedgerScript(worker, LedgerScript.request("published"));
        script.extracting(2);
        worker.heartbeatRun(script.id(), null);
        WorkOrder first = script.claim(new UUID(1, 1));
        worker.heartbeat(first.claim(), new Progress(3, 300));
        script.complete(first);
        script.complete(worker.claim(script.id(), new PartitionId("0001"), new UUID(1, 2), "w")
                .orElseThrow());
        worker.leaseDispatches(10).stream()
                .filter(row -> row.runId().equals(script.id()))
                .forEach(row ->
                        worker.settleDispatch(row, new Delivery(Delivery.Outcome.ACCEPTED, "")));
        script.start("auditor");
        worker.heartbeatRun(script.id(), "auditor");
        script.stage(new UUID(2, 0));
        worker.recordFiles(script.id(), script.measuredFiles());
        worker.recordMetrics(script.id(), Stage.STAGING, script.measures());
        worker.stageValidated(script.id());
        script.start("publisher");
        worker.claimPublish(script.attempt());
        worker.publishResult(script.attempt(), PublishOutcome.PUBLISHED, 300L, "main is 300");
        script.confirm();
        worker.detail(script.id());
        worker.events(script.id());
        worker.releaseSnapshot(
                script.id(), new UUID(7, script.id().value().getLeastSignificantBits()));
        worker.cleanable(Duration.ZERO, Duration.ZERO, 10);
        worker.recordCleaned(script.id());
    }

    private void unpublished(HttpLedger worker, HttpLedger people) {
        Operator operator = new Operator("-", "wrong day");
        LedgerScript failed = new LedgerScript(worker, LedgerScript.request("failed"));
        failed.extracting(1);
        worker.failPartition(
                failed.claim(new UUID(1, 1)).claim(), new Failure("EXTRACT", "BROKEN", "it broke"));
        LedgerScript renewed = new LedgerScript(worker, LedgerScript.request("renewed"));
        renewed.publishing(1);
        worker.renewAttempt(renewed.attempt(), 101, new UUID(2, 1));
        LedgerScript ended = new LedgerScript(worker, LedgerScript.request("ended"));
        ended.extracted(1);
        worker.leaseDispatches(10).stream()
                .filter(row -> row.runId().equals(ended.id()))
                .forEach(row -> worker.settleDispatch(row, Delivery.refused("no such job")));
        Dispatch dead = ended.detail().dispatches().get(0);
        people.resendDispatch(ended.id(), dead.id(), operator);
        worker.failRun(
                ended.id(),
                RunState.EXTRACTED_VALIDATED,
                RunState.FAILED_STAGE_VALIDATION,
                new Failure("STAGE", "BROKEN", "it broke"));
        LedgerScript cancelled = new LedgerScript(worker, LedgerScript.request("cancelled"));
        people.cancelRun(cancelled.id(), RunState.CREATED, operator);
        assertThat(new TreeSet<>(List.of(
                        failed.run().state().name(), cancelled.run().state().name())))
                .containsExactly("CANCELLED", "FAILED_EXTRACT");
    }

    private HttpLedger ledger(Recorder recorder, Role role) {
        return HttpLedger.of(
                LedgerAddress.parse(recorder.address()),
                house.token(role),
                HttpLedger.TIMEOUT_DEFAULT);
    }
}
