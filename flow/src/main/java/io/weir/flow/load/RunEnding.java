package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.Ledger;
import io.weir.core.run.Failure;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.table.LakeCatalog;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/** Ends a run in the books after an error, if the error settles that it has to end. */
final class RunEnding {
    /** Errors of the moment: a published run is read back later, by whoever can. */
    private static final Set<ErrorCode> PASSING = Set.of(
            ErrorCode.CATALOG_UNREACHABLE, ErrorCode.LEDGER_UNREACHABLE, ErrorCode.INTERRUPTED);

    private final Ledger ledger;
    private final LakeCatalog catalog;
    private final OnStop onStop;

    /** What becomes of a run whose process is asked to stop. */
    enum OnStop {
        /** It belongs to the process: it ends as CANCELLED. */
        CANCEL,
        /** It belongs to nobody: others go on with it. */
        LEAVE
    }

    RunEnding(Ledger ledger, LakeCatalog catalog, OnStop onStop) {
        this.ledger = ledger;
        this.catalog = catalog;
        this.onStop = onStop;
    }

    /**
     * The cause again; that the books could not be told must not hide it.
     *
     * @param owner of the step that failed: once somebody else does it, the error is not the run's
     */
    WeirException after(RunId runId, @Nullable String owner, WeirException cause) {
        try {
            close(runId, owner, cause);
        } catch (WeirException e) {
            cause.addSuppressed(e);
        }
        return cause;
    }

    /** The same for a run whose coordinator gives up; what may be published is left to others. */
    WeirException givenUp(RunId runId, WeirException cause) {
        try {
            RunState state = ledger.detail(runId).run().state();
            if (state.isTerminal() || state.isBeforePublishing()) {
                close(runId, null, cause);
            }
        } catch (WeirException e) {
            cause.addSuppressed(e);
        }
        return cause;
    }

    private void close(RunId runId, @Nullable String owner, WeirException cause) {
        Run run = ledger.detail(runId).run();
        if (run.state().isActive() && !run.isOwnedBy(owner)) {
            return;
        }
        if (run.state().isTerminal()) {
            removeUnstaged(run);
            return;
        }
        boolean left = cause.code() == ErrorCode.INTERRUPTED && onStop == OnStop.LEAVE;
        if (left || (run.state() == RunState.PUBLISHED && PASSING.contains(cause.code()))) {
            return;
        }
        RunState failState = cause.code() == ErrorCode.INTERRUPTED
                        && run.state() != RunState.PUBLISHING
                        && run.state() != RunState.PUBLISH_UNKNOWN
                ? RunState.CANCELLED
                : failStateOf(run.state());
        if (failState.isTerminal()) {
            Failure failure = new Failure(run.state().name(), cause.code().name(), cause.text());
            removeUnstaged(ledger.failRun(runId, run.state(), failState, failure));
        }
    }

    /** Publishing is ended by its result only: the outcome is not ours to guess. */
    private static RunState failStateOf(RunState state) {
        return switch (state) {
            case CREATED -> RunState.FAILED_MANIFEST;
            case EXTRACTING, EXTRACTED_VALIDATED -> RunState.FAILED_EXTRACT;
            case STAGE_VALIDATING -> RunState.FAILED_STAGE_VALIDATION;
            case STAGING_VALIDATED -> RunState.FAILED_PUBLISH;
            case PUBLISHED -> RunState.FAILED_TARGET_VALIDATION;
            case PUBLISHING,
                    PUBLISH_UNKNOWN,
                    SUCCESS,
                    FAILED_MANIFEST,
                    FAILED_EXTRACT,
                    FAILED_SNAPSHOT_EXPIRED,
                    FAILED_STAGE_VALIDATION,
                    FAILED_PUBLISH,
                    FAILED_TARGET_VALIDATION,
                    TIMED_OUT,
                    CANCELLED -> state;
        };
    }

    /** An attempt may have put the files on a branch, even if nobody could say so any more. */
    private void removeUnstaged(Run run) {
        if (ledger.detail(run.id()).attempts().isEmpty()) {
            catalog.deleteUnstaged(run.dataPath());
        }
    }
}
