package io.weir.core.explain;

import io.weir.core.error.ErrorCode;
import io.weir.core.publish.PublishMode;
import io.weir.core.run.Failure;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionState;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How a run ended, and what follows for a person. */
final class EndRules {
    /** What to do about the codes that the ledger itself gives to an end. */
    private static final Map<String, String> HINTS = Map.of(
            "ROW_COUNT_MISMATCH",
            "Find out why other rows were read than the source counted; a new run reads again",
            "LEASE_LOST",
            "Find out what happened to the process that gave no sign",
            "RUN_TIMEOUT",
            "Find out what took so long, or give the job more time",
            "STEPS_EXHAUSTED",
            "Find out why every process that began the step was lost",
            "CUT_BROKEN",
            "Look at the run that the reason names, and remove its cause",
            "CUT_INCOMPLETE",
            "Look at the run that the reason names: this table shows a cut that is not whole");

    private final Facts facts;
    private final Run run;

    private EndRules(Facts facts) {
        this.facts = facts;
        this.run = facts.run();
    }

    static List<Finding> of(Facts facts) {
        EndRules rules = new EndRules(facts);
        List<Finding> findings = new ArrayList<>();
        code(facts.state()).map(rules::ended).ifPresent(findings::add);
        if (!findings.isEmpty()) {
            rules.failedPartitions().ifPresent(findings::add);
        }
        return findings;
    }

    private Finding ended(FindingCode code) {
        return switch (code) {
            case SUCCESS -> succeeded();
            case CANCELLED -> cancelled();
            default -> failed(code);
        };
    }

    private Finding succeeded() {
        Draft draft = new Draft(
                        FindingCode.SUCCESS,
                        "The run was published to " + run.target() + " and read back without a"
                                + " difference" + when() + ".")
                .since(run.endedAt())
                .fact("rows", Words.number(run.extracted().rows()))
                .fact("snapshot of the table", run.publishedSnapshotId())
                .time("published", run.publishedAt());
        return draft.next(nothing()).act(Commands.certificate(run.id())).done();
    }

    private Finding cancelled() {
        Draft draft =
                new Draft(FindingCode.CANCELLED, "The run was cancelled" + when() + reason() + ".");
        return described(draft).next(nothing()).act(Commands.LOAD_AGAIN).done();
    }

    private Finding failed(FindingCode code) {
        Draft draft =
                described(new Draft(code, "The run ended as " + code + when() + reason() + "."));
        boolean visible = run.publishedSnapshotId() != null;
        // What readers see is not helped by a new run: appended, its rows would be there twice.
        Optional<String> advice = visible && !isCutIncomplete()
                ? Optional.of("Find out what changed " + run.target()
                        + " or its files before anything is loaded again")
                : hint();
        advice.ifPresent(text -> draft.act(Commands.advice(text)));
        if (visible) {
            draft.act(Commands.certificate(run.id())).act(Commands.CHECK);
        } else {
            visibleInCut()
                    .ifPresent(tables -> draft.act(
                            Commands.advice("Readers see the rows of this cut in " + tables
                                    + " already: a new run of those tables would add them again")));
            draft.act(Commands.LOAD_AGAIN);
        }
        return draft.next(nothing()).done();
    }

    private Draft described(Draft draft) {
        draft.since(run.endedAt());
        Failure failure = run.failure();
        if (failure != null) {
            draft.fact("stage", failure.stage())
                    .fact("code", failure.code())
                    .fact("reason", failure.message());
        }
        Long snapshot = run.publishedSnapshotId();
        return draft.fact(
                "published",
                snapshot == null
                        ? "no, readers see nothing of the run"
                        : "yes, readers see snapshot " + snapshot + " of " + run.target());
    }

    private boolean isCutIncomplete() {
        Failure failure = run.failure();
        return failure != null && failure.code().equals("CUT_INCOMPLETE");
    }

    /** Tables of the cut to which a new run would add what is there; empty if there are none. */
    private Optional<String> visibleInCut() {
        List<String> tables = facts.othersInCut()
                .filter(other -> other.publishedSnapshotId() != null)
                .filter(other -> other.publishMode() == PublishMode.APPEND)
                .map(Run::target)
                .toList();
        return tables.isEmpty() ? Optional.empty() : Optional.of(Words.some(tables));
    }

    private static Next nothing() {
        return Next.sometime("nothing, the run has ended");
    }

    private String when() {
        Instant endedAt = run.endedAt();
        return endedAt == null ? "" : " " + facts.ago(endedAt);
    }

    private String reason() {
        Failure failure = run.failure();
        return failure == null ? "" : ": " + Words.quote(failure.message());
    }

    private Optional<String> hint() {
        Failure failure = run.failure();
        return failure == null ? Optional.empty() : hint(failure.code());
    }

    private static Optional<String> hint(String code) {
        String own = HINTS.get(code);
        if (own != null) {
            return Optional.of(own);
        }
        return Arrays.stream(ErrorCode.values())
                .filter(known -> known.name().equals(code))
                .map(known -> Words.quote(known.hint()))
                .findFirst();
    }

    private Optional<Finding> failedPartitions() {
        List<Partition> failed = facts.partitions().stream()
                .filter(partition -> partition.state() == PartitionState.FAILED)
                .toList();
        if (failed.isEmpty()) {
            return Optional.empty();
        }
        Partition first = failed.get(0);
        String cause = failed.size() == 1
                ? "Partition " + first.id() + " failed" + message(first.failure()) + "."
                : Words.partitions(failed.size()) + " failed ("
                        + Words.some(failed.stream().map(p -> p.id().value()).toList())
                        + "); the first" + message(first.failure()) + ".";
        return Optional.of(new Draft(FindingCode.PARTITION_FAILED, cause)
                .since(first.endedAt())
                .fact("claim", first.epoch())
                .fact("worker", first.worker())
                .fact("rows", Words.number(PartitionRules.rows(first)))
                .act(Commands.show(run.id()))
                .done());
    }

    private static String message(@Nullable Failure failure) {
        return failure == null ? "" : ": " + Words.quote(failure.message());
    }

    private static Optional<FindingCode> code(RunState state) {
        return switch (state) {
            case SUCCESS -> Optional.of(FindingCode.SUCCESS);
            case FAILED_MANIFEST -> Optional.of(FindingCode.FAILED_MANIFEST);
            case FAILED_EXTRACT -> Optional.of(FindingCode.FAILED_EXTRACT);
            case FAILED_SNAPSHOT_EXPIRED -> Optional.of(FindingCode.FAILED_SNAPSHOT_EXPIRED);
            case FAILED_STAGE_VALIDATION -> Optional.of(FindingCode.FAILED_STAGE_VALIDATION);
            case FAILED_PUBLISH -> Optional.of(FindingCode.FAILED_PUBLISH);
            case FAILED_TARGET_VALIDATION -> Optional.of(FindingCode.FAILED_TARGET_VALIDATION);
            case TIMED_OUT -> Optional.of(FindingCode.TIMED_OUT);
            case CANCELLED -> Optional.of(FindingCode.CANCELLED);
            case CREATED,
                    EXTRACTING,
                    EXTRACTED_VALIDATED,
                    STAGE_VALIDATING,
                    STAGING_VALIDATED,
                    PUBLISHING,
                    PUBLISH_UNKNOWN,
                    PUBLISHED -> Optional.empty();
        };
    }
}
