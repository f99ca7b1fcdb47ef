package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.CreateRun;
import io.weir.core.ledger.Judgement;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.RunFilter;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishMode;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.engine.Engine;
import io.weir.ledger.publish.PublishResolver;
import io.weir.table.FileEntry;
import io.weir.table.LakeCatalog;
import io.weir.table.LakeTable;
import io.weir.table.Published;
import io.weir.table.StagedFile;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** From the last report to SUCCESS: stage, audit, publish once, read back. */
final class LoadPublisher {
    private static final int MOVES_MAX = 5;
    private static final int RUNS_LOOKED_AT = 100;

    private final Ledger ledger;
    private final LakeCatalog catalog;
    private final Supplier<UUID> ids;
    private final LoadListener listener;
    private final Audit audit;
    private final WrittenFiles written;

    LoadPublisher(
            Ledger ledger,
            LakeCatalog catalog,
            Engine engine,
            Supplier<UUID> ids,
            WrittenFiles written,
            LoadListener listener) {
        this.ledger = ledger;
        this.catalog = catalog;
        this.written = written;
        this.ids = ids;
        this.listener = listener;
        this.audit = new Audit(ledger, engine);
    }

    /**
     * Takes a run from EXTRACTED_VALIDATED to SUCCESS.
     *
     * @throws WeirException {@link ErrorCode#VALIDATION_FAILED} if the staged or the published rows
     *     are not those that were read; {@link ErrorCode#TABLE_MOVED} if other writers always came
     *     first; {@link ErrorCode#TABLE_COMMIT_UNKNOWN} if nobody can tell whether it is published
     */
    void publish(RunId runId, LakeTable table, PublishMode mode) {
        if (!ledger.startValidation(runId, validation(runId), ids.get().toString())) {
            throw new WeirException(
                    ErrorCode.RUN_STATE_MISMATCH,
                    "Cannot audit run " + runId + ": another worker audits it");
        }
        PublishAttempt attempt = ledger.openAttempt(runId, table.currentSnapshotId(), ids.get());
        long staged = stage(attempt, table, mode);
        List<FileEntry> files = table.addedBy(staged);
        listener.staged(
                ledger.detail(runId).run(), files.stream().map(FileEntry::path).toList());
        audit.staged(runId, table.schema(), files);
        listener.audited(ledger.detail(runId).run());

        Run published = commit(ledger.claimPublish(attempt), table, mode);
        if (published.state() != RunState.PUBLISHED) {
            throw notPublished(published);
        }
        listener.published(published);
        readBack(published);
    }

    /**
     * Settles the run that keeps a new one from being created: one whose publish outcome is unknown
     * is looked up, one that is published is read back.
     *
     * @param refusal why the new run could not be created; thrown again unless it is {@link
     *     ErrorCode#RUN_UNSETTLED}
     * @return the older run if it turned out to be published; empty if the new one may be created
     */
    Optional<RunDetail> settle(CreateRun request, WeirException refusal) {
        if (refusal.code() != ErrorCode.RUN_UNSETTLED) {
            throw refusal;
        }
        Run older = ledger.runs(new RunFilter(request.job(), true, RUNS_LOOKED_AT)).stream()
                .filter(run -> run.businessKey().equals(request.businessKey()))
                .findFirst()
                .orElseThrow(() -> refusal);
        Run settled = older.state() == RunState.PUBLISHED ? older : resolve(older);
        if (settled.state() != RunState.PUBLISHED) {
            return Optional.empty();
        }
        readBack(settled);
        return Optional.of(ledger.detail(settled.id()));
    }

    private UUID validation(RunId runId) {
        return ledger.detail(runId).dispatches().stream()
                .filter(dispatch -> dispatch.kind() == Dispatch.Kind.VALIDATE_RUN)
                .map(Dispatch::id)
                .findFirst()
                .orElseThrow(() -> new WeirException(
                        ErrorCode.LEDGER_INVARIANT,
                        "Cannot audit run " + runId + ": it has no dispatch"));
    }

    private long stage(PublishAttempt attempt, LakeTable table, PublishMode mode) {
        RunDetail detail = ledger.detail(attempt.runId());
        List<StagedFile> files = detail.chunks().stream()
                .filter(chunk -> chunk.path() != null)
                .map(written::staged)
                .toList();
        long staged = table.stage(attempt, mode, files, detail.run().extracted());
        ledger.recordStaged(attempt, staged);
        return staged;
    }

    private Run commit(PublishAttempt claimed, LakeTable table, PublishMode mode) {
        PublishAttempt attempt = claimed;
        for (int move = 0; ; move++) {
            Published reply = table.publish(attempt, mode);
            switch (reply.outcome()) {
                case PUBLISHED -> {
                    return ledger.publishResult(
                            attempt,
                            PublishOutcome.PUBLISHED,
                            reply.snapshotId(),
                            "fast-forward of main accepted by the catalog");
                }
                case UNKNOWN -> {
                    ledger.publishResult(attempt, PublishOutcome.UNKNOWN, null, reply.reason());
                    return resolve(ledger.detail(attempt.runId()).run());
                }
                case MOVED -> {
                    table.discard(attempt);
                    if (move == MOVES_MAX) {
                        return ledger.publishResult(
                                attempt, PublishOutcome.FAILED, null, reply.reason());
                    }
                    attempt = restage(attempt, table, mode);
                }
            }
        }
    }

    /** The same files on a branch of the new main; what depends on the base is checked again. */
    private PublishAttempt restage(PublishAttempt moved, LakeTable table, PublishMode mode) {
        PublishAttempt attempt = ledger.renewAttempt(moved, table.currentSnapshotId(), ids.get());
        long staged = stage(attempt, table, mode);
        audit.sameFiles(attempt.runId(), table.addedBy(staged));
        return attempt.withStaged(staged);
    }

    /** Fence, read, conclude. Where the target cannot be reached the run stays unknown. */
    private Run resolve(Run run) {
        try {
            LakeTable table = catalog.load(run.target());
            return PublishResolver.resolve(ledger, run.id(), new LakeTarget(table));
        } catch (WeirException e) {
            throw new WeirException(
                    ErrorCode.TABLE_COMMIT_UNKNOWN,
                    "Cannot tell whether run "
                            + run.id()
                            + " is published to "
                            + run.target()
                            + ": "
                            + e.text(),
                    e);
        }
    }

    private void readBack(Run published) {
        LakeTable fresh = catalog.load(published.target());
        Long snapshotId = published.publishedSnapshotId();
        if (snapshotId == null) {
            throw new IllegalStateException("Run " + published.id() + " has no snapshot");
        }
        List<FileEntry> files = fresh.filesOf(snapshotId);
        Judgement judgement = audit.published(published, fresh.schema(), files);
        if (!judgement.passed()) {
            throw Audit.failed(published.id(), "published rows of " + fresh.target(), judgement);
        }
    }

    private static WeirException notPublished(Run run) {
        String reason = run.failure() == null ? "" : ": " + run.failure().message();
        if (run.state() == RunState.PUBLISH_UNKNOWN) {
            return new WeirException(
                    ErrorCode.TABLE_COMMIT_UNKNOWN,
                    "Cannot tell whether run "
                            + run.id()
                            + " is published to "
                            + run.target()
                            + reason);
        }
        return new WeirException(
                ErrorCode.TABLE_MOVED,
                "Cannot publish run " + run.id() + " to " + run.target() + reason);
    }
}
