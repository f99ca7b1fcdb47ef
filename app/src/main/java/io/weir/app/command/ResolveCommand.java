package io.weir.app.command;

import io.weir.app.Composition;
import io.weir.app.console.CertificateText;
import io.weir.core.certificate.Certificate;
import io.weir.core.error.ErrorCode;
import io.weir.core.ledger.RunDetail;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.flow.load.RunSettlement;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;

/** {@code weir resolve}: finishes here and now what a run waits for somebody to do. */
@Command(
        name = "resolve",
        description = {
            "Finish a run that was left behind after it was read: fence the target, read it,"
                    + " conclude whether the run is published, and do what is left.",
            "Workers do the same by themselves; this does it now and shows the result."
        },
        mixinStandardHelpOptions = true)
public final class ResolveCommand implements Callable<Integer> {
    /** The same exit code as a load whose rows were not accepted. */
    private static final int UNFINISHED = ErrorCode.VALIDATION_FAILED.kind().exitCode();

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private LedgerOptions ledger = new LedgerOptions();

    @Mixin
    private ServedLedger served = new ServedLedger();

    @Parameters(paramLabel = "RUN", description = "Id of the run.")
    private String run = "";

    @Override
    public Integer call() {
        RunId runId = RunId.parse(run);
        try (Interruption interruption = Interruption.listen();
                Composition house = served.in(ledger.compose())) {
            RunSettlement settlement = new RunSettlement(
                    house.work(),
                    house.work(),
                    house.catalog(),
                    house.engine(),
                    house.loadSettings(1),
                    UUID::randomUUID,
                    interruption.cancellation());
            List<RunDetail> details = settlement.settle(runId);
            for (RunDetail detail : details) {
                Terminal.out(spec).print(CertificateText.of(new Certificate(detail)));
            }
            boolean whole =
                    details.stream().allMatch(detail -> detail.run().state() == RunState.SUCCESS);
            return whole ? 0 : UNFINISHED;
        }
    }
}
