package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.RunDetail;
import io.weir.core.run.RunId;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes runs to their end: does every step that is asked for, and waits where another process does
 * one. A process that loads is its own receiver of the outbox.
 */
final class RunDriver {
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final Ledger ledger;
    private final RunSteps steps;
    private final Cancellation cancellation;

    RunDriver(Ledger ledger, RunSteps steps, Cancellation cancellation) {
        this.ledger = ledger;
        this.steps = steps;
        this.cancellation = cancellation;
    }

    /**
     * Returns once every run ended, well or not.
     *
     * @throws WeirException as a step that this process did; {@link ErrorCode#INTERRUPTED}
     */
    List<RunDetail> drive(List<RunId> runs) {
        while (true) {
            List<RunDetail> details = new ArrayList<>();
            boolean ended = true;
            boolean worked = false;
            for (RunId id : runs) {
                RunDetail detail = ledger.detail(id);
                details.add(detail);
                if (detail.run().state().isActive()) {
                    ended = false;
                    worked |= step(detail);
                }
            }
            if (ended) {
                return details;
            }
            if (!worked && cancellation.await(PAUSE)) {
                cancellation.check("the load");
            }
        }
    }

    private boolean step(RunDetail detail) {
        return RunSteps.due(detail).filter(steps::perform).isPresent();
    }
}
