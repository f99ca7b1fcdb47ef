package io.weir.app.command;

import io.weir.app.Composition;
import io.weir.app.console.CertificateText;
import io.weir.core.certificate.Certificate;
import io.weir.core.json.Json;
import io.weir.core.run.RunId;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.util.concurrent.Callable;

/** {@code weir certificate}: what a run proves. */
@Command(
        name = "certificate",
        description = "Print the certificate of a run.",
        mixinStandardHelpOptions = true)
public final class CertificateCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private LedgerOptions ledger = new LedgerOptions();

    @Mixin
    private ServedLedger served = new ServedLedger();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(paramLabel = "RUN", description = "Id of the run.")
    private String run = "";

    @Override
    public Integer call() {
        PrintWriter out = Terminal.out(spec);
        RunId runId = RunId.parse(run);
        try (Composition house = served.in(ledger.compose())) {
            Certificate certificate = new Certificate(house.work().detail(runId));
            if (output.json()) {
                out.println(Json.pretty(certificate.json()));
            } else {
                out.print(CertificateText.of(certificate));
            }
        }
        return 0;
    }
}
