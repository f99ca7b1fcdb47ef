package io.weir.core.explain;

import io.weir.core.publish.PublishAttempt;
import io.weir.core.run.Chunk;
import io.weir.core.run.ChunkState;
import io.weir.core.run.Dispatch;
import io.weir.core.run.RunState;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A step that somebody does, or did until the lease ended. */
final class WorkRules {
    private final Facts facts;

    private WorkRules(Facts facts) {
        this.facts = facts;
    }

    static List<Finding> of(Facts facts) {
        if (!facts.isStepUnderWay()) {
            return List.of();
        }
        WorkRules rules = new WorkRules(facts);
        return List.of(facts.isOver(facts.run().leaseUntil()) ? rules.lost() : rules.working());
    }

    private Finding working() {
        String owner = facts.owner();
        String target = facts.run().target();
        return switch (facts.state()) {
            case STAGE_VALIDATING ->
                working(
                        FindingCode.AUDITING,
                        owner + " stages " + files(chunks().count()) + " and measures what is in"
                                + " them.",
                        "the verdict moves the run to STAGING_VALIDATED or ends it");
            case STAGING_VALIDATED ->
                working(
                        FindingCode.PREPARING,
                        owner + " is about to publish to " + target + ".",
                        "the publish claim moves the run to PUBLISHING");
            case PUBLISHING ->
                working(
                        FindingCode.PUBLISHING,
                        owner + " commits " + attempt() + "to " + target + ".",
                        "the publish result moves the run on");
            case PUBLISH_UNKNOWN ->
                working(
                        FindingCode.RESOLVING,
                        owner + " fences " + target + " and reads whether the run is published.",
                        "what is read moves the run on");
            default ->
                working(
                        FindingCode.CONFIRMING,
                        owner + " reads the published rows of " + target + " back.",
                        "the verdict confirms the run or ends it");
        };
    }

    private Finding working(FindingCode code, String cause, String next) {
        Draft draft = new Draft(code, cause)
                .since(started().orElse(null))
                .time("lease of the step", facts.run().leaseUntil());
        if (facts.state() == RunState.STAGE_VALIDATING) {
            long verified =
                    chunks().filter(c -> c.state() == ChunkState.VERIFIED).count();
            draft.fact("verified", verified + " of " + files(chunks().count()));
        }
        draft.fact("snapshot of the table", facts.run().publishedSnapshotId());
        draft.next(Next.sometime(next));
        return cancellable(draft).done();
    }

    private Finding lost() {
        Instant over = facts.run().leaseUntil();
        Draft draft = new Draft(
                        FindingCode.STEP_LOST,
                        facts.owner() + " gave no sign since its lease ended " + facts.ago(over)
                                + ".")
                .since(over)
                .fact("step", facts.step().map(Enum::name).orElse(null))
                .fact("cycle", cycle())
                .next(facts.atSweep(consequence(), over))
                .act(Commands.advice("Find out what happened to " + facts.owner()));
        return cancellable(draft).done();
    }

    private String consequence() {
        String again = facts.step().map(Enum::name).orElse("the step") + " is asked for again";
        boolean last = cycle() >= facts.settings().cyclesMax();
        String cycles =
                ", because a step is begun " + facts.settings().cyclesMax() + " times at most";
        return switch (facts.state()) {
            case STAGE_VALIDATING ->
                last ? "the run ends as FAILED_STAGE_VALIDATION" + cycles : again;
            case STAGING_VALIDATED -> last ? "the run ends as FAILED_PUBLISH" + cycles : again;
            case PUBLISHING ->
                "the run becomes PUBLISH_UNKNOWN, and RESOLVE_RUN finds out whether it is"
                        + " published";
            default -> again;
        };
    }

    private Draft cancellable(Draft draft) {
        return facts.isBeforePublishing() ? draft.act(Commands.cancel(facts.id())) : draft;
    }

    private int cycle() {
        return facts.dispatch().map(Dispatch::cycle).orElse(1);
    }

    private Optional<Instant> started() {
        return facts.dispatch().flatMap(row -> Optional.ofNullable(row.acknowledgedAt()));
    }

    private Stream<Chunk> chunks() {
        return facts.situation().detail().chunks().stream().filter(c -> c.path() != null);
    }

    private static String files(long count) {
        return Words.count(count, "file", "files");
    }

    private String attempt() {
        return facts.situation().detail().attempts().stream()
                .max(Comparator.comparingLong(PublishAttempt::epoch))
                .map(attempt -> "attempt " + attempt.epoch() + " ")
                .orElse("");
    }
}
