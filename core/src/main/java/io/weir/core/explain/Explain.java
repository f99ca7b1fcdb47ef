package io.weir.core.explain;

import io.weir.core.run.Dispatch;
import io.weir.core.run.Run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Asks every rule. Pure: no row is read, no clock. */
public final class Explain {
    /** Say who works or what is waited for. Of one severity, earlier rules come first. */
    private static final List<Function<Facts, List<Finding>>> RULES = List.of(
            EndRules::of,
            WorkerRules::of,
            CoordinatorRules::of,
            CutRules::of,
            PartitionRules::of,
            ExtractRules::of,
            WorkRules::of,
            WaitRules::of);

    /** Are true as well, but alone explain nothing. */
    private static final List<Function<Facts, List<Finding>>> CIRCUMSTANCES =
            List.of(DeadlineRules::of, MeasureRules::of, PublishRules::of);

    private Explain() {}

    /** The findings of a run, worst first, at least one. */
    public static Explanation of(Situation situation) {
        Facts facts = new Facts(situation);
        List<Finding> findings = new ArrayList<>();
        RULES.forEach(rule -> findings.addAll(rule.apply(facts)));
        if (findings.isEmpty()) {
            findings.add(unexplained(facts));
        }
        CIRCUMSTANCES.forEach(rule -> findings.addAll(rule.apply(facts)));
        findings.sort(Comparator.comparing(Finding::severity).reversed());
        return new Explanation(facts.id(), facts.state(), facts.now(), findings);
    }

    private static Finding unexplained(Facts facts) {
        Run run = facts.run();
        String dispatches = facts.situation().detail().dispatches().stream()
                .map(Explain::described)
                .collect(Collectors.joining(", "));
        return new Draft(
                        FindingCode.UNEXPLAINED,
                        "No rule explains why the run is " + run.state()
                                + "; this is a fault of Weir.")
                .fact("owner", run.owner() == null ? "nobody" : run.owner())
                .fact("dispatches", dispatches.isEmpty() ? "none" : dispatches)
                .time("lease", run.leaseUntil())
                .time("deadline", run.deadline())
                .act(Commands.CHECK)
                .act(Commands.show(run.id()))
                .done();
    }

    private static String described(Dispatch dispatch) {
        return dispatch.kind() + " " + dispatch.cycle() + " " + dispatch.state();
    }
}
