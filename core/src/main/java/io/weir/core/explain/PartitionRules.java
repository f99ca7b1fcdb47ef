package io.weir.core.explain;

import io.weir.core.run.Partition;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.RunState;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Partitions whose worker gives no sign or no row. */
final class PartitionRules {
    private static final int LISTED_MAX = 5;

    private final Facts facts;
    private final List<Finding> findings = new ArrayList<>();

    private PartitionRules(Facts facts) {
        this.facts = facts;
    }

    static List<Finding> of(Facts facts) {
        PartitionRules rules = new PartitionRules(facts);
        if (facts.state() == RunState.EXTRACTING) {
            for (Fate fate : Fate.values()) {
                rules.lost(fate);
            }
            for (Fate fate : Fate.values()) {
                rules.silent(fate);
            }
            rules.noRowYet();
            rules.givenBack();
        }
        return rules.findings;
    }

    /** Whoever holds the latest claim. */
    static String worker(Partition partition) {
        String worker = partition.worker();
        return worker == null ? "a worker" : worker;
    }

    /** Rows that are known to have left the source under the latest claim. */
    static long rows(Partition partition) {
        return Math.max(partition.progressRows(), partition.balance().rows());
    }

    /** What follows from a lost claim. */
    private enum Fate {
        RUN_ENDS,
        RUN_FAILS,
        READ_AGAIN
    }

    private Fate fate(Partition partition) {
        if (facts.run().recovery() == RecoveryMode.FAIL) {
            return Fate.RUN_ENDS;
        }
        return partition.epoch() < facts.settings().claimsMax() ? Fate.READ_AGAIN : Fate.RUN_FAILS;
    }

    private String consequence(Fate fate, int partitions) {
        return switch (fate) {
            case RUN_ENDS -> "the run ends as TIMED_OUT, because its recovery is FAIL";
            case RUN_FAILS ->
                "the run ends as FAILED_EXTRACT, because a partition is claimed "
                        + facts.settings().claimsMax() + " times at most";
            case READ_AGAIN ->
                facts.isSnapshotGone()
                        ? "the run ends as FAILED_SNAPSHOT_EXPIRED, because nobody holds the"
                                + " snapshot"
                        : (partitions == 1 ? "it is" : "they are")
                                + " given back, to be read again at the same snapshot";
        };
    }

    private void lost(Fate fate) {
        List<Partition> lost = byLease(facts.lost(), fate);
        if (lost.isEmpty()) {
            return;
        }
        Partition first = lost.get(0);
        Instant over = lease(first);
        String cause = lost.size() == 1
                ? "Partition " + first.id() + " is lost: " + worker(first)
                        + " gave no sign since its lease ended " + facts.ago(over) + "."
                : Words.partitions(lost.size()) + " are lost (" + names(lost)
                        + "): the first lease ended " + facts.ago(over) + ".";
        Draft draft = new Draft(FindingCode.PARTITION_LOST, cause).since(over);
        findings.add(listed(draft, lost)
                .next(facts.atSweep(consequence(fate, lost.size()), over))
                .act(Commands.advice("Find out what happened to " + workers(lost)))
                .done());
    }

    private void silent(Fate fate) {
        Duration lease = facts.settings().claimLease();
        List<Partition> silent =
                byLease(facts.read().stream().filter(this::isSilent).toList(), fate);
        if (silent.isEmpty()) {
            return;
        }
        Partition first = silent.get(0);
        Instant sign = lease(first).minus(lease);
        String quiet = Words.duration(facts.elapsed(sign));
        String left = Words.relative(lease(first), facts.now());
        String cause = silent.size() == 1
                ? "Partition " + first.id() + ": no sign of " + worker(first) + " for " + quiet
                        + "; its lease ends " + left + "."
                : Words.partitions(silent.size()) + " (" + names(silent)
                        + "): no sign of their workers for up to " + quiet
                        + "; the first lease ends " + left + ".";
        Draft draft = new Draft(FindingCode.PARTITION_SILENT, cause).since(sign);
        findings.add(listed(draft, silent)
                .next(facts.atSweep(
                        "without a sign, " + consequence(fate, silent.size()), lease(first)))
                .act(Commands.advice("Wait, or look at " + workers(silent)))
                .done());
    }

    private boolean isSilent(Partition partition) {
        Instant leaseUntil = partition.leaseUntil();
        Duration half = facts.settings().claimLease().dividedBy(2);
        return leaseUntil != null && Duration.between(facts.now(), leaseUntil).compareTo(half) < 0;
    }

    private void noRowYet() {
        List<Partition> dry = facts.read().stream()
                .filter(this::isDry)
                .sorted(Comparator.comparing(this::start).thenComparing(Partition::ordinal))
                .toList();
        if (dry.isEmpty()) {
            return;
        }
        Partition first = dry.get(0);
        String cause = dry.size() == 1
                ? "Partition " + first.id() + ": " + worker(first)
                        + " is alive, but sent no row since its claim "
                        + facts.ago(start(first)) + "."
                : Words.partitions(dry.size()) + " (" + names(dry)
                        + "): their workers are alive, but sent no row since their claims, the"
                        + " first " + facts.ago(start(first)) + ".";
        Draft draft = new Draft(FindingCode.NO_ROW_YET, cause).since(start(first));
        findings.add(listed(draft, dry)
                .next(facts.atDeadline("the run ends as TIMED_OUT unless rows come"))
                .act(Commands.advice(
                        "Look for a lock or a slow query on " + facts.run().sourceTable()
                                + " at source " + facts.run().source()))
                .act(Commands.cancel(facts.id()))
                .done());
    }

    private boolean isDry(Partition partition) {
        Long expected = partition.expectedRows();
        boolean awaited = expected == null || expected > 0;
        return awaited
                && !isSilent(partition)
                && rows(partition) == 0
                && partition.chunkCount() == 0
                && facts.elapsed(start(partition)).compareTo(facts.settings().rowsWithin()) > 0;
    }

    private Instant start(Partition partition) {
        Instant startedAt = partition.startedAt();
        return startedAt == null ? facts.now() : startedAt;
    }

    private void givenBack() {
        List<Partition> back = facts.partitions().stream()
                .filter(partition -> partition.state() == PartitionState.RETRY)
                .toList();
        if (back.isEmpty()) {
            return;
        }
        String cause = back.size() == 1
                ? "Partition " + back.get(0).id() + " was lost by " + worker(back.get(0))
                        + " and waits to be read again."
                : Words.partitions(back.size()) + " (" + names(back)
                        + ") were lost by their workers and wait to be read again.";
        Draft draft = new Draft(FindingCode.PARTITIONS_GIVEN_BACK, cause);
        findings.add(listed(draft, back)
                .next(Next.sometime("the next claim reads from the start, at the same snapshot"))
                .done());
    }

    /** Of one fate, the lease that ends first in front. */
    private List<Partition> byLease(List<Partition> partitions, Fate fate) {
        return partitions.stream()
                .filter(partition -> fate(partition) == fate)
                .sorted(Comparator.comparing(this::lease).thenComparing(Partition::ordinal))
                .toList();
    }

    private Instant lease(Partition partition) {
        Instant leaseUntil = partition.leaseUntil();
        return leaseUntil == null ? facts.now() : leaseUntil;
    }

    private Draft listed(Draft draft, List<Partition> partitions) {
        String most = facts.run().recovery() == RecoveryMode.REISSUE
                ? " of at most " + facts.settings().claimsMax()
                : "";
        for (Partition partition : partitions.subList(0, Math.min(LISTED_MAX, partitions.size()))) {
            draft.fact(
                    "partition " + partition.id(),
                    "claim " + partition.epoch() + most + ", by " + worker(partition));
        }
        return draft;
    }

    private static String names(List<Partition> partitions) {
        return Words.some(partitions.stream().map(p -> p.id().value()).toList());
    }

    private static String workers(List<Partition> partitions) {
        return Words.some(
                partitions.stream().map(PartitionRules::worker).distinct().toList());
    }
}
