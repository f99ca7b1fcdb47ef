package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.core.json.Json;
import io.weir.core.run.Operator;
import io.weir.core.run.RunState;
import io.weir.ledger.PostgresLedger;
import io.weir.ledger.outside.Actor;
import io.weir.ledger.outside.OutsideLedger;
import io.weir.ledger.outside.OutsideRequests;
import io.weir.ledger.outside.OutsideRun;
import io.weir.ledger.outside.OutsideSettings;
import io.weir.server.ServerSettings;
import io.weir.server.WeirServer;
import io.weir.server.http.Listen;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Commands that look at runs know those of outside flows, over the database and over a server. */
class OutsideRunCommandsTest {
    private static final Actor FLOW = new Actor("flow", "worker", "-");

    @TempDir
    Path directory;

    private CommandLineHouse house;
    private PostgresLedger books;
    private WeirServer server;
    private OutsideRun active;
    private OutsideRun ended;
    private String own;

    @BeforeEach
    void fill() {
        house = new CommandLineHouse(directory);
        house.shop.execute(
                "create table orders (id bigint primary key, amount numeric(12, 2) not null)",
                "insert into orders select n, n from generate_series(1, 10) as n");
        own = house.weir("load", house.jobFile().toString(), "--business-key", "monday")
                .run();
        books = PostgresLedger.open(house.books.url(), house.books.user(), house.books.password());
        OutsideLedger outside = books.outside(OutsideSettings.DEFAULTS);
        ended = outside.create(request("ENDED"), FLOW);
        outside.cancel(ended.id(), null, new Operator("ann", "wrong day"), FLOW);
        active = outside.create(request("ACTIVE"), FLOW);
        server = WeirServer.start(
                books,
                outside,
                books.access(),
                new ServerSettings(
                        Listen.of("127.0.0.1", 0, null, false),
                        null,
                        Set.of(),
                        Duration.ofSeconds(5),
                        null),
                UUID::randomUUID,
                () -> new byte[0]);
    }

    @AfterEach
    void close() {
        server.close();
        books.close();
    }

    private static OutsideRequests.Create request(String job) {
        return new OutsideRequests.Create(null, job, "2026-11-30", "/data", "STG_", false, "{}");
    }

    /** Every way to reach the ledger says the same. */
    private List<String[]> ways() {
        String file = directory.resolve("job.yaml").toString();
        String token = house.weir("token", "create", "v", "--role", "viewer", "-f", file)
                .out();
        Path kept = house.write("viewer.token", token);
        return List.of(new String[] {"-f", file}, new String[] {
            "--ledger", "http://127.0.0.1:" + server.port(), "--token-file", kept.toString()
        });
    }

    private String weir(String[] way, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of(way));
        CommandLineHouse.Output output = house.weir(all.toArray(String[]::new));
        assertThat(output.exitCode()).as(output.err()).isZero();
        return output.out();
    }

    @Test
    void runsOfBothKindsAreInOneListNewestFirst() {
        for (String[] way : ways()) {
            List<JsonNode> runs =
                    weir(way, "runs", "--json").lines().map(Json::parse).toList();
            assertThat(runs)
                    .extracting(run ->
                            run.path("run").asText() + " " + run.path("kind").asText())
                    .containsExactly(
                            active.id() + " outside", ended.id() + " outside", own + " own");
            assertThat(runs.get(1).toString())
                    .isEqualTo("{\"run\":\"" + ended.id() + "\",\"kind\":\"outside\","
                            + "\"job\":\"ENDED\",\"business_key\":\"2026-11-30\","
                            + "\"state\":\"CANCELLED\",\"source\":null,\"source_table\":null,"
                            + "\"target\":null,\"publish\":null,\"rows\":0,"
                            + "\"published_snapshot_id\":null,\"created_at\":\""
                            + ended.createdAt() + "\",\"ended_at\":\""
                            + runs.get(1).path("ended_at").asText() + "\",\"failure\":\""
                            + runs.get(1).path("failure").asText() + "\"}");
            assertThat(runs.get(0).path("ended_at").isNull()).isTrue();
            assertThat(runs.get(0).path("failure").isNull()).isTrue();
            assertThat(runs.get(2).fieldNames())
                    .toIterable()
                    .containsExactlyElementsOf(() -> runs.get(0).fieldNames());
            assertThat(weir(way, "runs", "--active"))
                    .containsPattern(active.id() + " +ACTIVE +2026-11-30 +CREATED +0 .*outside")
                    .doesNotContain(ended.id().toString())
                    .doesNotContain(own);
            assertThat(weir(way, "runs", "--job", "orders"))
                    .containsPattern(own + " .*own")
                    .doesNotContain("outside");
            assertThat(weir(way, "runs", "--limit", "1", "--json").lines()).hasSize(1);
        }
    }

    @Test
    void showAndExplainKnowWhichKindARunIs() {
        for (String[] way : ways()) {
            String id = ended.id().toString();
            assertThat(weir(way, "show", id))
                    .contains("driven by an outside flow")
                    .contains("state     CANCELLED")
                    .contains("RUN_STARTED")
                    .contains("RUN_CANCELLED");
            JsonNode shown = Json.parse(weir(way, "show", id, "--json"));
            assertThat(shown.path("kind").asText()).isEqualTo("outside");
            assertThat(shown.path("stageTable").asText()).isEqualTo(ended.stageTable());
            assertThat(shown.path("events").get(0).path("eventName").asText())
                    .isEqualTo("RUN_STARTED");
            assertThat(weir(way, "explain", active.id().toString()))
                    .contains("of an outside flow is CREATED.")
                    .contains("has not registered its manifest");
            JsonNode explained = Json.parse(weir(way, "explain", active.id().toString(), "--json"));
            assertThat(explained.path("kind").asText()).isEqualTo("outside");
            assertThat(explained.path("runStatus").asText()).isEqualTo(RunState.CREATED.name());
            assertThat(Json.parse(weir(way, "show", own, "--json")).path("kind").asText())
                    .isEqualTo("own");
            assertThat(Json.parse(weir(way, "explain", own, "--json"))
                            .path("kind")
                            .asText())
                    .isEqualTo("own");
        }
    }

    @Test
    void aRunThatIsNeitherIsNotFound() {
        for (String[] way : ways()) {
            for (String command : List.of("show", "explain")) {
                List<String> all =
                        new ArrayList<>(List.of(command, UUID.randomUUID().toString()));
                all.addAll(List.of(way));
                CommandLineHouse.Output output = house.weir(all.toArray(String[]::new));
                assertThat(output.exitCode()).isEqualTo(3);
                assertThat(output.err()).contains("RUN_NOT_FOUND");
            }
        }
    }
}
