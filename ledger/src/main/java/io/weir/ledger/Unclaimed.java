package io.weir.ledger;

import io.weir.core.run.Partition;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.ledger.partition.PartitionKey;
import io.weir.ledger.partition.SeenPartition;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Partitions that nobody had claimed when this process saw them, so that a claim need not look
 * first. Each is handed out once. Nothing here has to be true: a claim is written only if the row
 * has not moved since.
 */
final class Unclaimed {
    private static final int PARTITIONS_MAX = 100_000;

    /** By the run that was put first. */
    private final Map<RunId, Known> runs = new LinkedHashMap<>();

    private int size;

    private static final class Known {
        final TreeMap<Integer, SeenPartition> byOrdinal = new TreeMap<>();
        final Map<PartitionId, Integer> ordinals = new HashMap<>();
    }

    /** Takes one by its id. */
    synchronized Optional<SeenPartition> take(PartitionKey key) {
        Known run = runs.get(key.runId());
        Integer ordinal = run == null ? null : run.ordinals.get(key.id());
        return run == null || ordinal == null ? Optional.empty() : take(key.runId(), run, ordinal);
    }

    /** Takes the first of a run that is wanted; those before it are forgotten. */
    synchronized Optional<SeenPartition> takeNext(RunId runId, Predicate<PartitionKey> wanted) {
        Known run = runs.get(runId);
        while (run != null && !run.byOrdinal.isEmpty()) {
            Optional<SeenPartition> first = take(runId, run, run.byOrdinal.firstKey());
            if (first.filter(seen -> wanted.test(seen.key())).isPresent()) {
                return first;
            }
        }
        return Optional.empty();
    }

    private Optional<SeenPartition> take(RunId runId, Known run, Integer ordinal) {
        SeenPartition seen = run.byOrdinal.remove(ordinal);
        if (seen != null) {
            run.ordinals.remove(seen.row().id());
            size--;
        }
        if (run.byOrdinal.isEmpty()) {
            runs.remove(runId);
        }
        return Optional.ofNullable(seen);
    }

    /** Remembers those that nobody had; others have chunks that may have to be given up. */
    synchronized void put(List<SeenPartition> partitions) {
        for (SeenPartition seen : partitions) {
            Partition row = seen.row();
            if (row.epoch() == 0) {
                Known run = runs.computeIfAbsent(row.runId(), id -> new Known());
                run.ordinals.put(row.id(), row.ordinal());
                if (run.byOrdinal.put(row.ordinal(), seen) == null) {
                    size++;
                }
            }
        }
        while (size > PARTITIONS_MAX) {
            forget(runs.keySet().iterator().next());
        }
    }

    /** Somebody else moves the partitions of a run. */
    synchronized void forget(RunId runId) {
        Known run = runs.remove(runId);
        size -= run == null ? 0 : run.byOrdinal.size();
    }
}
