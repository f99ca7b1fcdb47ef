package io.weir.server.lineage;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;

import io.openlineage.client.OpenLineage;
import io.openlineage.client.OpenLineage.RunEvent.EventType;
import io.weir.core.run.Failure;
import io.weir.core.run.RunState;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

/** Events of OpenLineage 2-0-2, from what the ledger knows of a run. Pure. */
final class LineageEvent {
    /** A name, no address: nothing is served there. */
    private static final URI PRODUCER = URI.create("urn:weir:lineage");

    private static final String NAMESPACE = "weir";
    private static final OpenLineage MODEL = new OpenLineage(PRODUCER);
    // The documents are those of the model, whose classes say how they are written.
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .defaultPropertyInclusion(JsonInclude.Value.construct(
                    JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
            .build();

    private LineageEvent() {}

    /** START, one line of JSON. */
    static String start(LineageRun run, Instant at) {
        return line(run, EventType.START, at);
    }

    /** COMPLETE, FAIL or ABORT of a run that ended, one line of JSON. */
    static String end(LineageRun run, Instant at) {
        EventType type = run.state() == RunState.SUCCESS
                ? EventType.COMPLETE
                : run.state() == RunState.CANCELLED ? EventType.ABORT : EventType.FAIL;
        return line(run, type, at);
    }

    private static String line(LineageRun run, EventType type, Instant at) {
        OpenLineage.RunEvent event = MODEL.newRunEventBuilder()
                .eventType(type)
                .eventTime(at.atZone(ZoneOffset.UTC))
                .run(MODEL.newRun(run.id(), runFacets(run, type)))
                .job(MODEL.newJob(NAMESPACE, run.job(), jobFacets()))
                .inputs(inputs(run))
                .outputs(List.of(output(run, type)))
                .build();
        try {
            return MAPPER.writeValueAsString(event);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Cannot write lineage of run " + run.id(), e);
        }
    }

    private static OpenLineage.RunFacets runFacets(LineageRun run, EventType type) {
        OpenLineage.RunFacetsBuilder facets = MODEL.newRunFacetsBuilder();
        LineageRun.Parent parent = run.parent();
        if (parent != null) {
            facets.parent(MODEL.newParentRunFacetBuilder()
                    .run(MODEL.newParentRunFacetRunBuilder().runId(parent.id()).build())
                    .job(MODEL.newParentRunFacetJobBuilder()
                            .namespace(NAMESPACE)
                            .name(parent.job())
                            .build())
                    .build());
        }
        if (type == EventType.FAIL || type == EventType.ABORT) {
            facets.errorMessage(MODEL.newErrorMessageRunFacetBuilder()
                    .message(message(run))
                    .programmingLanguage("Java")
                    .build());
        }
        return facets.build();
    }

    private static String message(LineageRun run) {
        Failure failure = run.failure();
        return failure == null
                ? run.state().name()
                : run.state() + ": " + failure.code() + " " + failure.message();
    }

    private static OpenLineage.JobFacets jobFacets() {
        return MODEL.newJobFacetsBuilder()
                .jobType(MODEL.newJobTypeJobFacetBuilder()
                        .processingType("BATCH")
                        .integration("WEIR")
                        .jobType("LOAD")
                        .build())
                .build();
    }

    private static List<OpenLineage.InputDataset> inputs(LineageRun run) {
        LineageRun.Dataset source = run.source();
        if (source == null) {
            return List.of();
        }
        OpenLineage.InputDatasetBuilder input = MODEL.newInputDatasetBuilder()
                .namespace(source.namespace())
                .name(source.name())
                .facets(MODEL.newDatasetFacetsBuilder().schema(schema(run)).build());
        if (run.sourceRows() != null) {
            input.inputFacets(MODEL.newInputDatasetInputFacetsBuilder()
                    .inputStatistics(MODEL.newInputStatisticsInputDatasetFacetBuilder()
                            .rowCount(run.sourceRows())
                            .build())
                    .build());
        }
        return List.of(input.build());
    }

    private static OpenLineage.OutputDataset output(LineageRun run, EventType type) {
        OpenLineage.DatasetFacetsBuilder facets =
                MODEL.newDatasetFacetsBuilder().schema(schema(run));
        OpenLineage.OutputDatasetBuilder output = MODEL.newOutputDatasetBuilder()
                .namespace(run.target().namespace())
                .name(run.target().name());
        if (type == EventType.COMPLETE) {
            if (run.version() != null) {
                facets.version(MODEL.newDatasetVersionDatasetFacetBuilder()
                        .datasetVersion(run.version())
                        .build());
            }
            output.outputFacets(MODEL.newOutputDatasetOutputFacetsBuilder()
                    .outputStatistics(MODEL.newOutputStatisticsOutputDatasetFacetBuilder()
                            .rowCount(run.rows())
                            .size(run.bytes())
                            .fileCount(run.files())
                            .build())
                    .build());
        }
        return output.facets(facets.build()).build();
    }

    private static OpenLineage.@Nullable SchemaDatasetFacet schema(LineageRun run) {
        if (run.columns().isEmpty()) {
            return null;
        }
        return MODEL.newSchemaDatasetFacetBuilder()
                .fields(run.columns().stream()
                        .map(name -> MODEL.newSchemaDatasetFacetFieldsBuilder()
                                .name(name)
                                .build())
                        .toList())
                .build();
    }
}
