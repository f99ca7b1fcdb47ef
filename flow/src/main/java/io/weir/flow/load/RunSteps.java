package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.Judgement;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.RunFilter;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.engine.Engine;
import io.weir.ledger.publish.PublishResolver;
import io.weir.table.FileEntry;
import io.weir.table.LakeCatalog;
import io.weir.table.LakeTable;
import io.weir.table.Published;
import io.weir.table.Removal;
import io.weir.table.StagedFile;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The steps that the outbox asks for once a run is extracted: stage and audit, publish once, find
 * out what became of a publish, read back. Any process may do any of them; each begins from what
 * the ledger and the table say and from nothing else.
 */
public final class RunSteps {
    private static final int MOVES_MAX = 5;
    private static final int RUNS_LOOKED_AT = 1_000;

    /** What passes by itself before anything was sent. */
    private static final Set<ErrorCode> AWAITED =
            Set.of(ErrorCode.CATALOG_UNREACHABLE, ErrorCode.TARGET_BUSY);

    private final Ledger ledger;
    private final LakeCatalog catalog;
    private final Supplier<UUID> ids;
    private final LoadListener listener;
    private final Patience patience;
    private final Supplier<Heartbeat> heartbeats;
    private final Audit audit;
    private final TargetPartitions partitions;
    private final RunEnding ending;

    RunSteps(
            Ledger ledger,
            LakeCatalog catalog,
            Engine engine,
            Supplier<UUID> ids,
            WrittenFiles written,
            LoadListener listener,
            Patience patience,
            Supplier<Heartbeat> heartbeats,
            RunEnding ending) {
        this.ledger = ledger;
        this.catalog = catalog;
        this.partitions = new TargetPartitions(engine, written);
        this.ids = ids;
        this.listener = listener;
        this.patience = patience;
        this.heartbeats = heartbeats;
        this.audit = new Audit(ledger, engine);
        this.ending = ending;
    }

    /** The step that a run waits for, if it may be begun now and nobody does it. */
    static Optional<Dispatch> due(RunDetail detail) {
        return detail.dispatches().stream()
                .filter(row -> row.state().isOpen() || row.state() == DispatchState.DEAD)
                .reduce((older, newer) -> newer)
                .filter(row -> detail.run().owner() == null)
                .filter(row -> row.state() != DispatchState.PENDING
                        || !detail.now().isBefore(row.dueAt()));
    }

    /**
     * Does the step unless somebody else does or did.
     *
     * @return whether this call did it
     * @throws WeirException {@link ErrorCode#VALIDATION_FAILED} if the staged or the published rows
     *     are not those that were read; {@link ErrorCode#TABLE_MOVED} if other writers always came
     *     first; {@link ErrorCode#TABLE_COMMIT_UNKNOWN} if nobody can tell whether it is published.
     *     The run is ended in the ledger wherever the error settles that it has to
     */
    boolean perform(Dispatch dispatch) {
        RunId runId = dispatch.runId();
        String owner = ids.get().toString();
        if (!ledger.startStep(runId, dispatch.id(), owner)) {
            return false;
        }
        try (Heartbeat heartbeat = heartbeats.get()) {
            heartbeat.step(runId, owner);
            Run run = ledger.detail(runId).run();
            switch (dispatch.kind()) {
                case VALIDATE_RUN -> validate(run);
                case PUBLISH_RUN -> publish(run);
                case RESOLVE_RUN -> resolve(run);
                case CONFIRM_RUN -> confirm(run);
            }
        } catch (WeirException e) {
            throw ending.after(runId, owner, e);
        } catch (RuntimeException e) {
            String message = "Cannot do " + dispatch.kind() + " of run " + runId + ": " + e;
            throw ending.after(runId, owner, new WeirException(ErrorCode.INTERNAL, message, e));
        }
        return true;
    }

    private void validate(Run run) {
        LakeTable table = table(run);
        PublishAttempt attempt = open(run, table);
        long staged = stage(attempt, table, run);
        List<FileEntry> files = added(table, staged);
        listener.staged(
                ledger.detail(run.id()).run(),
                files.stream().map(FileEntry::path).toList());
        audit.staged(run.id(), table, files);
        listener.audited(ledger.detail(run.id()).run());
    }

    private void publish(Run run) {
        LakeTable table = table(run);
        PublishAttempt staged = staged(run, table);
        PublishAttempt claimed = patience.call("publish", AWAITED, () -> claim(staged));
        Run settled = commit(claimed, table, run);
        if (settled.state() == RunState.PUBLISHED) {
            listener.published(settled);
        } else if (settled.state() == RunState.FAILED_PUBLISH) {
            throw notPublished(settled);
        }
    }

    private PublishAttempt claim(PublishAttempt staged) {
        try {
            return ledger.claimPublish(staged);
        } catch (WeirException e) {
            if (e.code() == ErrorCode.TARGET_BUSY) {
                resolveOthers(staged, e);
            }
            throw e;
        }
    }

    /**
     * A process that ended while it published leaves the target to nobody until somebody finds out
     * what became of it. Whoever wants the target next is there to do so.
     */
    private void resolveOthers(PublishAttempt mine, WeirException busy) {
        for (Run run : ledger.runs(new RunFilter(null, true, RUNS_LOOKED_AT))) {
            if (run.state() == RunState.PUBLISH_UNKNOWN && run.target().equals(mine.target())) {
                try {
                    due(ledger.detail(run.id()))
                            .filter(dispatch -> dispatch.kind() == Dispatch.Kind.RESOLVE_RUN)
                            .ifPresent(this::perform);
                } catch (WeirException e) {
                    busy.addSuppressed(e);
                }
            }
        }
    }

    /** The audited attempt; staged again if the one before is settled or was never complete. */
    private PublishAttempt staged(Run run, LakeTable table) {
        Optional<PublishAttempt> audited = ledger.detail(run.id()).attempts().stream()
                .filter(attempt -> attempt.state() == AttemptState.STAGED
                        && attempt.stagedSnapshotId() != null)
                .findFirst();
        Long snapshotId = audited.map(PublishAttempt::stagedSnapshotId).orElse(null);
        if (audited.isPresent() && snapshotId != null) {
            // Whoever audited may have measured another branch: this one must hold the same files.
            audit.sameFiles(run.id(), added(table, snapshotId));
            return audited.get();
        }
        PublishAttempt attempt = open(run, table);
        return restaged(attempt, table, run);
    }

    private PublishAttempt open(Run run, LakeTable table) {
        long base = patience.call("read " + table.target(), AWAITED, table::currentSnapshotId);
        return ledger.openAttempt(run.id(), base, ids.get());
    }

    private LakeTable table(Run run) {
        return patience.call("load " + run.target(), AWAITED, () -> catalog.loading(run.target()));
    }

    private List<FileEntry> added(LakeTable table, long staged) {
        return patience.call("read " + table.target(), AWAITED, () -> table.addedBy(staged));
    }

    private long stage(PublishAttempt attempt, LakeTable table, Run run) {
        RunDetail detail = ledger.detail(attempt.runId());
        List<StagedFile> files = partitions.files(detail, table);
        Removal removal = patience.call(
                "read " + table.target(),
                AWAITED,
                () -> partitions.removal(run, table, attempt.baseSnapshotId()));
        // Staging the same attempt again finds what the first call staged.
        long staged = patience.call(
                "stage on " + table.target(),
                AWAITED,
                () -> table.stage(
                        attempt, run.publishMode(), files, detail.run().extracted(), removal));
        ledger.recordStaged(attempt, staged);
        return staged;
    }

    private Run commit(PublishAttempt claimed, LakeTable table, Run run) {
        PublishAttempt attempt = claimed;
        for (int move = 0; ; move++) {
            PublishAttempt current = attempt;
            Published reply = patience.call(
                    "publish to " + table.target(),
                    AWAITED,
                    () -> table.publish(current, run.publishMode()));
            switch (reply.outcome()) {
                case PUBLISHED -> {
                    return ledger.publishResult(
                            attempt,
                            PublishOutcome.PUBLISHED,
                            reply.snapshotId(),
                            "fast-forward of main accepted by the catalog");
                }
                case UNKNOWN -> {
                    return ledger.publishResult(
                            attempt, PublishOutcome.UNKNOWN, null, reply.reason());
                }
                case MOVED -> {
                    discard(table, attempt);
                    if (move == MOVES_MAX) {
                        // The rest of a cut may be visible already: this one comes later.
                        PublishOutcome outcome =
                                run.cut() == null ? PublishOutcome.FAILED : PublishOutcome.ABSENT;
                        return ledger.publishResult(attempt, outcome, null, reply.reason());
                    }
                    PublishAttempt renewed = ledger.renewAttempt(
                            attempt,
                            patience.call(
                                    "read " + table.target(), AWAITED, table::currentSnapshotId),
                            ids.get());
                    attempt = restaged(renewed, table, run);
                }
            }
        }
    }

    private void discard(LakeTable table, PublishAttempt attempt) {
        patience.call("discard a branch", AWAITED, () -> {
            table.discard(attempt);
            return true;
        });
    }

    /** The same files on a branch of the new main; what depends on the base is checked again. */
    private PublishAttempt restaged(PublishAttempt attempt, LakeTable table, Run run) {
        long staged = stage(attempt, table, run);
        audit.sameFiles(attempt.runId(), added(table, staged));
        return attempt.withStaged(staged);
    }

    /** Fence, read, conclude. Where the target cannot be reached the run stays unknown. */
    private void resolve(Run run) {
        try {
            LakeTarget target = new LakeTarget(table(run));
            patience.call(
                    "settle run " + run.id(),
                    AWAITED,
                    () -> PublishResolver.resolve(ledger, run.id(), target));
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

    private void confirm(Run published) {
        LakeTable fresh = table(published);
        Long snapshotId = published.publishedSnapshotId();
        if (snapshotId == null) {
            throw new IllegalStateException("Run " + published.id() + " has no snapshot");
        }
        List<FileEntry> files =
                patience.call("read " + fresh.target(), AWAITED, () -> fresh.filesOf(snapshotId));
        partitions.verifyReplaced(published, ledger.detail(published.id()), fresh, snapshotId);
        Judgement judgement = audit.published(published, fresh, files);
        if (!judgement.passed()) {
            throw Audit.failed(published.id(), "published rows of " + fresh.target(), judgement);
        }
    }

    private static WeirException notPublished(Run run) {
        String reason = run.failure() == null ? "" : ": " + run.failure().message();
        return new WeirException(
                ErrorCode.TABLE_MOVED,
                "Cannot publish run " + run.id() + " to " + run.target() + reason);
    }
}
