package io.weir.app.console;

import com.fasterxml.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Outside runs as commands print them, from the documents of the API. */
public final class OutsideText {
    private OutsideText() {}

    /** One run as {@code weir show} prints it. */
    public static String of(JsonNode run, JsonNode events) {
        StringBuilder text = new StringBuilder();
        text.append("RUN ").append(run.path("runId").asText());
        text.append(", driven by an outside flow\n");
        line(
                text,
                "job",
                run.path("jobKey").asText() + ", " + run.path("businessKey").asText());
        line(text, "state", run.path("status").asText());
        if (!run.path("errorCode").isNull()) {
            line(
                    text,
                    "failure",
                    run.path("errorCode").asText() + ": "
                            + run.path("errorMessage").asText());
        }
        line(text, "stage", run.path("stageTable").asText());
        line(text, "files", run.path("hdfsRunPath").asText());
        line(
                text,
                "rows",
                "source " + count(run, "sourceCount") + ", extracted "
                        + count(run, "extractedCount") + ", staged " + count(run, "stagingCount")
                        + ", target " + count(run, "targetCount"));
        text.append('\n').append(partitions(run)).append('\n');
        if (!run.path("dispatches").isEmpty()) {
            text.append(dispatches(run)).append('\n');
        }
        return text.append(events(events)).toString();
    }

    /** What {@code weir explain} prints. */
    public static List<String> explained(JsonNode explained) {
        List<String> lines = new ArrayList<>();
        lines.add("Run " + explained.path("runId").asText() + " of an outside flow is "
                + explained.path("runStatus").asText() + ".");
        lines.add(explained.path("situation").asText());
        lines.add(explained.path("next").asText());
        explained.path("checklist").forEach(check -> lines.add("- " + check.asText()));
        return lines;
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append("  ").append(name).append(" ".repeat(10 - name.length()));
        text.append(value).append('\n');
    }

    private static String count(JsonNode node, String field) {
        JsonNode value = node.path(field);
        return value.isNull() || value.isMissingNode() ? "?" : Texts.count(value.asLong());
    }

    private static TextTable partitions(JsonNode run) {
        TextTable table = new TextTable(
                List.of("PARTITION", "STATE", "EPOCH", "FILES", "ROWS", "EXPECTED", "WORKER"));
        for (JsonNode partition : run.path("partitions")) {
            table.add(List.of(
                    partition.path("partitionId").asText(),
                    partition.path("status").asText(),
                    partition.path("attemptCount").asText(),
                    partition.path("fileCount").asText(),
                    count(partition, "actualRowCount"),
                    count(partition, "expectedRowCount"),
                    partition.path("workerNode").asText("-")));
        }
        return table;
    }

    private static TextTable dispatches(JsonNode run) {
        TextTable table = new TextTable(List.of("DISPATCH", "KIND", "STATE", "TRIES", "ERROR"));
        for (JsonNode dispatch : run.path("dispatches")) {
            table.add(List.of(
                    dispatch.path("dispatchId").asText(),
                    dispatch.path("type").asText(),
                    dispatch.path("status").asText(),
                    dispatch.path("attemptCount").asText(),
                    dispatch.path("lastError").asText("-")));
        }
        return table;
    }

    private static TextTable events(JsonNode events) {
        TextTable table = new TextTable(List.of("AT", "LEVEL", "EVENT", "PARTITION", "MESSAGE"));
        for (JsonNode event : events.path("events")) {
            table.add(List.of(
                    Texts.second(Instant.parse(event.path("eventTime").asText())),
                    event.path("eventLevel").asText(),
                    event.path("eventName").asText(),
                    event.path("partitionId").asText("-"),
                    event.path("message").asText()));
        }
        return table;
    }
}
