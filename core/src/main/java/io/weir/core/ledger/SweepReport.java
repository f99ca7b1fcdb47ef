package io.weir.core.ledger;

import io.weir.core.run.RunId;

import java.util.List;

/**
 * What one sweep changed.
 *
 * @param ran whether this process swept; false while another one does, or during the pause after a
 *     start
 */
public record SweepReport(boolean ran, List<Action> actions) {
    public SweepReport {
        actions = List.copyOf(actions);
    }

    /**
     * One change.
     *
     * @param rule such as {@code partition_reissued}
     * @param error why the rule could not be applied to the run; empty if it was
     */
    public record Action(RunId runId, String rule, String error) {}
}
