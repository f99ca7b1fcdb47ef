package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.Outbox;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.RunFilter;
import io.weir.core.publish.PublishMode;
import io.weir.core.route.PartitionBy;
import io.weir.core.route.PartitionKey;
import io.weir.core.row.RowSchema;
import io.weir.core.run.Partition;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.core.run.SnapshotHolder;
import io.weir.core.run.WorkerSign;
import io.weir.engine.Engine;
import io.weir.ledger.loop.Dispatcher;
import io.weir.ledger.loop.Loops;
import io.weir.source.Source;
import io.weir.source.SourceSnapshot;
import io.weir.source.SourceTable;
import io.weir.source.TableSpec;
import io.weir.table.LakeCatalog;
import io.weir.table.LakeTable;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A process that shares the work of every run of a ledger: reads partitions at the snapshot that a
 * live holder keeps, does the steps that the outbox asks for, and looks after what others left
 * behind. It may die at any moment.
 */
public final class LoadWorker {
    private static final Duration IDLE_PAUSE = Duration.ofSeconds(1);
    private static final int RUNS_LOOKED_AT = 1_000;
    private static final int STEP_SLOTS = 2;
    private static final Logger LOG = LoggerFactory.getLogger(LoadWorker.class);

    private final Ledger ledger;
    private final Outbox outbox;
    private final LakeCatalog catalog;
    private final Engine engine;
    private final Map<String, Source> sources;
    private final LoadSettings settings;
    private final Supplier<UUID> ids;
    private final Cancellation cancellation;
    private final Patience patience;
    private final Supplier<Heartbeat> heartbeats;
    private final WrittenFiles written = new WrittenFiles();
    private final AtomicInteger busy = new AtomicInteger();

    /**
     * Wires the worker.
     *
     * @param sources by the name that runs use
     * @param ids makes tokens
     */
    public LoadWorker(
            Ledger ledger,
            Outbox outbox,
            LakeCatalog catalog,
            Engine engine,
            Map<String, Source> sources,
            LoadSettings settings,
            Supplier<UUID> ids,
            Cancellation cancellation) {
        this.patience = new Patience(settings.patience(), cancellation);
        this.ledger = PatientLedger.over(ledger, patience);
        this.heartbeats = () -> Heartbeat.start(ledger, patience, settings.beat());
        this.outbox = outbox;
        this.catalog = catalog;
        this.engine = engine;
        this.sources = Map.copyOf(sources);
        this.settings = settings;
        this.ids = ids;
        this.cancellation = cancellation;
    }

    /** Works until a stop is wished; what is under way then is finished or given up first. */
    public void run(LoadListener listener) {
        UUID self = ids.get();
        RunSteps steps = new RunSteps(
                ledger,
                catalog,
                engine,
                ids,
                written,
                listener,
                patience,
                heartbeats,
                new RunEnding(ledger, catalog, RunEnding.OnStop.LEAVE));
        try (StepReceiver receiver = new StepReceiver(ledger, catalog, steps, STEP_SLOTS);
                Loops loops = Loops.start(outbox)) {
            loops.deliver(new Dispatcher(outbox, receiver));
            loops.sign(() -> sign(self));
            while (!cancellation.isRequested()) {
                if (!helpSomewhere(listener)) {
                    cancellation.await(IDLE_PAUSE);
                }
            }
        }
    }

    private void sign(UUID self) {
        ledger.signWorker(new WorkerSign(
                self,
                settings.name(),
                sources.keySet().stream().sorted().toList(),
                settings.workers(),
                busy.get(),
                Instant.EPOCH,
                Instant.EPOCH));
    }

    private boolean helpSomewhere(LoadListener listener) {
        try {
            for (Run run : ledger.runs(new RunFilter(null, true, RUNS_LOOKED_AT))) {
                if (run.state() == RunState.EXTRACTING && sources.containsKey(run.source())) {
                    RunDetail detail = ledger.detail(run.id());
                    if (hasWork(detail) && help(detail, listener)) {
                        return true;
                    }
                }
            }
        } catch (WeirException e) {
            // Already told to the ledger where it concerns a run; this process goes on.
            LOG.atWarn().addKeyValue("code", e.code()).log("Cannot help: {}", e.text());
            cancellation.await(IDLE_PAUSE);
        }
        return false;
    }

    private static boolean hasWork(RunDetail detail) {
        return detail.partitions().stream()
                .map(Partition::state)
                .anyMatch(state -> state.isClaimable());
    }

    /** Whether some partition may have been read. */
    private boolean help(RunDetail detail, LoadListener listener) {
        Optional<SnapshotHolder> holder = detail.holders().stream()
                .filter(candidate -> detail.now().isBefore(candidate.leaseUntil()))
                .findFirst();
        Source source = sources.get(detail.run().source());
        if (holder.isEmpty() || source == null) {
            return false;
        }
        TableSpec spec = spec(detail);
        try (SourceSnapshot snapshot =
                source.joinSnapshot(holder.get().token(), List.of(spec), settings.workers())) {
            extract(detail, snapshot, spec, listener);
            return true;
        } catch (WeirException e) {
            if (e.code() == ErrorCode.SOURCE_SNAPSHOT_EXPIRED) {
                // The holder died since; the next look finds another one, or the sweep ends it.
                return false;
            }
            throw e;
        }
    }

    /** The table as the coordinator reads it, with the rows that the business key names. */
    private TableSpec spec(RunDetail detail) {
        Run run = detail.run();
        TableSpec spec = new TableSpec(
                run.sourceTable(), detail.reading().exclude(), detail.reading().policies());
        return run.publishMode() == PublishMode.REPLACE_PARTITIONS
                ? spec.keyed(new PartitionKey(
                        catalog.load(run.target()).partitionBy().first(), run.businessKey()))
                : spec;
    }

    private void extract(
            RunDetail detail, SourceSnapshot snapshot, TableSpec spec, LoadListener listener) {
        Run run = detail.run();
        SourceTable table = snapshot.table(spec);
        LakeTable target = catalog.prepare(
                run.target(), table.columns(), run.keyColumns(), PartitionBy.NOTHING);
        try (Heartbeat heartbeat = heartbeats.get()) {
            heartbeat.run(run.id());
            heartbeat.snapshot(run.id(), ids.get(), snapshot.token(), settings.name());
            PartitionExtract extract = new PartitionExtract(
                    ledger,
                    engine,
                    spec,
                    target.partitionBy(),
                    new RowSchema(target.schema().columns(), run.keyColumns()),
                    RowHashes.of(catalog, run.target()),
                    new ChunkSizer(LoadJob.CHUNK_BYTES_DEFAULT),
                    written);
            ExtractWorkers workers = new ExtractWorkers(
                    ledger, snapshot, extract, ids, cancellation, heartbeat, settings.name());
            listener.planned(
                    run,
                    workers.plan(
                            detail.partitions().stream().map(Partition::id).toList(),
                            table.estimatedBytes()));
            busy.set(settings.workers());
            workers.runWhatIsLeft(run.id(), settings.workers(), listener);
        } finally {
            busy.set(0);
        }
    }
}
