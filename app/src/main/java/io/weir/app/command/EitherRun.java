package io.weir.app.command;

import io.weir.app.Composition;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.RunDetail;
import io.weir.core.run.RunId;

import java.util.Optional;

/** A run of either kind by its id: ids do not say which books a run is in. */
final class EitherRun {
    private EitherRun() {}

    /** Empty if it is no run of our own; then it is one of an outside flow, or none. */
    static Optional<RunDetail> own(Composition house, RunId runId) {
        try {
            return Optional.of(house.work().detail(runId));
        } catch (WeirException e) {
            if (e.code() == ErrorCode.RUN_NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
