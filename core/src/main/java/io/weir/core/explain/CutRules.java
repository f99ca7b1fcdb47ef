package io.weir.core.explain;

import io.weir.core.run.Cut;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** What a run waits for, or ends for, because of the other runs of its cut. */
final class CutRules {
    private final Facts facts;
    private final Cut cut;

    private CutRules(Facts facts, Cut cut) {
        this.facts = facts;
        this.cut = cut;
    }

    static List<Finding> of(Facts facts) {
        Cut cut = facts.run().cut();
        if (cut == null || facts.state().isTerminal()) {
            return List.of();
        }
        CutRules rules = new CutRules(facts, cut);
        List<Finding> findings = new ArrayList<>();
        List<Run> broken = facts.brokenInCut();
        if (isBreakable(facts) && !broken.isEmpty()) {
            findings.add(rules.broken(broken));
        }
        if (rules.isWaiting() && rules.isShort(CutRules::isAudited)) {
            findings.add(rules.notAudited());
        }
        if (isConfirmed(facts.run()) && rules.isShort(CutRules::isConfirmed)) {
            findings.add(rules.notConfirmed());
        }
        return findings;
    }

    /** Whether the run ends if another one of its cut does. */
    static boolean isBreakable(Facts facts) {
        return facts.run().cut() != null
                && (facts.isBeforePublishing() || isConfirmed(facts.run()));
    }

    private Finding broken(List<Run> broken) {
        Run first = broken.get(0);
        Instant endedAt = first.endedAt();
        Draft draft = new Draft(
                        FindingCode.CUT_BROKEN,
                        "The cut cannot become whole: " + Words.named(first) + " ended as "
                                + first.state() + ".")
                .since(endedAt)
                .next(facts.atSweep(
                        "this run ends as " + brokenState(),
                        endedAt == null ? facts.now() : endedAt));
        broken.forEach(run -> draft.act(Commands.show(run.id())));
        return draft.done();
    }

    private RunState brokenState() {
        return switch (facts.state()) {
            case CREATED -> RunState.FAILED_MANIFEST;
            case STAGE_VALIDATING -> RunState.FAILED_STAGE_VALIDATION;
            case STAGING_VALIDATED -> RunState.FAILED_PUBLISH;
            case PUBLISHED -> RunState.FAILED_TARGET_VALIDATION;
            default -> RunState.FAILED_EXTRACT;
        };
    }

    private Finding notAudited() {
        Draft draft = new Draft(
                FindingCode.CUT_NOT_AUDITED,
                "The run is audited; " + missing(CutRules::isAudited) + " of its cut "
                        + (isOne(CutRules::isAudited) ? "is" : "are") + " not.");
        listed(draft, CutRules::isAudited);
        return draft.next(Next.sometime(
                        "PUBLISH_RUN is asked for once every run of the cut is audited"))
                .act(Commands.cancel(facts.id()))
                .done();
    }

    private Finding notConfirmed() {
        Draft draft = new Draft(
                        FindingCode.CUT_NOT_CONFIRMED,
                        "The run is published and read back; " + missing(CutRules::isConfirmed)
                                + " of its cut " + (isOne(CutRules::isConfirmed) ? "is" : "are")
                                + " not.")
                .since(facts.run().confirmedAt());
        listed(draft, CutRules::isConfirmed);
        return draft.next(Next.sometime(
                        "the run becomes SUCCESS once every run of the cut is read back"))
                .done();
    }

    /** Nobody publishes it yet, nor is anybody asked to. */
    private boolean isWaiting() {
        return facts.state() == RunState.STAGING_VALIDATED
                && !facts.isStepUnderWay()
                && facts.dispatch().isEmpty();
    }

    private static boolean isAudited(Run run) {
        return switch (run.state()) {
            case STAGING_VALIDATED, PUBLISHING, PUBLISH_UNKNOWN, PUBLISHED, SUCCESS -> true;
            default -> false;
        };
    }

    private static boolean isConfirmed(Run run) {
        return run.confirmedAt() != null;
    }

    /** Whether the cut is not as far as this run, but can come there. */
    private boolean isShort(Predicate<Run> far) {
        return behind(far) > 0;
    }

    private String missing(Predicate<Run> far) {
        return Words.number(behind(far)) + " of " + Words.count(cut.tables(), "run", "runs");
    }

    private boolean isOne(Predicate<Run> far) {
        return behind(far) == 1;
    }

    private long behind(Predicate<Run> far) {
        long there = facts.situation().detail().cut().stream().filter(far).count();
        return cut.tables() - there;
    }

    private void listed(Draft draft, Predicate<Run> far) {
        facts.othersInCut()
                .filter(far.negate())
                .forEach(run -> draft.fact("run " + run.id(), run.target() + " is " + run.state()));
        int unknown = cut.tables() - facts.situation().detail().cut().size();
        if (unknown > 0) {
            draft.fact("not created yet", Words.count(unknown, "run", "runs"));
        }
    }
}
