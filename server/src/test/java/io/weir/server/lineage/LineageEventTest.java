package io.weir.server.lineage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.core.json.Json;
import io.weir.core.run.Failure;
import io.weir.core.run.RunState;
import io.weir.server.lineage.LineageRun.Dataset;
import io.weir.server.lineage.LineageRun.Parent;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The documents word by word, but for the versions of the facets. */
class LineageEventTest {
    private static final UUID RUN = new UUID(0, 1);
    private static final UUID CUT = new UUID(0, 2);
    private static final Instant AT = Instant.parse("2026-11-30T10:00:00.123456Z");

    private static LineageRun run(RunState state) {
        return new LineageRun(
                RUN,
                "shop.sales.orders",
                new Parent(CUT, "shop"),
                state,
                state == RunState.SUCCESS ? null : new Failure("EXTRACT", "BROKEN", "it broke"),
                new Dataset("shop", "public.orders"),
                new Dataset("weir", "sales.orders"),
                List.of("id", "amount"),
                1000L,
                1000,
                4711,
                2L,
                "77");
    }

    private static String facet(String schema, String rest) {
        return "{\"_producer\":\"urn:weir:lineage\",\"_schemaURL\":"
                + "\"https://openlineage.io/spec/facets/V/" + schema + "\"," + rest + "}";
    }

    @Test
    void aCompleteEventHasEveryFacet() {
        String schema = facet(
                "SchemaDatasetFacet.json#/$defs/SchemaDatasetFacet",
                "\"fields\":[{\"name\":\"id\"},{\"name\":\"amount\"}]");
        // Versions of the facets are those of the model.
        JsonNode event = Json.parse(LineageEvent.end(run(RunState.SUCCESS), AT)
                .replaceAll("/facets/[0-9]+-[0-9]+-[0-9]+/", "/facets/V/"));

        assertThat(event.path("eventTime").asText()).isEqualTo("2026-11-30T10:00:00.123456Z");
        assertThat(event.path("eventType").asText()).isEqualTo("COMPLETE");
        assertThat(event.path("producer").asText()).isEqualTo("urn:weir:lineage");
        assertThat(event.path("schemaURL").asText())
                .isEqualTo("https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent");
        assertThat(event.path("run").toString())
                .isEqualTo("{\"runId\":\"" + RUN + "\",\"facets\":{\"parent\":"
                        + facet(
                                "ParentRunFacet.json#/$defs/ParentRunFacet",
                                "\"run\":{\"runId\":\"" + CUT
                                        + "\"},\"job\":{\"namespace\":\"weir\",\"name\":\"shop\"}")
                        + "}}");
        assertThat(event.path("job").toString())
                .isEqualTo("{\"namespace\":\"weir\",\"name\":\"shop.sales.orders\","
                        + "\"facets\":{\"jobType\":"
                        + facet(
                                "JobTypeJobFacet.json#/$defs/JobTypeJobFacet",
                                "\"processingType\":\"BATCH\",\"integration\":\"WEIR\","
                                        + "\"jobType\":\"LOAD\"")
                        + "}}");
        assertThat(event.at("/inputs/0/facets/schema")).isEqualTo(Json.parse(schema));
        assertThat(event.at("/inputs/0/inputFacets/inputStatistics/rowCount").asLong())
                .isEqualTo(1000);
        assertThat(event.path("outputs").toString())
                .isEqualTo("[{\"namespace\":\"weir\",\"name\":\"sales.orders\","
                        + "\"facets\":{\"version\":"
                        + facet(
                                "DatasetVersionDatasetFacet.json"
                                        + "#/$defs/DatasetVersionDatasetFacet",
                                "\"datasetVersion\":\"77\"")
                        + ",\"schema\":" + schema
                        + "},\"outputFacets\":{\"outputStatistics\":"
                        + facet(
                                "OutputStatisticsOutputDatasetFacet.json"
                                        + "#/$defs/OutputStatisticsOutputDatasetFacet",
                                "\"rowCount\":1000,\"size\":4711,\"fileCount\":2")
                        + "}}]");
        assertThat(event.size()).isEqualTo(8);
    }

    @ParameterizedTest
    @EnumSource(RunState.class)
    void everyEndHasItsType(RunState state) {
        if (state.isActive()) {
            return;
        }
        JsonNode event = Json.parse(LineageEvent.end(run(state), AT));

        String type = switch (state) {
            case SUCCESS -> "COMPLETE";
            case CANCELLED -> "ABORT";
            default -> "FAIL";
        };
        assertThat(event.path("eventType").asText()).isEqualTo(type);
        JsonNode error = event.at("/run/facets/errorMessage");
        assertThat(error.path("message").asText())
                .isEqualTo(state == RunState.SUCCESS ? "" : state + ": BROKEN it broke");
        assertThat(error.path("programmingLanguage").asText())
                .isEqualTo(state == RunState.SUCCESS ? "" : "Java");
        assertThat(event.at("/outputs/0/outputFacets").isMissingNode())
                .isEqualTo(state != RunState.SUCCESS);
    }

    @Test
    void aStartSaysWhatWillBeReadAndWritten() {
        JsonNode event = Json.parse(LineageEvent.start(run(RunState.EXTRACTING), AT));

        assertThat(event.path("eventType").asText()).isEqualTo("START");
        assertThat(event.at("/inputs/0/name").asText()).isEqualTo("public.orders");
        assertThat(event.at("/outputs/0/name").asText()).isEqualTo("sales.orders");
        assertThat(event.at("/run/facets/errorMessage").isMissingNode()).isTrue();
    }
}
