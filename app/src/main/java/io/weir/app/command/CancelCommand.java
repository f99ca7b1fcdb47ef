package io.weir.app.command;

import io.weir.app.Composition;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.util.concurrent.Callable;

/** {@code weir cancel}: ends a run that no reader can have seen yet. */
@Command(
        name = "cancel",
        description = "End a run that is not published and may not be published already.",
        mixinStandardHelpOptions = true)
public final class CancelCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private LedgerOptions ledger = new LedgerOptions();

    @Mixin
    private ServedLedger served = new ServedLedger();

    @Mixin
    private OperatorOptions operator = new OperatorOptions();

    @Parameters(paramLabel = "RUN", description = "Id of the run.")
    private String run = "";

    @Override
    public Integer call() {
        RunId runId = RunId.parse(run);
        try (Composition house = served.in(ledger.compose())) {
            Run seen = house.work().detail(runId).run();
            Run cancelled = house.work().cancelRun(runId, seen.state(), operator.operator());
            Terminal.out(spec)
                    .println("Run " + runId + " of " + seen.target() + ": " + seen.state()
                            + " -> " + cancelled.state()
                            + ". Its workers stop at their next report.");
        }
        return 0;
    }
}
