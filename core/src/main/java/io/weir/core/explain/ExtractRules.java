package io.weir.core.explain;

import io.weir.core.run.Partition;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RunState;
import io.weir.core.run.SnapshotHolder;
import io.weir.core.run.WorkerSign;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Which partitions are read, and what the others wait for. */
final class ExtractRules {
    /** A rate over less time than this says nothing. */
    private static final Duration RATE_AFTER = Duration.ofSeconds(10);

    private final Facts facts;
    private final int whole;
    private final int claimable;

    private ExtractRules(Facts facts) {
        this.facts = facts;
        this.whole = facts.partitions().size();
        this.claimable = facts.claimable().size();
    }

    static List<Finding> of(Facts facts) {
        List<Finding> findings = new ArrayList<>();
        if (facts.state() == RunState.EXTRACTING) {
            ExtractRules rules = new ExtractRules(facts);
            if (rules.claimable > 0) {
                rules.waiting().ifPresent(findings::add);
                rules.snapshot().ifPresent(findings::add);
            }
            if (!facts.read().isEmpty()) {
                findings.add(rules.reading());
            }
        }
        return findings;
    }

    private Optional<Finding> waiting() {
        List<WorkerSign> readers = facts.readers();
        int reading = facts.read().size();
        int slots = readers.stream().mapToInt(WorkerSign::slots).sum();
        int busy = readers.stream().mapToInt(WorkerSign::busy).sum();
        if (readers.isEmpty() && reading > 0) {
            return Optional.of(
                    wait(Words.number(reading) + (reading == 1 ? " is" : " are") + " being read"));
        }
        if (facts.live().isEmpty()) {
            return Optional.empty();
        }
        if (readers.isEmpty()) {
            return Optional.of(noReader());
        }
        if (busy < slots) {
            return Optional.of(wait((slots - busy) + " of " + Words.count(slots, "slot", "slots")
                    + (slots - busy == 1 ? " is" : " are") + " free"));
        }
        return Optional.of(new Draft(
                        FindingCode.WORKERS_BUSY,
                        Words.partitions(claimable, whole) + waits() + " for a free slot; "
                                + (slots == 1 ? "the only one is" : "all " + slots + " are")
                                + " in use.")
                .fact("worker processes", readers.size())
                .next(Next.sometime("the next free slot takes one"))
                .act(Commands.MORE_WORKERS)
                .done());
    }

    private Finding wait(String why) {
        return new Draft(
                        FindingCode.PARTITIONS_WAIT,
                        Words.partitions(claimable, whole) + waits() + " to be claimed; " + why
                                + ".")
                .next(Next.sometime("a worker process with a free slot claims one"))
                .done();
    }

    private String waits() {
        return claimable == 1 ? " waits" : " wait";
    }

    private Finding noReader() {
        int live = facts.live().size();
        String source = facts.run().source();
        Draft draft = new Draft(
                FindingCode.NO_WORKER_FOR_SOURCE,
                Words.partitions(claimable, whole) + waits() + ", and no live worker process reads"
                        + " source " + source + ".");
        draft.fact("live worker processes", live);
        facts.live()
                .forEach(sign -> draft.fact(
                        sign.name(),
                        "reads " + String.join(", ", sign.sources()) + ", slots " + sign.slots()));
        return draft.next(Next.sometime("they are claimed once a worker process reads " + source))
                .act(new Action(
                        "Start a worker process whose job file has source " + source,
                        "weir worker JOB.YAML"))
                .done();
    }

    private Optional<Finding> snapshot() {
        if (!facts.isSnapshotGone()) {
            return Optional.empty();
        }
        Optional<SnapshotHolder> last = facts.lastHolder();
        Instant since = last.map(SnapshotHolder::leaseUntil).orElse(null);
        String who = last.map(holder -> "; the last one, " + holder.worker() + ", was lost "
                        + facts.ago(holder.leaseUntil()))
                .orElse("");
        return Optional.of(new Draft(
                        FindingCode.SNAPSHOT_LOST,
                        "Nobody holds the snapshot of the run, and "
                                + Words.partitions(claimable, whole)
                                + (claimable == 1 ? " is" : " are") + " still to be claimed"
                                + who + ".")
                .since(since)
                .next(facts.atSweep(
                        "the run ends as FAILED_SNAPSHOT_EXPIRED",
                        since == null ? facts.now() : since))
                .act(Commands.LOAD_AFTERWARDS)
                .done());
    }

    private Finding reading() {
        int reading = facts.read().size();
        int done = (int) succeeded().count();
        Draft draft = new Draft(
                FindingCode.READING,
                Words.partitions(reading, whole) + (reading == 1 ? " is" : " are")
                        + " being read; " + Words.number(done)
                        + (done == 1 ? " is" : " are") + " done.");
        start().ifPresent(draft::since);
        Long source = facts.run().sourceCount();
        draft.fact(
                "rows",
                source == null
                        ? Words.number(rows())
                        : Words.number(rows()) + " of " + Words.number(source));
        timeLeft()
                .ifPresent(left -> draft.fact(
                        "time left at the average rate so far", "about " + Words.duration(left)));
        draft.fact(
                "workers",
                Words.some(facts.read().stream()
                        .map(PartitionRules::worker)
                        .distinct()
                        .sorted()
                        .toList()));
        return draft.next(Next.sometime("the last partition moves the run to EXTRACTED_VALIDATED"))
                .act(Commands.cancel(facts.id()))
                .done();
    }

    private Stream<Partition> succeeded() {
        return facts.partitions().stream().filter(p -> p.state() == PartitionState.SUCCESS);
    }

    /** Rows that count so far: of a claim that was lost, none. */
    private long rows() {
        long done = succeeded().mapToLong(p -> p.balance().rows()).sum();
        return done + facts.read().stream().mapToLong(PartitionRules::rows).sum();
    }

    private Optional<Instant> start() {
        return facts.partitions().stream()
                .flatMap(p -> Stream.ofNullable(p.startedAt()))
                .min(Comparator.naturalOrder());
    }

    /** Empty where rows, their end or the time are not known well enough. */
    private Optional<Duration> timeLeft() {
        Long source = facts.run().sourceCount();
        long rows = rows();
        if (source == null || rows <= 0 || rows >= source) {
            return Optional.empty();
        }
        return start().map(facts::elapsed)
                .filter(elapsed -> elapsed.compareTo(RATE_AFTER) >= 0)
                .map(elapsed -> Duration.ofSeconds(
                        Math.round((double) elapsed.toSeconds() * (source - rows) / rows)));
    }
}
