package io.weir.client;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.error.ErrorCode;
import io.weir.core.run.RunId;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Runs that flows of somebody else drive, as the documents that the API gives of them. Calls throw
 * {@link ErrorCode#LEDGER_UNREACHABLE}, and {@link ErrorCode#RUN_NOT_FOUND} for a run that is none.
 */
public interface OutsideRuns {
    /** Most runs of one list. */
    int RUNS_MAX = 500;

    /** Most events of one list. */
    int EVENTS_MAX = 5_000;

    /**
     * The newest ones, newest first.
     *
     * @param job null for all
     */
    List<ObjectNode> newest(@Nullable String job, int most);

    /** One run with its partitions and dispatches. */
    ObjectNode detail(RunId id);

    /** What a run waits for, and what to do. */
    ObjectNode explained(RunId id);

    /** The newest events of a run, oldest of them first. */
    ObjectNode events(RunId id);
}
