package io.weir.core.explain;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/**
 * What one rule says of a run.
 *
 * @param since when it began; null if the ledger does not know
 * @param cause one sentence
 * @param next what happens without a person; null if the rule adds nothing to the other findings
 * @param actions what a person can do, best first
 */
public record Finding(
        FindingCode code,
        Severity severity,
        @Nullable Instant since,
        String cause,
        List<Evidence> evidence,
        @Nullable Next next,
        List<Action> actions) {
    public Finding {
        evidence = List.copyOf(evidence);
        actions = List.copyOf(actions);
    }
}
