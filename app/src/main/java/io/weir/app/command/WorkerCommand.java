package io.weir.app.command;

import io.weir.app.Composition;
import io.weir.app.ProcessName;
import io.weir.app.config.JobFile;
import io.weir.app.config.JobFileReader;
import io.weir.app.console.ProgressPrinter;
import io.weir.core.error.ErrorCode;
import io.weir.flow.load.LoadWorker;
import io.weir.flow.load.Patience;
import io.weir.source.Source;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;

/** {@code weir worker}: shares the work of every run of a ledger until it is stopped. */
@Command(
        name = "worker",
        description = {
            "Share the work of all runs of a ledger: read partitions, audit, publish, look after"
                    + " what others left behind. Runs until it is stopped.",
            "The job file names the ledger, the lake and the sources that this worker can read."
        },
        mixinStandardHelpOptions = true)
public final class WorkerCommand implements Callable<Integer> {
    private static final Set<ErrorCode> AWAITED =
            Set.of(ErrorCode.LEDGER_UNREACHABLE, ErrorCode.CATALOG_UNREACHABLE);

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

    @Mixin
    private WorkerOptions workers = new WorkerOptions();

    @Override
    public Integer call() {
        PrintWriter out = Terminal.out(spec);
        JobFile jobs = JobFileReader.read(file);
        try (Interruption interruption = Interruption.listen();
                Composition house = served.in(home.compose(jobs))) {
            // A daemon outlives what it needs: its servers may be started after it.
            Patience patience = Patience.endless(interruption.cancellation());
            patience.call("open the ledger", AWAITED, () -> house.work().workers());
            patience.call("open the catalog", AWAITED, house::catalog);
            house.tellLineage();
            Map<String, Source> sources = new TreeMap<>();
            jobs.sources().keySet().forEach(name -> sources.put(name, house.source(name)));
            LoadWorker worker = new LoadWorker(
                    house.work(),
                    house.work(),
                    house.catalog(),
                    house.engine(),
                    sources,
                    house.loadSettings(workers.count()),
                    UUID::randomUUID,
                    interruption.cancellation());
            out.println("Worker " + ProcessName.get() + " is ready; sources: "
                    + String.join(", ", sources.keySet()));
            out.flush();
            worker.run(ProgressPrinter.of(out, output.progress()));
        }
        return 0;
    }
}
