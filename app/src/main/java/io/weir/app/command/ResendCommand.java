package io.weir.app.command;

import io.weir.app.Composition;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.Dispatch;
import io.weir.core.run.RunId;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.util.concurrent.Callable;

/** {@code weir resend}: asks again for a step that was given up. */
@Command(
        name = "resend",
        description = "Ask again for the step that a run waits for, after its cause is gone.",
        mixinStandardHelpOptions = true)
public final class ResendCommand implements Callable<Integer> {
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
            Dispatch dead = house.work().detail(runId).dispatches().stream()
                    .filter(row -> row.state() == Dispatch.DispatchState.DEAD)
                    .reduce((older, newer) -> newer)
                    .orElseThrow(() -> new WeirException(
                            ErrorCode.RUN_STATE_MISMATCH,
                            "Cannot send a step of run " + runId + " again: none was given up"));
            Dispatch sent = house.work().resendDispatch(runId, dead.id(), operator.operator());
            Terminal.out(spec)
                    .println("Run " + runId + ": " + sent.kind() + " is asked for again; "
                            + "weir explain " + runId + " tells what happens next.");
        }
        return 0;
    }
}
