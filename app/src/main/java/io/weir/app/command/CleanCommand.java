package io.weir.app.command;

import io.weir.app.Composition;
import io.weir.app.console.Texts;
import io.weir.core.json.Json;
import io.weir.flow.load.Retention;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/** {@code weir clean}: removes what ended runs left behind. */
@Command(
        name = "clean",
        description = "Remove branches and files that ended runs left behind; never rows of a"
                + " table.",
        mixinStandardHelpOptions = true)
public final class CleanCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private LedgerOptions ledger = new LedgerOptions();

    @Mixin
    private ServedLedger served = new ServedLedger();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(names = "--dry-run", description = "Only say what would be removed.")
    private boolean dryRun;

    @Option(
            names = "--succeeded-days",
            paramLabel = "N",
            defaultValue = "3",
            description = "Keep what successful runs left for so many days"
                    + " (default: ${DEFAULT-VALUE}).")
    private int succeededDays;

    @Option(
            names = "--failed-days",
            paramLabel = "N",
            defaultValue = "14",
            description =
                    "Keep what other runs left for so many days" + " (default: ${DEFAULT-VALUE}).")
    private int failedDays;

    @Override
    public Integer call() {
        PrintWriter out = Terminal.out(spec);
        try (Composition house = served.in(ledger.compose())) {
            Retention retention = new Retention(house.work(), house.catalog());
            List<Retention.Cleaned> all = retention.clean(
                    Duration.ofDays(succeededDays), Duration.ofDays(failedDays), dryRun);
            for (Retention.Cleaned cleaned : all) {
                if (output.json()) {
                    out.println(Json.line(Json.object()
                            .put("run", cleaned.run().id().toString())
                            .put("target", cleaned.run().target())
                            .put("branches", cleaned.branches())
                            .put("files", cleaned.files())
                            .put("bytes", cleaned.bytes())
                            .put("dry_run", dryRun)));
                } else {
                    out.println(
                            "Run " + cleaned.run().id() + " of " + cleaned.run().target()
                                    + ": " + cleaned.branches() + " branches, "
                                    + Texts.count(cleaned.files()) + " files, "
                                    + Texts.bytes(cleaned.bytes()));
                }
            }
            if (!output.json()) {
                out.println(all.size() + (dryRun ? " runs would be" : " runs were")
                        + " cleaned up after.");
            }
        }
        return 0;
    }
}
