package io.weir.core.explain;

import io.weir.core.run.Dispatch;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Dispatch.Kind;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionState;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.core.run.SnapshotHolder;
import io.weir.core.run.WorkerSign;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A situation as rules ask for it. */
final class Facts {
    /** The only kind of snapshot that somebody has to hold. */
    private static final String HELD = "postgresql-snapshot";

    private final Situation situation;
    private final List<WorkerSign> live;

    Facts(Situation situation) {
        this.situation = situation;
        Instant oldest = now().minus(settings().signFresh());
        live = situation.workers().stream()
                .filter(sign -> !sign.seenAt().isBefore(oldest))
                .toList();
    }

    Situation situation() {
        return situation;
    }

    Run run() {
        return situation.detail().run();
    }

    RunState state() {
        return run().state();
    }

    RunId id() {
        return run().id();
    }

    Instant now() {
        return situation.detail().now();
    }

    ExplainSettings settings() {
        return situation.settings();
    }

    /** Worker processes that are alive. */
    List<WorkerSign> live() {
        return live;
    }

    /** Worker processes that are alive and read the source of the run. */
    List<WorkerSign> readers() {
        return live.stream()
                .filter(sign -> sign.slots() > 0)
                .filter(sign -> sign.sources().contains(run().source()))
                .toList();
    }

    boolean isOver(Instant time) {
        return !now().isBefore(time);
    }

    String ago(Instant at) {
        return Words.ago(at, now());
    }

    List<Partition> partitions() {
        return situation.detail().partitions();
    }

    List<Partition> claimable() {
        return partitions().stream().filter(p -> p.state().isClaimable()).toList();
    }

    /** Claimed, and the claim has not ended. */
    List<Partition> read() {
        return running().filter(p -> !isLost(p)).toList();
    }

    /** Claimed, the lease over, and nobody has looked after it yet. */
    List<Partition> lost() {
        return running().filter(this::isLost).toList();
    }

    private Stream<Partition> running() {
        return partitions().stream().filter(p -> p.state() == PartitionState.RUNNING);
    }

    private boolean isLost(Partition partition) {
        Instant leaseUntil = partition.leaseUntil();
        return leaseUntil != null && isOver(leaseUntil);
    }

    /** Whether a partition that is claimed from now on can no longer see the state of the run. */
    boolean isSnapshotGone() {
        return run().snapshot() != null
                && run().snapshot().kind().equals(HELD)
                && situation.detail().holders().stream().allMatch(h -> isOver(h.leaseUntil()));
    }

    /** The holder whose lease ended last. */
    Optional<SnapshotHolder> lastHolder() {
        return situation.detail().holders().stream()
                .max(Comparator.comparing(SnapshotHolder::leaseUntil));
    }

    /** Whether readers can have seen nothing yet, and a person or the deadline may end the run. */
    boolean isBeforePublishing() {
        return state().isBeforePublishing();
    }

    /** The step that the state is about, done or waited for. */
    Optional<Kind> step() {
        return switch (state()) {
            case EXTRACTED_VALIDATED, STAGE_VALIDATING -> Optional.of(Kind.VALIDATE_RUN);
            case STAGING_VALIDATED, PUBLISHING -> Optional.of(Kind.PUBLISH_RUN);
            case PUBLISH_UNKNOWN -> Optional.of(Kind.RESOLVE_RUN);
            case PUBLISHED ->
                run().confirmedAt() == null ? Optional.of(Kind.CONFIRM_RUN) : Optional.empty();
            case CREATED,
                    EXTRACTING,
                    SUCCESS,
                    FAILED_MANIFEST,
                    FAILED_EXTRACT,
                    FAILED_SNAPSHOT_EXPIRED,
                    FAILED_STAGE_VALIDATION,
                    FAILED_PUBLISH,
                    FAILED_TARGET_VALIDATION,
                    TIMED_OUT,
                    CANCELLED -> Optional.empty();
        };
    }

    /** Whether somebody does the step. */
    boolean isStepUnderWay() {
        return switch (state()) {
            case STAGE_VALIDATING, PUBLISHING -> true;
            case EXTRACTED_VALIDATED -> false;
            default -> step().isPresent() && run().owner() != null;
        };
    }

    /** Who does the step. */
    String owner() {
        String owner = run().owner();
        return owner == null ? "A worker process" : owner;
    }

    /** The newest row of the outbox for the step of the state. */
    Optional<Dispatch> dispatch() {
        return step().flatMap(kind -> situation.detail().dispatches().stream()
                .filter(dispatch -> dispatch.kind() == kind)
                .max(Comparator.comparingInt(Dispatch::cycle)));
    }

    /** The row of the outbox that the run waits for, still open or given up. */
    Optional<Dispatch> awaited() {
        return isStepUnderWay()
                ? Optional.empty()
                : dispatch().filter(d -> d.state().isOpen() || d.state() == DispatchState.DEAD);
    }

    /** When the receiver of a dispatch that was taken counts as silent. */
    Optional<Instant> ackUntil(Dispatch dispatch) {
        Instant sentAt = dispatch.sentAt();
        return dispatch.state() == DispatchState.SENT && sentAt != null
                ? Optional.of(sentAt.plus(settings().ackTimeout()))
                : Optional.empty();
    }

    /** Other runs of the cut that can no longer succeed. */
    List<Run> brokenInCut() {
        return othersInCut()
                .filter(other -> other.state().isTerminal() && other.state() != RunState.SUCCESS)
                .toList();
    }

    Stream<Run> othersInCut() {
        return situation.detail().cut().stream().filter(other -> !other.id().equals(id()));
    }

    /** What the sweep does about something that is over at a time, whether or not it is yet. */
    Next atSweep(String what, Instant over) {
        return sweepAfter(over)
                .map(at -> Next.by(what, at, now()))
                .orElseGet(() -> Next.sometime(what + ", once a worker process runs"));
    }

    /** The sweep that sees what is over at a time; empty if nobody sweeps. */
    Optional<Instant> sweepAfter(Instant over) {
        return live.stream()
                .map(WorkerSign::startedAt)
                .min(Comparator.naturalOrder())
                .map(start -> latest(over, start.plus(settings().grace()))
                        .plus(settings().sweepInterval()));
    }

    /** A delivery that is due at a time, by whoever looks for due ones next. */
    Next atDelivery(String what, Instant dueAt) {
        if (live.isEmpty()) {
            return Next.sometime(what + ", once a worker process runs");
        }
        return Next.by(what, dueAt.plus(settings().sweepInterval()), now());
    }

    /** What ends the run if nothing else does. */
    Next atDeadline(String what) {
        return atSweep(what, run().deadline());
    }

    Duration elapsed(Instant at) {
        return Duration.between(at, now());
    }

    private static Instant latest(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
