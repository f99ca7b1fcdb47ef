package io.weir.core.ledger;

import io.weir.core.run.RunId;

import java.util.List;

/**
 * What one sweep changed.
 *
 * @param ran whether this process swept; false while another one does, or during the pause after a
 *     start
 * @param holdersRemoved rows of snapshot holders whose run ended
 * @param workersRemoved rows of workers that gave no sign for long
 */
public record SweepReport(
        boolean ran, List<Action> actions, int holdersRemoved, int workersRemoved) {
    public SweepReport {
        actions = List.copyOf(actions);
    }

    /** Of a sweep that removed nothing. */
    public SweepReport(boolean ran, List<Action> actions) {
        this(ran, actions, 0, 0);
    }

    /**
     * One change.
     *
     * @param rule such as {@code partition_reissued}
     * @param error why the rule could not be applied to the run; empty if it was
     */
    public record Action(RunId runId, String rule, String error) {}
}
