package io.weir.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.app.Composition;
import io.weir.app.console.TextTable;
import io.weir.app.console.Texts;
import io.weir.client.OutsideRuns;
import io.weir.core.certificate.Certificate;
import io.weir.core.json.Json;
import io.weir.core.ledger.RunFilter;
import io.weir.core.run.Run;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;

/** {@code weir runs}: the newest runs. */
@Command(
        name = "runs",
        description = {
            "List runs, newest first.",
            "Windows of replication are no runs: weir replicate JOB.YAML --windows lists them."
        },
        mixinStandardHelpOptions = true)
public final class RunsCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private LedgerOptions ledger = new LedgerOptions();

    @Mixin
    private ServedLedger served = new ServedLedger();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(names = "--job", paramLabel = "NAME", description = "Only runs of this job.")
    private @Nullable String job;

    @Option(names = "--active", description = "Only runs that have not ended.")
    private boolean active;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "20",
            description = "At most so many (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Override
    public Integer call() {
        PrintWriter out = Terminal.out(spec);
        try (Composition house = served.in(ledger.compose())) {
            List<ObjectNode> runs = newest(house);
            if (output.json()) {
                runs.forEach(run -> out.println(Json.line(run)));
                return 0;
            }
            TextTable table = new TextTable(
                    List.of("RUN", "JOB", "BUSINESS KEY", "STATE", "ROWS", "CREATED", "KIND"));
            for (ObjectNode run : runs) {
                table.add(List.of(
                        run.path("run").asText(),
                        run.path("job").asText(),
                        run.path("business_key").asText(),
                        run.path("state").asText(),
                        Texts.count(run.path("rows").asLong()),
                        Texts.second(Instant.parse(run.path("created_at").asText())),
                        run.path("kind").asText()));
            }
            out.print(table);
            out.println(
                    runs.isEmpty()
                            ? "No runs. weir load job.yaml makes one; weir demo shows how."
                            : "weir show RUN and weir certificate RUN tell more.");
        }
        return 0;
    }

    /** Runs of both kinds, as {@code --json} prints them. */
    private List<ObjectNode> newest(Composition house) {
        List<ObjectNode> runs = new ArrayList<>();
        house.work().runs(new RunFilter(job, active, limit)).forEach(run -> runs.add(json(run)));
        // The API cannot ask for all active states at once.
        house.outside().newest(job, active ? OutsideRuns.RUNS_MAX : limit).stream()
                .map(RunsCommand::json)
                .filter(run -> !active || run.path("ended_at").isNull())
                .forEach(runs::add);
        runs.sort(Comparator.comparing(
                        (ObjectNode run) -> Instant.parse(run.path("created_at").asText()))
                .reversed());
        return runs.subList(0, Math.min(limit, runs.size()));
    }

    /** The same fields; what the ledger does not know of an outside run is null. */
    private static ObjectNode json(JsonNode run) {
        return Json.object()
                .put("run", run.path("runId").asText())
                .put("kind", "outside")
                .put("job", run.path("jobKey").asText())
                .put("business_key", run.path("businessKey").asText())
                .put("state", run.path("status").asText())
                .putNull("source")
                .putNull("source_table")
                .putNull("target")
                .putNull("publish")
                .put("rows", run.path("extractedCount").asLong())
                .putNull("published_snapshot_id")
                .put("created_at", run.path("startedAt").asText())
                .put("ended_at", run.path("completedAt").asText(null))
                .put("failure", run.path("errorMessage").asText(null));
    }

    private static ObjectNode json(Run run) {
        return Json.object()
                .put("run", run.id().toString())
                .put("kind", "own")
                .put("job", run.job())
                .put("business_key", run.businessKey())
                .put("state", run.state().name())
                .put("source", run.source())
                .put("source_table", run.sourceTable())
                .put("target", run.target())
                .put("publish", Certificate.word(run.publishMode()))
                .put("rows", run.extracted().rows())
                .put("published_snapshot_id", run.publishedSnapshotId())
                .put("created_at", run.createdAt().toString())
                .put("ended_at", run.endedAt() == null ? null : run.endedAt().toString())
                .put("failure", run.failure() == null ? null : run.failure().message());
    }
}
