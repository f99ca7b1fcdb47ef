package io.weir.app.command;

import io.weir.app.Composition;
import io.weir.app.console.TextTable;
import io.weir.app.console.Texts;
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
import java.util.List;
import java.util.concurrent.Callable;

/** {@code weir runs}: the newest runs. */
@Command(name = "runs", description = "List runs, newest first.", mixinStandardHelpOptions = true)
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
            List<Run> runs = house.work().runs(new RunFilter(job, active, limit));
            if (output.json()) {
                runs.forEach(run -> out.println(Json.line(json(run))));
                return 0;
            }
            TextTable table = new TextTable(
                    List.of("RUN", "JOB", "BUSINESS KEY", "STATE", "ROWS", "CREATED"));
            for (Run run : runs) {
                table.add(List.of(
                        run.id().toString(),
                        run.job(),
                        run.businessKey(),
                        run.state().name(),
                        Texts.count(run.extracted().rows()),
                        Texts.second(run.createdAt())));
            }
            out.print(table);
            out.println(
                    runs.isEmpty()
                            ? "No runs. weir load job.yaml makes one; weir demo shows how."
                            : "weir show RUN and weir certificate RUN tell more.");
        }
        return 0;
    }

    private static com.fasterxml.jackson.databind.node.ObjectNode json(Run run) {
        return Json.object()
                .put("run", run.id().toString())
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
