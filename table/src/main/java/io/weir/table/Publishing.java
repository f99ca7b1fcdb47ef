package io.weir.table;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishMode;
import io.weir.core.row.Balance;

import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.exceptions.CommitFailedException;

import java.util.Optional;

/** Moves main to what an attempt staged, in one commit that is sent once. */
final class Publishing {
    private final TableHandle handle;
    private final PublishAttempt attempt;

    Publishing(TableHandle handle, PublishAttempt attempt) {
        this.handle = handle;
        this.attempt = attempt;
    }

    /** Publishes unless the attempt is published already or the table changed since staging. */
    Published publish(PublishMode mode) {
        Long staged = attempt.stagedSnapshotId();
        if (staged == null) {
            throw new WeirException(
                    ErrorCode.INTERNAL,
                    "Cannot publish run " + attempt.runId() + ": nothing is staged (epoch="
                            + attempt.epoch() + ")");
        }
        PinnedOperations operations = NextSchema.toPublish(handle.look());
        TableMetadata metadata = operations.current();
        Evidence before = PublishEvidence.of(metadata, attempt);
        if (before.published()) {
            return Published.published(staged, before.text());
        }
        Optional<String> refusal = refusal(metadata, staged);
        if (refusal.isPresent()) {
            return Published.moved(refusal.get());
        }
        if (mode != PublishMode.REPLACE) {
            // Refuses a base that other writers changed; a replaced one may be anybody's.
            MainBalance.at(attempt.target(), metadata, attempt.baseSnapshotId());
        }
        return send(fastForward(operations, staged), staged);
    }

    /** Why the attempt must not be published on this state of the table. */
    private Optional<String> refusal(TableMetadata metadata, long staged) {
        long fence = SnapshotSummary.number(
                metadata.properties().get(SnapshotSummary.fenceKey(attempt.target())));
        if (fence >= attempt.epoch()) {
            return Optional.of(
                    "the attempt is fenced (epoch=" + attempt.epoch() + ", fence=" + fence + ")");
        }
        long latest = SnapshotSummary.publishEpoch(
                metadata.properties().get(SnapshotSummary.publishKey(attempt.target())));
        if (latest >= attempt.epoch()) {
            return Optional.of("a later attempt is published (epoch=" + attempt.epoch()
                    + ", published=" + latest + ")");
        }
        Snapshot main = metadata.currentSnapshot();
        if (main == null || main.snapshotId() != attempt.baseSnapshotId()) {
            return Optional.of("main moved (base=" + attempt.baseSnapshotId() + ", main="
                    + (main == null
                            ? "none"
                            : main.snapshotId() + ", operation=" + main.operation())
                    + ")");
        }
        SnapshotRef branch = metadata.ref(attempt.branch());
        if (branch == null || branch.snapshotId() != staged) {
            return Optional.of(
                    "the branch does not hold the staged snapshot (branch=" + attempt.branch()
                            + ", staged=" + staged + ", found="
                            + (branch == null ? "none" : branch.snapshotId()) + ")");
        }
        return refusal(metadata, metadata.snapshot(staged));
    }

    private Optional<String> refusal(TableMetadata metadata, Snapshot staged) {
        if (!SnapshotSummary.isOf(staged, attempt)) {
            return Optional.of("the staged snapshot belongs to another attempt (snapshot="
                    + staged.snapshotId() + ")");
        }
        Integer schema = staged.schemaId();
        if (schema == null || schema != metadata.currentSchemaId()) {
            return Optional.of("the table's schema changed (staged=" + schema + ", schema="
                    + metadata.currentSchemaId() + ")");
        }
        return Optional.empty();
    }

    private Transaction fastForward(PinnedOperations operations, long staged) {
        Snapshot snapshot = operations.current().snapshot(staged);
        Balance closing = SnapshotSummary.balance(snapshot.summary()).orElseThrow();
        Transaction transaction = operations.table().newTransaction();
        transaction
                .manageSnapshots()
                .fastForwardBranch(SnapshotRef.MAIN_BRANCH, attempt.branch())
                .removeBranch(attempt.branch())
                .commit();
        UpdateProperties properties = transaction.updateProperties();
        properties.set(
                SnapshotSummary.publishKey(attempt.target()),
                SnapshotSummary.publishValue(attempt));
        SnapshotSummary.enter(properties, closing, staged);
        ReplicaWords.enterPublished(properties, staged, snapshot.summary());
        properties.commit();
        return transaction;
    }

    /**
     * The one place where a commit of ours can have an unknown end: everything but a proven refusal
     * is unknown, nothing is tidied up, nothing is sent again.
     */
    private Published send(Transaction transaction, long staged) {
        try {
            transaction.commitTransaction();
            return Published.published(staged, "main is now snapshot " + staged);
        } catch (CommitFailedException e) {
            return refused(e, staged);
        } catch (RuntimeException e) {
            return Published.unknown(e);
        }
    }

    /** Another process of the same attempt may have been faster. */
    private Published refused(CommitFailedException refusal, long staged) {
        try {
            Evidence evidence = PublishEvidence.of(handle.metadata(), attempt);
            return evidence.published()
                    ? Published.published(staged, evidence.text())
                    : Published.moved(
                            "the table changed during the commit: " + refusal.getMessage());
        } catch (RuntimeException e) {
            return Published.unknown(e);
        }
    }

    /** Makes the epochs up to this attempt's unable to publish. */
    void fence() {
        handle.commit(operations -> {
            TableMetadata metadata = operations.current();
            String key = SnapshotSummary.fenceKey(attempt.target());
            long fence = SnapshotSummary.number(metadata.properties().get(key));
            boolean needed = fence < attempt.epoch()
                    && !PublishEvidence.of(metadata, attempt).published();
            return needed && commitFence(operations, key);
        });
    }

    private boolean commitFence(PinnedOperations operations, String key) {
        TableMetadata metadata = operations.current();
        String epoch = Long.toString(attempt.epoch());
        Transaction transaction = operations.table().newTransaction();
        var snapshot = transaction
                .newFastAppend()
                .scanManifestsWith(CallerExecutor.INSTANCE)
                .set(SnapshotSummary.FENCE_EPOCH, epoch);
        SnapshotSummary.sign(snapshot, attempt);
        Optional<Balance> balance = knownBalance(metadata);
        balance.ifPresent(value -> SnapshotSummary.enter(snapshot, value, Balance.ZERO));
        snapshot.commit();
        long fenced = transaction.table().currentSnapshot().snapshotId();
        UpdateProperties properties = transaction.updateProperties().set(key, epoch);
        balance.ifPresent(value -> SnapshotSummary.enter(properties, value, fenced));
        properties.commit();
        transaction.commitTransaction();
        return true;
    }

    /** Empty on top of a foreign write: a fence must not make it look like ours. */
    private Optional<Balance> knownBalance(TableMetadata metadata) {
        Snapshot main = metadata.currentSnapshot();
        if (main == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(MainBalance.at(attempt.target(), metadata, main.snapshotId()));
        } catch (WeirException e) {
            return Optional.empty();
        }
    }

    /** Removes the branch of an attempt that will not be published. */
    void discard() {
        handle.commit(operations -> {
            boolean there = operations.current().ref(attempt.branch()) != null;
            if (there) {
                operations
                        .table()
                        .manageSnapshots()
                        .removeBranch(attempt.branch())
                        .commit();
            }
            return there;
        });
    }
}
