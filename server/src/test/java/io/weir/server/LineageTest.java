package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.core.run.Operator;
import io.weir.core.run.RunState;
import io.weir.ledger.outside.OutsideSettings;
import io.weir.server.access.Role;
import io.weir.server.lineage.LineageAddress;
import io.weir.server.lineage.LineageSink;
import io.weir.server.lineage.LineageTeller;
import io.weir.testkit.ledger.LedgerScript;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What others are told of runs: the start and the end of each, whatever fails meanwhile. */
class LineageTest {
    @TempDir
    Path directory;

    private final List<JsonNode> told = new ArrayList<>();
    private House house;
    private Api api;
    private Api operator;

    @BeforeEach
    void open() {
        house = new House();
        WeirServer server = house.server(OutsideSettings.DEFAULTS);
        api = house.api(server, Role.WORKER);
        operator = house.api(server, Role.OPERATOR);
        assertThat(teller().tellDue()).isZero();
    }

    @AfterEach
    void close() {
        house.close();
    }

    private LineageTeller teller() {
        return teller(event -> told.add(Json.parse(event)));
    }

    private LineageTeller teller(LineageSink sink) {
        return LineageTeller.of(house.books, house.outside(OutsideSettings.DEFAULTS), sink);
    }

    /** Types of the events of a run in the order in which they were taken. */
    private List<String> of(String run) {
        return told.stream()
                .filter(event -> event.at("/run/runId").asText().equals(run))
                .map(event -> event.path("eventType").asText())
                .toList();
    }

    private void due() {
        house.update("update weir.lineage set due_at = clock_timestamp()");
    }

    @Test
    void anOutsideRunIsToldOfWhenItStartsAndWhenItEnds() {
        Flow created = new Flow(api);
        assertThat(teller().tellDue()).as("it has no manifest").isZero();

        Flow flow = new Flow(api).published();
        assertThat(teller().tellDue()).isEqualTo(1);
        assertThat(teller().tellDue()).isZero();
        flow.metric("TARGET", "STAGE_COUNT", "3", "3", "PASS").ok();
        flow.call("success", Json.object().put("targetCount", 3)).ok();
        assertThat(flow.state()).isEqualTo("SUCCESS");
        assertThat(teller().tellDue()).isEqualTo(1);

        assertThat(of(flow.run)).containsExactly("START", "COMPLETE");
        assertThat(of(created.run)).isEmpty();
        JsonNode end = told.get(1);
        assertThat(end.path("eventTime").asText()).isEqualTo(endOf(flow.run));
        assertThat(end.at("/outputs/0/name").asText()).isEqualTo(flow.detail().text("stageTable"));
        assertThat(end.at("/outputs/0/outputFacets/outputStatistics/rowCount").asLong())
                .isEqualTo(3);
        assertThat(end.at("/outputs/0/outputFacets/outputStatistics/size").asLong())
                .isEqualTo(103);
        assertThat(teller().tellDue()).isZero();
    }

    private String endOf(String run) {
        return Json.parse(house.ask("select to_json(ended_at at time zone 'UTC')"
                                + " from weir.outside_run where id"
                                + " = '" + run + "'"))
                        .asText()
                + "Z";
    }

    @Test
    void failuresSayWhyAndCancellationsAreAborts() {
        Flow failed = new Flow(api);
        failed.register(3).ok();
        failed.call(
                        "fail",
                        Json.object()
                                .put("expectedStatus", "EXTRACTING")
                                .put("failStatus", "FAILED_EXTRACT")
                                .put("errorStage", "EXTRACT")
                                .put("errorCode", "ORA-00942")
                                .put("message", "no such table"))
                .ok();
        Flow cancelled = new Flow(api);
        operator.post("/v1/runs/" + cancelled.run + "/cancel", House.json("reason", "wrong day"))
                .ok();

        assertThat(teller().tellDue()).isEqualTo(4);

        assertThat(of(failed.run)).containsExactly("START", "FAIL");
        assertThat(of(cancelled.run)).containsExactly("START", "ABORT");
        assertThat(told.get(1).at("/run/facets/errorMessage/message").asText())
                .isEqualTo("FAILED_EXTRACT: ORA-00942 no such table");
        assertThat(told.get(3).at("/run/facets/errorMessage/message").asText())
                .contains("CANCELLED")
                .contains("wrong day");
        assertThat(told.get(1).at("/outputs/0/outputFacets").isMissingNode()).isTrue();
    }

    @Test
    void runsOfOurOwnAreToldOfWithTheirColumns() {
        LedgerScript script = new LedgerScript(house.books, LedgerScript.request("own"));
        house.books.registerManifest(script.id(), LedgerScript.manifest(2));
        house.books.cancelRun(script.id(), RunState.EXTRACTING, new Operator("ann", "wrong day"));

        assertThat(teller().tellDue()).isEqualTo(2);

        var detail = house.books.detail(script.id());
        assertThat(of(script.id().toString())).containsExactly("START", "ABORT");
        JsonNode input = told.get(0).at("/inputs/0");
        assertThat(input.path("namespace").asText()).isEqualTo(detail.run().source());
        assertThat(input.path("name").asText()).isEqualTo(detail.run().sourceTable());
        assertThat(input.at("/facets/schema/fields").findValuesAsText("name"))
                .isEqualTo(detail.columns())
                .isNotEmpty();
        assertThat(told.get(0).at("/outputs/0/name").asText())
                .isEqualTo(detail.run().target());
    }

    @Test
    void anEndpointThatIsDownLosesNothing() {
        Flow flow = new Flow(api);
        operator.post("/v1/runs/" + flow.run + "/cancel", House.json("reason", "wrong day"))
                .ok();
        try (Receiver endpoint = new Receiver().answering(503)) {
            LineageSink sink = LineageAddress.parse(endpoint.address(), directory);

            assertThat(teller(sink).tellDue()).isZero();
            assertThat(teller(sink).tellDue()).as("not due again yet").isZero();
            assertThat(house.ask("select attempts from weir.lineage")).isEqualTo("1");
            due();
            endpoint.answering(302);
            assertThat(teller(sink).tellDue()).as("redirects are no yes").isZero();
            due();
            endpoint.answering(201);
            assertThat(teller(sink).tellDue()).isEqualTo(2);

            assertThat(endpoint.calls)
                    .extracting(call -> call.body().path("eventType").asText())
                    .containsExactly("START", "START", "START", "ABORT");
        }
        assertThat(house.ask("select attempts || ' ' || ended from weir.lineage"))
                .isEqualTo("0 true");
    }

    @Test
    void whoDiedBetweenTellingAndKeepingTellsAgain() {
        Flow flow = new Flow(api);
        operator.post("/v1/runs/" + flow.run + "/cancel", House.json("reason", "wrong day"))
                .ok();
        LineageTeller dying = teller(event -> {
            told.add(Json.parse(event));
            throw new IllegalStateException("killed");
        });
        assertThatThrownBy(dying::tellDue).hasMessage("killed");
        assertThat(teller().tellDue()).as("still leased").isZero();

        due();
        assertThat(teller().tellDue()).isEqualTo(2);

        assertThat(of(flow.run)).containsExactly("START", "START", "ABORT");
    }

    @Test
    void oneRunThatIsNotTakenDoesNotStopTheOthers() {
        Flow refused = new Flow(api);
        refused.register(3).ok();
        Flow taken = new Flow(api);
        taken.register(3).ok();
        LineageTeller teller = teller(event -> {
            if (event.contains(refused.run)) {
                throw new IOException("it answered 400");
            }
            told.add(Json.parse(event));
        });

        assertThat(teller.tellDue()).isZero();
        assertThat(teller.tellDue()).isEqualTo(1);

        assertThat(of(taken.run)).containsExactly("START");
    }

    @Test
    void runsThatHadEndedBeforeAnybodyToldAreLeftOut() {
        house.update("delete from weir.lineage_start");
        Flow ended = new Flow(api);
        operator.post("/v1/runs/" + ended.run + "/cancel", House.json("reason", "wrong day"))
                .ok();
        Flow active = new Flow(api);
        active.register(3).ok();

        assertThat(teller().tellDue()).isEqualTo(1);

        assertThat(of(ended.run)).isEmpty();
        assertThat(of(active.run)).containsExactly("START");
    }

    @Test
    void whatIsToldCompletelyIsNotLookedAtForEver() {
        Flow open = new Flow(api);
        open.register(3).ok();
        assertThat(teller().tellDue()).isEqualTo(1);
        house.update("update weir.outside_run set created_at = created_at - interval '9 days'");
        house.update("update weir.lineage_start set since = since - interval '10 days'");

        assertThat(teller().tellDue()).isZero();
        assertThat(house.ask("select since = (select created_at from weir.outside_run)"
                        + " from weir.lineage_start"))
                .as("a run that goes on is not passed")
                .isEqualTo("t");
        operator.post("/v1/runs/" + open.run + "/cancel", House.json("reason", "wrong day"))
                .ok();
        assertThat(teller().tellDue()).isEqualTo(1);
        assertThat(house.ask("select since between clock_timestamp() - interval '25 hours'"
                        + " and clock_timestamp() - interval '23 hours' from weir.lineage_start"))
                .isEqualTo("t");
    }

    @Test
    void aFileGetsALineForEachEvent() throws IOException {
        LineageSink file = LineageAddress.parse("lineage.jsonl", directory);
        for (int i = 0; i < 2; i++) {
            new Flow(api).register(3).ok();
        }

        try (LineageTeller teller = teller(file).started()) {
            assertThat(teller).isNotNull();
        }

        List<String> lines = Files.readAllLines(directory.resolve("lineage.jsonl"));
        assertThat(lines)
                .hasSize(2)
                .allSatisfy(
                        line -> assertThat(Json.parse(line).path("schemaURL").asText())
                                .isEqualTo("https://openlineage.io/spec/2-0-2/"
                                        + "OpenLineage.json#/$defs/RunEvent"));
    }

    @Test
    void addressesThatAreNoneAreRefused() {
        for (String text : List.of(
                "ftp://host/x",
                "http://",
                "http://user:pw@host/",
                "http://host/#x",
                "http://ho st/",
                "missing/lineage.jsonl",
                "",
                "a\0b")) {
            assertThatThrownBy(() -> LineageAddress.parse(text, directory))
                    .as(text)
                    .isInstanceOfSatisfying(WeirException.class, e -> {
                        assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID);
                        assertThat(e.getMessage())
                                .contains("Cannot tell lineage: ")
                                .doesNotContain("pw");
                    });
        }
    }
}
