package io.weir.testkit.ledger;

import io.weir.core.metric.Metric;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Event;
import io.weir.core.run.Partition;
import io.weir.core.run.RunId;
import io.weir.core.run.SnapshotHolder;
import io.weir.core.run.StreamTransaction;
import io.weir.core.run.WorkerSign;
import io.weir.ledger.chunk.ChunkRow;
import io.weir.ledger.publish.AttemptRow;
import io.weir.ledger.run.RunRow;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Every row of the books. What is read outside of a transaction is what is committed. For one
 * thread.
 */
public final class MemoryTables {
    /** As PostgreSQL orders ids; Java compares halves as signed numbers. */
    static final Comparator<UUID> BY_ID = Comparator.comparing(UUID::toString);

    final Deque<Runnable> undo = new ArrayDeque<>();
    final Set<RunId> touched = new LinkedHashSet<>();
    final MemoryTable<RunId, RunRow> runs = new MemoryTable<>(new LinkedHashMap<>(), undo);
    final MemoryTable<AttemptKey, AttemptRow> attempts = new MemoryTable<>(new TreeMap<>(), undo);
    final MemoryTable<String, Long> targets = new MemoryTable<>(new TreeMap<>(), undo);
    final MemoryTable<UUID, WorkerSign> workers = new MemoryTable<>(new TreeMap<>(BY_ID), undo);
    final MemoryTable<UUID, StreamTransaction> streams =
            new MemoryTable<>(new TreeMap<>(BY_ID), undo);
    final MemoryTable<String, Loop> loops = new MemoryTable<>(new TreeMap<>(), undo);
    final RowChecks checks;

    private final Map<RunId, Shelf> shelves = new LinkedHashMap<>();
    private long sequence;

    /**
     * Makes empty books.
     *
     * @param dropped constraints by name, as the schema spells them, that are not held; none but
     *     for books that are wrong on purpose
     */
    public MemoryTables(Set<String> dropped) {
        this.checks = new RowChecks(dropped);
    }

    record AttemptKey(String target, long epoch) implements Comparable<AttemptKey> {
        @Override
        public int compareTo(AttemptKey other) {
            int byTarget = target.compareTo(other.target);
            return byTarget == 0 ? Long.compare(epoch, other.epoch) : byTarget;
        }
    }

    record ChunkKey(String partition, long epoch, int index) implements Comparable<ChunkKey> {
        private static final Comparator<ChunkKey> ORDER = Comparator.comparing(ChunkKey::partition)
                .thenComparingLong(ChunkKey::epoch)
                .thenComparingInt(ChunkKey::index);

        @Override
        public int compareTo(ChunkKey other) {
            return ORDER.compare(this, other);
        }
    }

    record MetricKey(int stage, boolean ofFile, String subject, String name)
            implements Comparable<MetricKey> {
        private static final Comparator<MetricKey> ORDER = Comparator.comparingInt(MetricKey::stage)
                .thenComparing(MetricKey::ofFile)
                .thenComparing(MetricKey::subject)
                .thenComparing(MetricKey::name);

        @Override
        public int compareTo(MetricKey other) {
            return ORDER.compare(this, other);
        }
    }

    record Loop(UUID owner, Instant leaseUntil) {}

    /** Everything that belongs to one run. */
    static final class Shelf {
        final MemoryTable<Integer, Partition> partitions;
        final MemoryTable<ChunkKey, ChunkRow> chunks;
        final MemoryTable<MetricKey, Metric> metrics;
        final MemoryTable<UUID, Dispatch> dispatches;
        final MemoryTable<Long, Event> events;
        final MemoryTable<UUID, SnapshotHolder> holders;

        Shelf(Deque<Runnable> undo) {
            partitions = new MemoryTable<>(new TreeMap<>(), undo);
            chunks = new MemoryTable<>(new TreeMap<>(), undo);
            metrics = new MemoryTable<>(new TreeMap<>(), undo);
            dispatches = new MemoryTable<>(new LinkedHashMap<>(), undo);
            events = new MemoryTable<>(new TreeMap<>(), undo);
            holders = new MemoryTable<>(new TreeMap<>(BY_ID), undo);
        }
    }

    Shelf shelf(RunId id) {
        return shelves.computeIfAbsent(id, key -> new Shelf(undo));
    }

    Collection<Shelf> shelves() {
        return shelves.values();
    }

    long nextSequence() {
        return ++sequence;
    }

    void rollback() {
        while (!undo.isEmpty()) {
            undo.pop().run();
        }
        touched.clear();
    }

    /** Keeps what was written; answers whose rows that were. */
    public Set<RunId> commit() {
        undo.clear();
        Set<RunId> written = new LinkedHashSet<>(touched);
        touched.clear();
        return written;
    }

    /** Runs in order of creation. */
    public List<RunRow> allRuns() {
        return List.copyOf(runs.all());
    }

    public Optional<RunRow> run(RunId id) {
        return runs.get(id);
    }

    /** By ordinal. */
    public List<Partition> partitionsOf(RunId id) {
        return List.copyOf(shelf(id).partitions.all());
    }

    /** Of every epoch, by partition, epoch and index. */
    public List<ChunkRow> chunksOf(RunId id) {
        return List.copyOf(shelf(id).chunks.all());
    }

    public List<Metric> metricsOf(RunId id) {
        return List.copyOf(shelf(id).metrics.all());
    }

    /** In order of creation. */
    public List<Dispatch> dispatchesOf(RunId id) {
        return List.copyOf(shelf(id).dispatches.all());
    }

    /** By sequence. */
    public List<Event> eventsOf(RunId id) {
        return new ArrayList<>(shelf(id).events.all());
    }

    /** Of every run, by target and epoch. */
    public List<AttemptRow> allAttempts() {
        return List.copyOf(attempts.all());
    }

    public List<AttemptRow> attemptsOf(RunId id) {
        return attempts.where(row -> row.attempt().runId().equals(id));
    }

    /** The latest epoch of a target; 0 if it has none. */
    public long epochOf(String target) {
        return targets.get(target).orElse(0L);
    }
}
