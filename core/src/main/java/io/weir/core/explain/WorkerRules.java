package io.weir.core.explain;

import io.weir.core.run.Dispatch;
import io.weir.core.run.Partition;
import io.weir.core.run.RunState;
import io.weir.core.run.SnapshotHolder;
import io.weir.core.run.WorkerSign;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What waits for a worker process that is not there, or that does not do its part. */
final class WorkerRules {
    /** A sweep that is late by this many intervals does not come. */
    private static final int INTERVALS_LATE = 3;

    private final Facts facts;

    private WorkerRules(Facts facts) {
        this.facts = facts;
    }

    static List<Finding> of(Facts facts) {
        if (facts.state().isTerminal()) {
            return List.of();
        }
        WorkerRules rules = new WorkerRules(facts);
        return facts.live().isEmpty() ? rules.noWorker() : rules.sweepOverdue();
    }

    private List<Finding> noWorker() {
        List<String> waiting = waiting();
        if (waiting.isEmpty()) {
            return List.of();
        }
        Optional<WorkerSign> last =
                facts.situation().workers().stream().max(Comparator.comparing(WorkerSign::seenAt));
        String cause = last.map(sign -> "No worker process is alive: the last sign came from "
                        + sign.name() + ", " + facts.ago(sign.seenAt()) + ".")
                .orElse("No worker process is alive: none gave a sign within the last hour.");
        Draft draft = new Draft(FindingCode.NO_WORKER, cause)
                .since(last.map(WorkerSign::seenAt).orElse(null));
        waiting.forEach(what -> draft.fact("waits", what));
        return List.of(draft.next(Next.sometime("it goes on once a worker process runs"))
                .act(Commands.START_WORKER)
                .done());
    }

    private List<String> waiting() {
        List<String> waiting = new ArrayList<>();
        int claimable = facts.claimable().size();
        // Whoever reads a partition now will claim the next one, even if it gives no sign here.
        if (facts.state() == RunState.EXTRACTING
                && claimable > 0
                && facts.read().isEmpty()) {
            waiting.add(Words.partitions(claimable));
        }
        facts.awaited()
                .filter(dispatch -> dispatch.state().isOpen())
                .ifPresent(dispatch -> waiting.add(dispatch.kind().name()));
        if (firstOver().isPresent()) {
            waiting.add("the sweep");
        }
        return waiting;
    }

    private List<Finding> sweepOverdue() {
        Optional<Instant> due = firstOver().flatMap(facts::sweepAfter);
        Instant late =
                facts.now().minus(facts.settings().sweepInterval().multipliedBy(INTERVALS_LATE));
        return due
                .filter(at -> at.isBefore(late))
                .map(at -> new Draft(
                                FindingCode.SWEEP_OVERDUE,
                                "A sweep was due " + facts.ago(at) + " and changed nothing, though "
                                        + Words.count(
                                                facts.live().size(),
                                                "worker process is alive",
                                                "worker processes are alive")
                                        + ".")
                        .since(at)
                        .next(Next.by("the sweep", at, facts.now()))
                        .act(Commands.advice(
                                "Look for the reason in the logs of the worker processes"))
                        .act(Commands.CHECK)
                        .done())
                .stream()
                .toList();
    }

    /** The first thing that is over and waits for the sweep. */
    private Optional<Instant> firstOver() {
        return Stream.of(leases(), deadline(), snapshot(), silence(), cut())
                .flatMap(times -> times)
                .filter(facts::isOver)
                .min(Comparator.naturalOrder());
    }

    private Stream<Instant> leases() {
        boolean reading = facts.state() == RunState.CREATED || facts.state() == RunState.EXTRACTING;
        Stream<Instant> ofRun = reading || facts.isStepUnderWay()
                ? Stream.of(facts.run().leaseUntil())
                : Stream.empty();
        Stream<Instant> ofClaims = facts.state() == RunState.EXTRACTING
                ? facts.lost().stream().map(Partition::leaseUntil)
                : Stream.empty();
        return Stream.concat(ofRun, ofClaims);
    }

    private Stream<Instant> deadline() {
        return facts.isBeforePublishing() ? Stream.of(facts.run().deadline()) : Stream.empty();
    }

    private Stream<Instant> snapshot() {
        boolean needed =
                facts.state() == RunState.EXTRACTING && !facts.claimable().isEmpty();
        return needed && facts.isSnapshotGone()
                ? facts.lastHolder().map(SnapshotHolder::leaseUntil).stream()
                : Stream.empty();
    }

    private Stream<Instant> silence() {
        Optional<Dispatch> awaited = facts.awaited();
        return awaited.flatMap(facts::ackUntil).stream();
    }

    private Stream<Instant> cut() {
        return CutRules.isBreakable(facts)
                ? facts.brokenInCut().stream().flatMap(run -> Stream.ofNullable(run.endedAt()))
                : Stream.empty();
    }
}
