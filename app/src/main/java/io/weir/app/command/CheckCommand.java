package io.weir.app.command;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.app.Composition;
import io.weir.app.config.JobFile;
import io.weir.app.config.JobFileReader;
import io.weir.app.console.CheckText;
import io.weir.app.console.ReplicaText;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.flow.load.LoadCheck;
import io.weir.flow.load.LoadJob;
import io.weir.flow.replicate.OutsideCheck;
import io.weir.flow.replicate.OutsideJob;
import io.weir.flow.replicate.ReplicateCheck;
import io.weir.flow.replicate.ReplicateJob;
import io.weir.flow.replicate.ReplicatedJob;
import io.weir.source.Refusal;
import io.weir.source.Source;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/** {@code weir check}: what a load would do, before it reads a row. */
@Command(
        name = "check",
        description =
                "Explain what weir load or replicate would do; reads no row, changes nothing.",
        mixinStandardHelpOptions = true)
public final class CheckCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private HomeOptions home = new HomeOptions();

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
        WeirException first = null;
        try (Composition house = home.compose(jobs)) {
            for (LoadJob selected : loads(jobs)) {
                Source source = house.source(selected.source());
                LoadCheck check = LoadCheck.of(
                        selected, businessKey.key(), source, house.catalog(), workers.count());
                if (output.json()) {
                    out.println(Json.line(CheckText.json(check)));
                } else {
                    out.print(CheckText.of(check));
                    out.println();
                }
                out.flush();
                if (first == null) {
                    first = check.refusal().orElse(null);
                }
            }
            for (ReplicatedJob one : replications(jobs)) {
                WeirException refusal = one instanceof ReplicateJob captured
                        ? captured(house, captured, out)
                        : outside(house, (OutsideJob) one, out);
                first = first == null ? refusal : first;
            }
        }
        if (first != null) {
            throw first;
        }
        if (!output.json()) {
            out.println("Nothing speaks against it: weir "
                    + (loads(jobs).isEmpty() ? "replicate " : "load ") + file);
        }
        return 0;
    }

    /** With a name that replicates there is none; any other name must be one that loads. */
    private List<LoadJob> loads(JobFile jobs) {
        return job != null && jobs.replications().containsKey(job) ? List.of() : jobs.select(job);
    }

    private List<ReplicatedJob> replications(JobFile jobs) {
        return jobs.replications().values().stream()
                .filter(one -> job == null || one.name().equals(job))
                .toList();
    }

    private @Nullable WeirException captured(Composition house, ReplicateJob one, PrintWriter out) {
        ReplicateCheck check = ReplicateCheck.of(
                one, house.capture(one.source()), house.ledger().replicas());
        return refusal(out, ReplicaText.of(check), ReplicaText.json(check), check.refusals());
    }

    private @Nullable WeirException outside(Composition house, OutsideJob one, PrintWriter out) {
        OutsideCheck check = OutsideCheck.of(one, house.engine(), house.catalog());
        return refusal(out, ReplicaText.of(check), ReplicaText.json(check), check.refusals());
    }

    private @Nullable WeirException refusal(
            PrintWriter out, String text, ObjectNode json, List<Refusal> refusals) {
        if (output.json()) {
            out.println(Json.line(json));
        } else {
            out.print(text);
        }
        out.flush();
        return refusals.isEmpty() ? null : refusals.get(0).exception();
    }
}
