package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.CreateRun;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.Manifest;
import io.weir.core.ledger.Outbox;
import io.weir.core.ledger.ReadOptions;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.RunFilter;
import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.MetricPlan;
import io.weir.core.publish.PublishMode;
import io.weir.core.run.Cut;
import io.weir.core.run.Failure;
import io.weir.core.run.KeyRange;
import io.weir.core.run.PartitionId;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.core.run.WorkerSign;
import io.weir.engine.Engine;
import io.weir.ledger.loop.Loops;
import io.weir.source.Source;
import io.weir.source.SourceSnapshot;
import io.weir.source.SourceTable;
import io.weir.table.LakeCatalog;
import io.weir.table.LakeTable;
import io.weir.table.ReplicaTable;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Loads tables of one source, all at one snapshot, each as a run of its own; the tables of one job
 * are a cut. One object per command; it may be used by one thread.
 */
public final class LoadFlow {
    /** In the details of an error: the target of the table whose rows could not be read. */
    public static final String TARGET = "target";

    private static final int RUNS_LOOKED_AT = 1_000;

    private final Ledger ledger;
    private final Outbox outbox;
    private final UUID self;
    private final LakeCatalog catalog;
    private final Engine engine;
    private final LoadSettings settings;
    private final Supplier<UUID> ids;
    private final Cancellation cancellation;
    private final Patience patience;
    private final Supplier<Heartbeat> heartbeats;
    private final RunEnding ending;

    /**
     * Wires the flow.
     *
     * @param ids makes tokens
     */
    public LoadFlow(
            Ledger ledger,
            Outbox outbox,
            LakeCatalog catalog,
            Engine engine,
            LoadSettings settings,
            Supplier<UUID> ids,
            Cancellation cancellation) {
        this.outbox = outbox;
        this.self = ids.get();
        this.patience = new Patience(settings.patience(), cancellation);
        this.ledger = PatientLedger.over(ledger, patience);
        this.heartbeats = () -> Heartbeat.start(ledger, patience, settings.beat());
        this.catalog = catalog;
        this.engine = engine;
        this.settings = settings;
        this.ids = ids;
        this.cancellation = cancellation;
        this.ending = new RunEnding(this.ledger, catalog, RunEnding.OnStop.CANCEL);
    }

    /**
     * Loads every job, in order, at one snapshot of their source. The first failure ends the flow;
     * what other jobs published before it stays published.
     *
     * @return the runs, all in state SUCCESS
     * @throws WeirException as the step that failed says; the run is closed in the ledger. One of
     *     reading a table says {@link #TARGET} in its details
     */
    public List<RunDetail> load(
            Source source, List<LoadJob> given, String businessKey, LoadListener listener) {
        List<LoadJob> jobs = given.stream().map(job -> job.forKey(businessKey)).toList();
        try (Loops loops = Loops.start(outbox);
                SourceSnapshot snapshot = source.openSnapshot(
                        jobs.stream().map(LoadJob::table).toList(), settings.workers())) {
            loops.sign(() -> sign(jobs.get(0).source()));
            Map<String, List<LoadJob>> byName = new LinkedHashMap<>();
            jobs.forEach(job -> byName.computeIfAbsent(job.name(), name -> new ArrayList<>())
                    .add(job));
            List<RunDetail> details = new ArrayList<>();
            for (List<LoadJob> tables : byName.values()) {
                WrittenFiles written = new WrittenFiles();
                RunSteps steps = new RunSteps(
                        ledger,
                        catalog,
                        engine,
                        ids,
                        written,
                        listener,
                        patience,
                        heartbeats,
                        ending);
                details.addAll(
                        new OneJob(snapshot, tables, businessKey, listener, written, steps).load());
            }
            return details;
        }
    }

    private void sign(String source) {
        ledger.signWorker(new WorkerSign(
                self,
                settings.name(),
                List.of(source),
                settings.workers(),
                settings.workers(),
                Instant.EPOCH,
                Instant.EPOCH));
    }

    /** One table of a job on its way. */
    private record Table(LoadJob job, SourceTable source, LakeTable target) {}

    /** The tables of one job. */
    private final class OneJob {
        private final SourceSnapshot snapshot;
        private final List<LoadJob> jobs;
        private final String businessKey;
        private final LoadListener listener;
        private final WrittenFiles written;
        private final RunDriver driver;
        private final Map<RunId, Table> runs = new LinkedHashMap<>();

        OneJob(
                SourceSnapshot snapshot,
                List<LoadJob> jobs,
                String businessKey,
                LoadListener listener,
                WrittenFiles written,
                RunSteps steps) {
            this.snapshot = snapshot;
            this.jobs = jobs;
            this.businessKey = businessKey;
            this.listener = listener;
            this.written = written;
            this.driver = new RunDriver(ledger, steps, cancellation);
        }

        List<RunDetail> load() {
            List<RunDetail> details;
            // Before there is a run: a cut may take longer to create than its first lease lasts.
            try (Heartbeat heartbeat = heartbeats.get()) {
                Optional<List<RunDetail>> finished = create(heartbeat);
                if (finished.isPresent()) {
                    return finished.get();
                }
                List<RunId> ids = List.copyOf(runs.keySet());
                for (RunId id : ids) {
                    extractOf(id, heartbeat);
                }
                details = driver.drive(ids);
            } catch (WeirException e) {
                throw closed(e);
            } catch (RuntimeException e) {
                String message = "Cannot load job " + jobs.get(0).name() + ": " + e;
                throw closed(new WeirException(ErrorCode.INTERNAL, message, e));
            }
            details.forEach(detail -> listener.ended(detail.run()));
            for (RunDetail detail : details) {
                if (detail.run().state() != RunState.SUCCESS) {
                    throw ended(detail.run());
                }
            }
            return details;
        }

        /** Empty once every run is created; else the older runs that turned out to be whole. */
        private Optional<List<RunDetail>> create(Heartbeat heartbeat) {
            Cut cut = jobs.size() == 1 ? null : new Cut(ids.get(), jobs.size());
            for (LoadJob job : jobs) {
                SourceTable table = snapshot.table(job.table());
                LakeTable target = patience.call(
                        "prepare " + job.target(),
                        Set.of(ErrorCode.CATALOG_UNREACHABLE),
                        () -> prepared(job, table));
                CreateRun request = request(job, table, target, cut);
                Run run;
                try {
                    run = ledger.createRun(request);
                } catch (WeirException e) {
                    if (e.code() != ErrorCode.RUN_UNSETTLED || !runs.isEmpty()) {
                        throw e;
                    }
                    List<RunDetail> older = settle(request, e);
                    if (older.stream()
                            .allMatch(detail -> detail.run().state() == RunState.SUCCESS)) {
                        return Optional.of(older);
                    }
                    run = ledger.createRun(request);
                }
                runs.put(run.id(), new Table(job, table, target));
                heartbeat.run(run.id());
            }
            return Optional.empty();
        }

        /** Takes the run that keeps a new one from being created, and its cut, to the end. */
        private List<RunDetail> settle(CreateRun request, WeirException refusal) {
            Run older = ledger.runs(new RunFilter(request.job(), true, RUNS_LOOKED_AT)).stream()
                    .filter(run -> run.businessKey().equals(request.businessKey())
                            && run.target().equals(request.target()))
                    .findFirst()
                    .orElseThrow(() -> refusal);
            return driver.drive(
                    ledger.detail(older.id()).cut().stream().map(Run::id).toList());
        }

        private LakeTable prepared(LoadJob job, SourceTable table) {
            if (!job.replica()) {
                return catalog.prepare(
                        job.target(), table.columns(), table.primaryKey(), job.partitionBy());
            }
            ReplicaTable target = catalog.prepareReplica(
                    job.target(), table.columns(), table.primaryKey(), job.partitionBy());
            if (job.publish() == PublishMode.REPLACE) {
                target.announceSource(table.columns());
            }
            return target.lake();
        }

        private CreateRun request(
                LoadJob job, SourceTable table, LakeTable target, @Nullable Cut cut) {
            return new CreateRun(
                    ids.get().toString(),
                    job.name(),
                    businessKey,
                    job.source(),
                    table.qualifiedName(),
                    job.target(),
                    job.publish(),
                    target.dataRoot(),
                    job.allowEmpty(),
                    settings.lease(),
                    job.timeout(),
                    job.recovery(),
                    cut);
        }

        private void extractOf(RunId runId, Heartbeat heartbeat) {
            Table table = runs.get(runId);
            if (table == null) {
                throw new IllegalStateException("Run " + runId + " is not of this job");
            }
            try {
                extract(table, runId, heartbeat);
            } catch (WeirException e) {
                throw e.with(Map.of(TARGET, table.job().target()));
            }
        }

        private void extract(Table table, RunId runId, Heartbeat heartbeat) {
            // Before there is work: whoever claims it must find the snapshot alive.
            heartbeat.snapshot(runId, ids.get(), snapshot.token(), settings.name());
            Manifest manifest = manifest(table);
            Run run = ledger.registerManifest(runId, manifest);
            PartitionExtract extract = new PartitionExtract(
                    ledger,
                    engine,
                    table.job().table(),
                    table.target().partitionBy(),
                    table.target().schema(),
                    RowHashes.of(catalog, table.target().target()),
                    new ChunkSizer(table.job().chunkBytes()),
                    written);
            ExtractWorkers workers = new ExtractWorkers(
                    ledger, snapshot, extract, ids, cancellation, heartbeat, settings.name());
            List<PartitionId> partitions =
                    manifest.parts().stream().map(Manifest.Part::id).toList();
            listener.planned(run, workers.plan(partitions, table.source().estimatedBytes()));
            workers.runToTheEnd(runId, settings.workers(), listener);
            Run extracted = ledger.detail(runId).run();
            if (extracted.extractedAt() == null) {
                throw ended(extracted);
            }
            listener.extracted(extracted);
        }

        private Manifest manifest(Table table) {
            LoadJob job = table.job();
            List<MetricName> names = MetricPlan.expectation(table.target().schema(), job.verify());
            List<Measure> expectation = new ArrayList<>(snapshot.expectation(job.table(), names));
            if (table.target().partitionBy().isPartitioned()) {
                // Rows are routed as they are read: none is out of place before there are files.
                expectation.add(new Measure(MetricName.MISPLACED_ROWS, "0"));
            }
            List<KeyRange> ranges = snapshot.split(
                    job.table(),
                    job.splitOptions(table.source().estimatedBytes(), settings.workers()));
            List<Manifest.Part> parts = new ArrayList<>();
            int ordinal = 0;
            for (KeyRange range : ranges) {
                PartitionId id = range.isNull() ? PartitionId.NULL : PartitionId.ofIndex(ordinal++);
                parts.add(new Manifest.Part(id, range, null));
            }
            return new Manifest(
                    snapshot.token(),
                    snapshot.position().orElse(null),
                    snapshot.consistency(),
                    rowCount(expectation),
                    table.source().columns().stream()
                            .map(column -> column.name())
                            .toList(),
                    table.target().schema().key(),
                    new ReadOptions(job.table().exclude(), job.table().policies()),
                    expectation,
                    parts);
        }

        /** The cause again, every run of the job ended as it says unless somebody else has it. */
        private WeirException closed(WeirException cause) {
            for (RunId id : runs.keySet()) {
                ending.givenUp(id, cause);
                try {
                    Run run = ledger.detail(id).run();
                    if (run.state().isTerminal()) {
                        listener.ended(run);
                    }
                } catch (WeirException e) {
                    cause.addSuppressed(e);
                }
            }
            return cause;
        }
    }

    private static long rowCount(List<Measure> expectation) {
        for (Measure measure : expectation) {
            if (measure.name().equals(MetricName.ROW_COUNT) && measure.value() != null) {
                return Long.parseLong(measure.value());
            }
        }
        throw new IllegalStateException("The source did not measure row_count");
    }

    /** What ended the run may have happened in another process: the books say why. */
    private static WeirException ended(Run run) {
        Failure failure = run.failure();
        String reason = failure == null ? "state " + run.state() : failure.message();
        boolean unfit = failure != null
                && failure.code().equals(ErrorCode.SOURCE_VALUE_UNREPRESENTABLE.name());
        return new WeirException(
                unfit ? ErrorCode.SOURCE_VALUE_UNREPRESENTABLE : codeOf(run),
                "Cannot finish run " + run.id() + " of " + run.target() + ": " + reason);
    }

    private static ErrorCode codeOf(Run run) {
        return switch (run.state()) {
            case FAILED_EXTRACT, FAILED_STAGE_VALIDATION, FAILED_TARGET_VALIDATION ->
                ErrorCode.VALIDATION_FAILED;
            case FAILED_SNAPSHOT_EXPIRED -> ErrorCode.SOURCE_SNAPSHOT_EXPIRED;
            case FAILED_PUBLISH -> ErrorCode.TABLE_MOVED;
            default -> ErrorCode.RUN_STATE_MISMATCH;
        };
    }
}
