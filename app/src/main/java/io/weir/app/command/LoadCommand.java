package io.weir.app.command;

import io.weir.app.Composition;
import io.weir.app.config.JobFile;
import io.weir.app.config.JobFileReader;
import io.weir.app.console.CertificateText;
import io.weir.app.console.ProgressPrinter;
import io.weir.core.certificate.Certificate;
import io.weir.core.json.Json;
import io.weir.core.ledger.RunDetail;
import io.weir.flow.load.LoadFlow;
import io.weir.flow.load.LoadJob;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** {@code weir load}: loads the jobs of a file and prints their certificates. */
@Command(
        name = "load",
        description = "Load tables at one snapshot, prove them, publish them.",
        mixinStandardHelpOptions = true)
public final class LoadCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private HomeOptions home = new HomeOptions();

    @Mixin
    private ServedLedger served = new ServedLedger();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(paramLabel = "JOB.YAML", description = "The job file.")
    private Path file = Path.of("job.yaml");

    @Option(names = "--job", paramLabel = "NAME", description = "One job (default: all).")
    private @Nullable String job;

    @Mixin
    private BusinessKeyOptions businessKey = new BusinessKeyOptions();

    @Mixin
    private WorkerOptions workers = new WorkerOptions();

    @Override
    public Integer call() {
        PrintWriter out = Terminal.out(spec);
        JobFile jobs = JobFileReader.read(file);
        Map<String, List<LoadJob>> bySource = new LinkedHashMap<>();
        for (LoadJob selected : jobs.select(job)) {
            bySource.computeIfAbsent(selected.source(), name -> new ArrayList<>())
                    .add(selected);
        }
        try (Interruption interruption = Interruption.listen();
                Composition house = served.in(home.compose(jobs))) {
            house.tellLineage();
            house.tellAlerts(
                    jobs.select(job).stream().map(LoadJob::name).collect(Collectors.toSet()));
            LoadFlow flow = new LoadFlow(
                    house.work(),
                    house.work(),
                    house.catalog(),
                    house.engine(),
                    house.loadSettings(workers.count()),
                    UUID::randomUUID,
                    interruption.cancellation());
            ProgressPrinter progress = ProgressPrinter.of(out, output.progress());
            for (Map.Entry<String, List<LoadJob>> group : bySource.entrySet()) {
                List<RunDetail> details = flow.load(
                        house.source(group.getKey()),
                        group.getValue(),
                        businessKey.key(),
                        progress);
                details.forEach(detail -> print(out, new Certificate(detail)));
            }
        }
        return 0;
    }

    private void print(PrintWriter out, Certificate certificate) {
        if (output.json()) {
            out.println(Json.line(Json.object().set("certificate", certificate.json())));
        } else {
            out.println();
            out.print(CertificateText.of(certificate));
            out.println("Look at it: weir sql \"select * from "
                    + certificate.detail().run().target()
                    + " limit 10\"");
        }
        out.flush();
    }
}
