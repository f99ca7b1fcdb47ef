package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.Outbox;
import io.weir.core.ledger.RunDetail;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.engine.Engine;
import io.weir.ledger.loop.Loops;
import io.weir.table.LakeCatalog;

import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** Takes a run that was left behind, and its cut, to the end without reading the source again. */
public final class RunSettlement {
    private final Ledger ledger;
    private final Outbox outbox;
    private final RunDriver driver;

    /**
     * Wires the settlement.
     *
     * @param ids makes tokens
     */
    public RunSettlement(
            Ledger ledger,
            Outbox outbox,
            LakeCatalog catalog,
            Engine engine,
            LoadSettings settings,
            Supplier<UUID> ids,
            Cancellation cancellation) {
        Patience patience = new Patience(settings.patience(), cancellation);
        this.ledger = PatientLedger.over(ledger, patience);
        this.outbox = outbox;
        RunSteps steps = new RunSteps(
                this.ledger,
                catalog,
                engine,
                ids,
                new WrittenFiles(),
                new LoadListener() {},
                patience,
                () -> Heartbeat.start(ledger, patience, settings.beat()),
                new RunEnding(this.ledger, catalog, RunEnding.OnStop.LEAVE));
        this.driver = new RunDriver(this.ledger, steps, cancellation);
    }

    /**
     * Does what is left of the run.
     *
     * @return every run of its cut, each at its end
     * @throws WeirException {@link ErrorCode#RUN_STATE_MISMATCH} if the run is still being read:
     *     only workers with its source can do that; else as the step that failed
     */
    public List<RunDetail> settle(RunId runId) {
        List<Run> cut = ledger.detail(runId).cut();
        for (Run run : cut) {
            if (run.state() == RunState.CREATED || run.state() == RunState.EXTRACTING) {
                throw new WeirException(
                        ErrorCode.RUN_STATE_MISMATCH,
                        "Cannot resolve run " + runId + ": run " + run.id()
                                + " is still being read (state=" + run.state() + ", target="
                                + run.target() + ")");
            }
        }
        try (Loops loops = Loops.start(outbox)) {
            loops.sweepNow();
            return driver.drive(cut.stream().map(Run::id).toList());
        }
    }
}
