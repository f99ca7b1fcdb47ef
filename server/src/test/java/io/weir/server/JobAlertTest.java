package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.core.error.ErrorCode;
import io.weir.core.ledger.CreateRun;
import io.weir.core.publish.PublishMode;
import io.weir.core.run.Failure;
import io.weir.core.run.Operator;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.ledger.alert.AlertBooks.Channel;
import io.weir.ledger.replica.Stop;
import io.weir.server.alert.AlertEndpoint;
import io.weir.server.alert.AlertSink;
import io.weir.server.alert.AlertTeller;
import io.weir.server.receiver.AddressGuard;
import io.weir.server.receiver.HostNames;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** What people are told of jobs as a whole: loads that failed, replications that ended. */
class JobAlertTest {
    private House house;
    private Receiver slack;
    private Receiver webhook;

    @BeforeEach
    void open() {
        house = new House();
        slack = new Receiver().answering(200);
        webhook = new Receiver().answering(204);
        for (Channel channel : Channel.values()) {
            house.books.alerts().open(channel);
        }
    }

    @AfterEach
    void close() {
        slack.close();
        webhook.close();
        house.close();
    }

    private static AlertSink endpoint(Receiver receiver) {
        return AlertEndpoint.of(
                receiver.address() + "/T0/s3cret",
                new AddressGuard(Set.of("127.0.0.1"), HostNames.SYSTEM));
    }

    private int tell(String... jobs) {
        Map<Channel, AlertSink> sinks = new EnumMap<>(Channel.class);
        sinks.put(Channel.SLACK, endpoint(slack));
        sinks.put(Channel.WEBHOOK, endpoint(webhook));
        try (AlertTeller teller = new AlertTeller(house.books.alerts(), sinks, Set.of(jobs))) {
            return teller.tellDue();
        }
    }

    private List<String> kinds() {
        return webhook.calls.stream()
                .map(call -> call.body().path("kind").asText())
                .toList();
    }

    private JsonNode last() {
        return webhook.calls.get(webhook.calls.size() - 1).body();
    }

    private String said() {
        JsonNode message = slack.calls.get(slack.calls.size() - 1).body();
        return String.join("\n", message.path("blocks").findValuesAsText("text"))
                + message.path("blocks").findValues("text");
    }

    private Run created(String job) {
        return house.books.createRun(new CreateRun(
                UUID.randomUUID().toString(),
                job,
                "2026-11-30",
                "shop",
                "public.orders",
                "sales." + job,
                PublishMode.REPLACE,
                "file:///lake/" + job + "/data/",
                false,
                Duration.ofMinutes(2),
                Duration.ofHours(6),
                RecoveryMode.REISSUE,
                null));
    }

    private Run failed(String job, String message) {
        return house.books.failRun(
                created(job).id(),
                RunState.CREATED,
                RunState.FAILED_MANIFEST,
                new Failure("manifest", ErrorCode.SOURCE_UNREACHABLE.name(), message));
    }

    @Test
    void aFailedLoadIsToldOnceUntilItFailsOtherwise() {
        Run run = failed("orders", "Cannot reach source shop: refused (port=5432)");
        assertThat(tell()).isEqualTo(2);
        assertThat(tell()).isZero();
        assertThat(last().path("kind").asText()).isEqualTo("LOAD_FAILED");
        assertThat(last().path("id").asText()).isEqualTo("orders/run/" + run.id());
        assertThat(last().path("target").asText()).isEqualTo("sales.orders");
        assertThat(last().path("businessKey").asText()).isEqualTo("2026-11-30");
        assertThat(last().path("state").asText()).isEqualTo("FAILED_MANIFEST");
        assertThat(last().path("code").asText()).isEqualTo("SOURCE_UNREACHABLE");
        assertThat(said())
                .contains("Load failed: sales.orders (FAILED_MANIFEST)")
                .contains("refused (port=5432)")
                .contains("Nothing of it is published.")
                .contains("weir explain " + run.id());

        failed("orders", "Cannot reach source shop: refused (port=5433)");
        assertThat(tell()).as("the same but for a number").isZero();
        failed("orders", "Cannot read table orders: it is gone");
        assertThat(tell()).isEqualTo(2);
        failed("items", "Cannot read table orders: it is gone");
        assertThat(tell()).as("of another target").isEqualTo(2);
    }

    @Test
    void aCancelledLoadIsToldAndOtherJobsAreOthers() {
        Run run = created("orders");
        house.books.cancelRun(run.id(), RunState.CREATED, new Operator("ann", "too early"));
        assertThat(tell("items")).isZero();
        assertThat(tell("orders")).isEqualTo(2);
        assertThat(last().path("state").asText()).isEqualTo("CANCELLED");
        assertThat(last().path("message").asText()).isNotBlank();
    }

    @Test
    void anEndpointThatIsDownIsToldOfALoadLater() {
        slack.answering(503);
        failed("orders", "Cannot reach it");
        assertThat(tell()).as("the other one takes it").isEqualTo(1);
        assertThat(tell()).as("not due again yet").isZero();
        slack.answering(200);
        house.update("update weir.alert_run set due_at = clock_timestamp()");
        assertThat(tell()).isEqualTo(1);
        assertThat(tell()).isZero();
        assertThat(kinds()).containsExactly("LOAD_FAILED");
    }

    @Test
    void aLoadThatFailedBeforeAnybodyToldIsLeftOut() {
        house.update("delete from weir.alert_channel");
        failed("orders", "Cannot reach it");
        assertThat(tell()).isZero();
        failed("orders", "Cannot reach it");
        assertThat(tell()).as("nobody was told of the one before").isEqualTo(2);
    }

    @Test
    void aJobThatEndsAsAWholeIsToldOnceUntilAWindowIsGood() {
        Replicated shop = new Replicated(house, "shop");
        Stop full = new Stop("CAPTURE_SLOT_FULL", "Cannot capture: too much (bytes=12)", "Allow.");
        shop.books.stopped(shop.hold, full);
        assertThat(tell()).isEqualTo(2);
        assertThat(last().path("kind").asText()).isEqualTo("JOB_STOP");
        assertThat(last().path("job").asText()).isEqualTo("shop");
        assertThat(last().path("code").asText()).isEqualTo("CAPTURE_SLOT_FULL");
        assertThat(last().path("command").asText()).isEqualTo("Allow.");
        assertThat(said()).contains("Job stopped: shop (CAPTURE_SLOT_FULL)").contains("Allow.");

        shop.books.stopped(
                shop.hold,
                new Stop("CAPTURE_SLOT_FULL", "Cannot capture: too much (bytes=99)", "Allow."));
        assertThat(tell()).as("the same but for a number").isZero();
        shop.published(20);
        shop.books.stopped(shop.hold, full);
        assertThat(tell()).as("a window was good").isEqualTo(2);
    }

    @Test
    void aLostSlotIsAKindOfItsOwn() {
        Replicated shop = new Replicated(house, "shop");
        shop.books.stopped(
                shop.hold, new Stop("CAPTURE_SLOT_LOST", "Cannot capture: removed", "Drop it."));
        assertThat(tell()).isEqualTo(2);
        assertThat(last().path("kind").asText()).isEqualTo("SLOT_LOST");
        assertThat(said()).contains("Slot lost: job shop (CAPTURE_SLOT_LOST)");
    }
}
