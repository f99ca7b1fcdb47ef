package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.CreateRun;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.Manifest;
import io.weir.core.ledger.RunDetail;
import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.MetricPlan;
import io.weir.core.run.Failure;
import io.weir.core.run.KeyRange;
import io.weir.core.run.PartitionId;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.engine.Engine;
import io.weir.source.Source;
import io.weir.source.SourceSnapshot;
import io.weir.source.SourceTable;
import io.weir.table.LakeCatalog;
import io.weir.table.LakeTable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Loads tables of one source, all at one snapshot, each as a run of its own. One object per
 * command; it may be used by one thread.
 */
public final class LoadFlow {
    private static final Duration RUN_LEASE = Duration.ofSeconds(30);

    private final Ledger ledger;
    private final LakeCatalog catalog;
    private final Engine engine;
    private final int workers;
    private final Supplier<UUID> ids;
    private final Cancellation cancellation;

    /**
     * Wires the flow.
     *
     * @param workers partitions that are read at the same time
     * @param ids makes tokens
     */
    public LoadFlow(
            Ledger ledger,
            LakeCatalog catalog,
            Engine engine,
            int workers,
            Supplier<UUID> ids,
            Cancellation cancellation) {
        this.ledger = ledger;
        this.catalog = catalog;
        this.engine = engine;
        this.workers = workers;
        this.ids = ids;
        this.cancellation = cancellation;
    }

    /**
     * Loads every job, in order, at one snapshot of their source. The first failure ends the flow;
     * what was published before it stays published, because each table is a run of its own.
     *
     * @return the runs, all in state SUCCESS
     * @throws WeirException as the step that failed says; the run is closed in the ledger
     */
    public List<RunDetail> load(
            Source source, List<LoadJob> jobs, String businessKey, LoadListener listener) {
        try (SourceSnapshot snapshot =
                source.openSnapshot(jobs.stream().map(LoadJob::table).toList(), workers)) {
            List<RunDetail> details = new ArrayList<>();
            for (LoadJob job : jobs) {
                details.add(load(snapshot, job, businessKey, listener));
            }
            return details;
        }
    }

    private RunDetail load(
            SourceSnapshot snapshot, LoadJob job, String businessKey, LoadListener listener) {
        SourceTable table = snapshot.table(job.table());
        LakeTable target = catalog.prepare(job.target(), table.columns(), table.primaryKey());
        WrittenFiles written = new WrittenFiles();
        LoadPublisher publisher =
                new LoadPublisher(ledger, catalog, engine, ids, written, listener);
        CreateRun request = request(job, businessKey, table, target);
        Run run;
        try {
            run = ledger.createRun(request);
        } catch (WeirException e) {
            Optional<RunDetail> finished = publisher.settle(request, e);
            if (finished.isPresent()) {
                return finished.get();
            }
            run = ledger.createRun(request);
        }
        try (Heartbeat heartbeat = Heartbeat.start(ledger, run.id())) {
            extract(snapshot, job, table, target, run.id(), heartbeat, written, listener);
            publisher.publish(run.id(), target, job.publish());
        } catch (WeirException e) {
            throw closed(run.id(), e, listener);
        } catch (RuntimeException e) {
            String message = "Cannot load table " + table.qualifiedName() + ": " + e;
            throw closed(run.id(), new WeirException(ErrorCode.INTERNAL, message, e), listener);
        }
        RunDetail detail = ledger.detail(run.id());
        listener.ended(detail.run());
        return detail;
    }

    private CreateRun request(
            LoadJob job, String businessKey, SourceTable table, LakeTable target) {
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
                RUN_LEASE);
    }

    private void extract(
            SourceSnapshot snapshot,
            LoadJob job,
            SourceTable table,
            LakeTable target,
            RunId runId,
            Heartbeat heartbeat,
            WrittenFiles written,
            LoadListener listener) {
        Manifest manifest = manifest(snapshot, job, table, target);
        Run run = ledger.registerManifest(runId, manifest);
        ExtractWorkers extraction = new ExtractWorkers(
                ledger,
                engine,
                snapshot,
                job,
                target.schema(),
                written,
                ids,
                cancellation,
                heartbeat);
        listener.planned(run, extraction.plan(manifest, table.estimatedBytes()));
        extraction.run(runId, workers, listener);
        Run extracted = ledger.detail(runId).run();
        if (extracted.state() != RunState.EXTRACTED_VALIDATED) {
            throw extractionFailed(extracted);
        }
        listener.extracted(extracted);
    }

    private Manifest manifest(
            SourceSnapshot snapshot, LoadJob job, SourceTable table, LakeTable target) {
        List<MetricName> names = MetricPlan.expectation(target.schema(), job.verify());
        List<Measure> expectation = snapshot.expectation(job.table(), names);
        List<KeyRange> ranges =
                snapshot.split(job.table(), job.splitOptions(table.estimatedBytes(), workers));
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
                table.columns().stream().map(column -> column.name()).toList(),
                target.schema().key(),
                expectation,
                parts);
    }

    private static long rowCount(List<Measure> expectation) {
        for (Measure measure : expectation) {
            if (measure.name().equals(MetricName.ROW_COUNT) && measure.value() != null) {
                return Long.parseLong(measure.value());
            }
        }
        throw new IllegalStateException("The source did not measure row_count");
    }

    /** A report may have failed the run without an exception of its own: the books say why. */
    private static WeirException extractionFailed(Run run) {
        Failure failure = run.failure();
        String reason = failure == null ? "state " + run.state() : failure.message();
        ErrorCode code = run.state() == RunState.FAILED_EXTRACT
                ? ErrorCode.VALIDATION_FAILED
                : ErrorCode.RUN_STATE_MISMATCH;
        return new WeirException(code, "Cannot finish extracting run " + run.id() + ": " + reason);
    }

    /** The cause again; that the books could not be told must not hide it. */
    private WeirException closed(RunId runId, WeirException cause, LoadListener listener) {
        try {
            close(runId, cause);
            listener.ended(ledger.detail(runId).run());
        } catch (WeirException e) {
            cause.addSuppressed(e);
        }
        return cause;
    }

    /** Ends the run in the books, unless the failing step already did. */
    private void close(RunId runId, WeirException cause) {
        Run run = ledger.detail(runId).run();
        if (run.state().isTerminal()) {
            removeUnstaged(run);
            return;
        }
        RunState failState =
                cause.code() == ErrorCode.INTERRUPTED && run.state() != RunState.PUBLISHED
                        ? RunState.CANCELLED
                        : failStateOf(run.state());
        if (failState.isTerminal()) {
            Failure failure = new Failure(run.state().name(), cause.code().name(), cause.text());
            removeUnstaged(ledger.failRun(runId, run.state(), failState, failure));
        }
    }

    /** Publishing is ended by its result only: the outcome is not ours to guess. */
    private static RunState failStateOf(RunState state) {
        return switch (state) {
            case CREATED -> RunState.FAILED_MANIFEST;
            case EXTRACTING, EXTRACTED_VALIDATED -> RunState.FAILED_EXTRACT;
            case STAGE_VALIDATING -> RunState.FAILED_STAGE_VALIDATION;
            case STAGING_VALIDATED -> RunState.FAILED_PUBLISH;
            case PUBLISHED -> RunState.FAILED_TARGET_VALIDATION;
            case PUBLISHING,
                    PUBLISH_UNKNOWN,
                    SUCCESS,
                    FAILED_MANIFEST,
                    FAILED_EXTRACT,
                    FAILED_SNAPSHOT_EXPIRED,
                    FAILED_STAGE_VALIDATION,
                    FAILED_PUBLISH,
                    FAILED_TARGET_VALIDATION,
                    TIMED_OUT,
                    CANCELLED -> state;
        };
    }

    /** An attempt may have put the files on a branch, even if nobody could say so any more. */
    private void removeUnstaged(Run run) {
        if (ledger.detail(run.id()).attempts().isEmpty()) {
            catalog.deleteUnstaged(run.dataPath());
        }
    }
}
