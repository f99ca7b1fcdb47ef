package io.weir.testkit.simulation;

import io.weir.core.metric.Metric;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.Stage;
import io.weir.core.metric.Verdict;
import io.weir.core.run.Chunk;
import io.weir.core.run.ChunkState;
import io.weir.core.run.RunId;
import io.weir.ledger.chunk.ChunkRow;
import io.weir.ledger.chunk.ChunkStore;
import io.weir.ledger.dispatch.DispatchStore;
import io.weir.ledger.event.EventDraft;
import io.weir.ledger.event.EventStore;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.metric.MetricStore;
import io.weir.ledger.partition.PartitionStore;
import io.weir.ledger.run.RunStore;
import io.weir.testkit.ledger.MemoryChunkStore;
import io.weir.testkit.ledger.MemoryEventStore;
import io.weir.testkit.ledger.MemoryMetricStore;
import io.weir.testkit.ledger.MemoryStores;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The stores of a simulation: right, unless a bug is seeded. */
final class WrongStores extends MemoryStores {
    private static final double EVENTS_LOST = 0.01;
    private static final long SKEW_SECONDS = 45;

    private final World world;
    private final Others others;

    WrongStores(World world, Others others) {
        super(world.tables, world.clock, world.random::id, others);
        this.world = world;
        this.others = others;
    }

    @Override
    public RunStore runs() {
        return new WrongRuns(world, interference);
    }

    @Override
    public PartitionStore partitions() {
        return new WrongPartitions(world, interference);
    }

    @Override
    public DispatchStore dispatches() {
        return new WrongDispatches(world, interference);
    }

    @Override
    public ChunkStore chunks() {
        return switch (bug()) {
            case 12, 17 -> new Chunks();
            default -> super.chunks();
        };
    }

    @Override
    public MetricStore metrics() {
        return switch (bug()) {
            case 11, 12 -> new Metrics();
            default -> super.metrics();
        };
    }

    @Override
    public EventStore events() {
        return world.has(SeededBug.M19_EVENT_LOST) ? new Events() : super.events();
    }

    @Override
    public Instant now() {
        Instant now = super.now();
        if (world.has(SeededBug.M7_TRANSACTION_START)) {
            return others.begin();
        }
        if (world.has(SeededBug.M6_WORKER_CLOCK) && world.caller != null) {
            int process = world.processes.indexOf(world.caller);
            return now.plus(Duration.ofSeconds(process * SKEW_SECONDS));
        }
        return now;
    }

    private int bug() {
        if (world.has(SeededBug.M11_METRICS_MISSING)) {
            return 11;
        }
        if (world.has(SeededBug.M12_VERDICT_TRUSTED)) {
            return 12;
        }
        return world.has(SeededBug.M17_PATH_WITHOUT_EPOCH) ? 17 : 0;
    }

    private final class Chunks extends MemoryChunkStore {
        Chunks() {
            super(world.tables);
        }

        /** M17. */
        @Override
        public List<RowChange> insertAll(List<ChunkRow> rows) {
            return super.insertAll(rows.stream()
                    .map(row -> {
                        String path = row.chunk().path();
                        String shared =
                                path == null || bug() != 17 ? path : WrongLedger.withoutEpoch(path);
                        return new ChunkRow(
                                with(row.chunk(), shared, row.chunk().state()), row.losses());
                    })
                    .toList());
        }

        /** M12. */
        @Override
        public List<RowChange> updateAll(List<ChunkRow> before, List<ChunkRow> after) {
            if (!world.has(SeededBug.M12_VERDICT_TRUSTED)) {
                return super.updateAll(before, after);
            }
            return super.updateAll(
                    before,
                    after.stream()
                            .map(row -> new ChunkRow(
                                    with(row.chunk(), row.chunk().path(), ChunkState.VERIFIED),
                                    row.losses()))
                            .toList());
        }

        private static Chunk with(Chunk chunk, @Nullable String path, ChunkState state) {
            return new Chunk(
                    chunk.runId(),
                    chunk.partitionId(),
                    chunk.epoch(),
                    chunk.index(),
                    path,
                    chunk.bytes(),
                    chunk.balance(),
                    chunk.measured(),
                    chunk.last(),
                    state);
        }
    }

    private final class Metrics extends MemoryMetricStore {
        Metrics() {
            super(world.tables);
        }

        /** M12. */
        @Override
        public List<RowChange> upsertAll(RunId runId, List<Metric> metrics) {
            return super.upsertAll(
                    runId, metrics.stream().map(metric -> pass(metric)).toList());
        }

        private Metric pass(Metric metric) {
            return world.has(SeededBug.M12_VERDICT_TRUSTED)
                    ? new Metric(
                            metric.stage(),
                            metric.subject(),
                            metric.name(),
                            metric.expected(),
                            metric.actual(),
                            Verdict.PASS)
                    : metric;
        }

        /** M11: what is missing counts as passed. */
        @Override
        public List<Metric> ofRun(RunId runId) {
            List<Metric> stored = super.ofRun(runId);
            if (!world.has(SeededBug.M11_METRICS_MISSING)) {
                return stored;
            }
            List<Metric> all = new ArrayList<>(stored);
            Set<MetricName> names = new LinkedHashSet<>();
            stored.forEach(metric -> names.add(metric.name()));
            names.add(MetricName.BALANCE);
            names.add(MetricName.DUPLICATE_KEYS);
            for (Stage stage : List.of(Stage.STAGING, Stage.TARGET)) {
                for (MetricName name : names) {
                    boolean there = stored.stream()
                            .anyMatch(metric -> metric.stage() == stage
                                    && metric.subject().equals(Metric.RUN)
                                    && metric.name().equals(name));
                    if (!there) {
                        all.add(new Metric(stage, Metric.RUN, name, "", "", Verdict.PASS));
                    }
                }
            }
            return all;
        }
    }

    private final class Events extends MemoryEventStore {
        Events() {
            super(world.tables);
        }

        /** M19. */
        @Override
        public void append(List<EventDraft> drafts) {
            if (!world.random.chance(EVENTS_LOST)) {
                super.append(drafts);
            }
        }
    }
}
