package io.weir.app.command;

import io.weir.app.Composition;
import io.weir.app.config.JobFile;
import io.weir.app.config.JobFileReader;
import io.weir.app.console.ReplicaText;
import io.weir.app.console.ReplicatePrinter;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.flow.load.Cancellation;
import io.weir.flow.replicate.OutsideJob;
import io.weir.flow.replicate.ReplicateFlow;
import io.weir.flow.replicate.ReplicateJob;
import io.weir.flow.replicate.ReplicateReport;
import io.weir.flow.replicate.ReplicatedJob;
import io.weir.ledger.PostgresLedger;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaBooks;
import io.weir.ledger.replica.ReplicaWindow;
import io.weir.ledger.replica.Stop;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/** {@code weir replicate}: keeps tables of the lake equal to tables of a source. */
@Command(
        name = "replicate",
        description = {
            "Keep tables of the lake equal to tables of a source: load what is not loaded yet,"
                    + " then merge its changes, window after window, until it is stopped.",
            "A table of which something must not be published stops and says what to do."
        },
        mixinStandardHelpOptions = true)
public final class ReplicateCommand implements Callable<Integer> {
    private static final int WINDOWS_MAX = 100;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private HomeOptions home = new HomeOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(paramLabel = "JOB.YAML", description = "The job file.")
    private Path file = Path.of("job.yaml");

    @Option(
            names = "--job",
            paramLabel = "NAME",
            description = "One job; needed if several replicate, unless --once.")
    private @Nullable String job;

    @Option(
            names = "--once",
            description = "One window up to now, then end; exit 0 only if all is verified.")
    private boolean once;

    @Option(names = "--status", description = "Print where each table is, and end.")
    private boolean status;

    @Option(
            names = "--windows",
            description = "Print the newest windows, what each did and what it proves, and end.")
    private boolean windows;

    @Mixin
    private WorkerOptions workers = new WorkerOptions();

    @Override
    public Integer call() {
        PrintWriter out = Terminal.out(spec);
        JobFile jobs = JobFileReader.read(file);
        List<ReplicatedJob> selected = jobs.replicated(job);
        boolean looks = status || windows;
        if (!once && !looks && selected.size() > 1) {
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID,
                    "Cannot replicate several jobs in one process (jobs="
                            + String.join(
                                    ", ",
                                    selected.stream().map(ReplicatedJob::name).toList())
                            + "); name one with --job");
        }
        try (Interruption interruption = Interruption.listen();
                Composition house = home.compose(jobs)) {
            if (!looks) {
                house.tellAlerts(
                        selected.stream().map(ReplicatedJob::name).collect(Collectors.toSet()));
            }
            for (ReplicatedJob one : selected) {
                ReplicaBooks books = house.ledger().replicas();
                if (status) {
                    print(out, books.replicas(one.name()));
                }
                if (windows) {
                    printWindows(out, books.windows(one.name(), WINDOWS_MAX));
                }
                if (!looks) {
                    run(house, one, interruption.cancellation(), out);
                }
            }
        }
        return 0;
    }

    private void run(
            Composition house, ReplicatedJob one, Cancellation cancellation, PrintWriter out) {
        PostgresLedger ledger = house.ledger();
        ReplicateFlow flow = new ReplicateFlow(
                ledger,
                ledger,
                ledger.replicas(),
                house.catalog(),
                house.engine(),
                house.replicateSettings(workers.count()),
                UUID::randomUUID,
                () -> ThreadLocalRandom.current().nextDouble(),
                InstantSource.system(),
                cancellation);
        ReplicatePrinter printer = new ReplicatePrinter(out, output.json());
        if (once) {
            ReplicateReport report = one instanceof ReplicateJob captured
                    ? flow.once(
                            captured,
                            house.source(captured.source()),
                            house.capture(captured.source()),
                            printer)
                    : flow.once((OutsideJob) one, printer);
            print(out, report.replicas());
            refuse(one, report);
        } else if (one instanceof ReplicateJob captured) {
            flow.forever(
                    captured,
                    house.source(captured.source()),
                    house.capture(captured.source()),
                    printer);
        } else {
            flow.forever((OutsideJob) one, printer);
        }
    }

    private void print(PrintWriter out, List<Replica> replicas) {
        if (output.json()) {
            replicas.forEach(replica -> out.println(
                    Json.line(Json.object().set("replica", ReplicaText.json(replica)))));
        } else {
            out.print(ReplicaText.of(replicas));
        }
        out.flush();
    }

    private void printWindows(PrintWriter out, List<ReplicaWindow> found) {
        if (output.json()) {
            found.forEach(window ->
                    out.println(Json.line(Json.object().set("window", ReplicaText.json(window)))));
        } else {
            out.print(ReplicaText.windows(found));
        }
        out.flush();
    }

    /** The exit code says whether everything is verified. */
    private static void refuse(ReplicatedJob job, ReplicateReport report) {
        for (Replica replica : report.replicas()) {
            Stop stop = replica.stop();
            if (stop != null) {
                throw new WeirException(
                        ErrorCode.REPLICA_STOPPED,
                        "Cannot verify table " + replica.target() + ": it is stopped ("
                                + stop.code() + "): " + stop.message(),
                        "Run " + stop.command() + ".",
                        null);
            }
        }
        for (Replica replica : report.replicas()) {
            if (!report.isThere(replica)) {
                throw new WeirException(
                        ErrorCode.REPLICA_LATE,
                        "Cannot verify table " + replica.target() + " of job " + job.name() + " at "
                                + report.to().position() + ": "
                                + (replica.failure() == null
                                        ? "it did not get there"
                                        : replica.failure()));
            }
        }
    }
}
