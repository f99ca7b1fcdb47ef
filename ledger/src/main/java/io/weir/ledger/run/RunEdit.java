package io.weir.ledger.run;

import io.weir.core.row.Balance;
import io.weir.core.run.Failure;
import io.weir.core.run.Loss;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/** A copy of a run with some fields changed; its version is one higher. */
final class RunEdit {
    private final RunRow before;
    private RunState state;
    private @Nullable ManifestTerms manifest;
    private @Nullable String manifestDigest;
    private @Nullable String owner;
    private Instant leaseUntil;
    private @Nullable Instant confirmedAt;
    private @Nullable Instant cleanedAt;
    private int succeededPartitions;
    private Balance extracted;
    private List<Loss> losses;
    private @Nullable Long stagedSnapshotId;
    private @Nullable Long publishedSnapshotId;
    private @Nullable Failure failure;
    private @Nullable Instant extractedAt;
    private @Nullable Instant publishedAt;
    private @Nullable Instant endedAt;

    RunEdit(RunRow before) {
        Run run = before.run();
        this.before = before;
        this.state = run.state();
        this.manifestDigest = before.manifestDigest();
        this.owner = run.owner();
        this.leaseUntil = run.leaseUntil();
        this.confirmedAt = run.confirmedAt();
        this.cleanedAt = run.cleanedAt();
        this.succeededPartitions = run.succeededPartitions();
        this.extracted = run.extracted();
        this.losses = run.losses();
        this.stagedSnapshotId = run.stagedSnapshotId();
        this.publishedSnapshotId = run.publishedSnapshotId();
        this.failure = run.failure();
        this.extractedAt = run.extractedAt();
        this.publishedAt = run.publishedAt();
        this.endedAt = run.endedAt();
    }

    RunEdit state(RunState value) {
        state = value;
        return this;
    }

    RunEdit manifest(ManifestTerms value) {
        manifest = value;
        return manifestDigest(value.digest());
    }

    RunEdit manifestDigest(String value) {
        manifestDigest = value;
        return this;
    }

    /** Somebody does the current step, until the end of the lease unless there is a sign. */
    RunEdit ownedBy(String value, Instant until) {
        owner = value;
        leaseUntil = until;
        return this;
    }

    RunEdit ownedByNobody() {
        owner = null;
        return this;
    }

    RunEdit cleanedAt(Instant value) {
        cleanedAt = value;
        return this;
    }

    RunEdit confirmedAt(Instant value) {
        confirmedAt = value;
        return this;
    }

    RunEdit onePartitionMore(Balance balance, List<Loss> sum) {
        succeededPartitions++;
        extracted = extracted.plus(balance);
        losses = sum;
        return this;
    }

    RunEdit extractedAt(Instant value) {
        extractedAt = value;
        return this;
    }

    RunEdit stagedSnapshot(long value) {
        stagedSnapshotId = value;
        return this;
    }

    RunEdit published(long snapshotId, Instant at) {
        publishedSnapshotId = snapshotId;
        publishedAt = at;
        return this;
    }

    RunEdit failure(@Nullable Failure value) {
        failure = value;
        return this;
    }

    RunEdit endedAt(Instant value) {
        endedAt = value;
        return this;
    }

    RunRow build() {
        Run run = before.run();
        ManifestTerms terms = manifest;
        return new RunRow(
                new Run(
                        run.id(),
                        run.job(),
                        run.businessKey(),
                        state,
                        run.version() + 1,
                        run.source(),
                        run.sourceTable(),
                        run.target(),
                        run.publishMode(),
                        terms == null ? run.keyColumns() : terms.keyColumns(),
                        run.dataPath(),
                        terms == null ? run.snapshot() : terms.snapshot(),
                        terms == null ? run.position() : terms.position(),
                        terms == null ? run.consistency() : terms.consistency(),
                        terms == null ? run.sourceCount() : (Long) terms.sourceCount(),
                        terms == null ? run.partitionCount() : terms.partitionCount(),
                        succeededPartitions,
                        extracted,
                        stagedSnapshotId,
                        publishedSnapshotId,
                        losses,
                        failure,
                        run.createdAt(),
                        extractedAt,
                        publishedAt,
                        endedAt,
                        run.recovery(),
                        run.cut(),
                        owner,
                        confirmedAt,
                        cleanedAt,
                        leaseUntil,
                        run.deadline()),
                before.idempotencyKey(),
                before.fingerprint(),
                before.allowEmpty(),
                before.lease(),
                terms == null ? before.columns() : terms.columns(),
                terms == null ? before.reading() : terms.reading(),
                manifestDigest);
    }

    /** The run with a longer lease: a sign of life, so its version stays. */
    static RunRow renewed(RunRow row, Instant leaseUntil) {
        Run run = row.run();
        return new RunRow(
                new Run(
                        run.id(),
                        run.job(),
                        run.businessKey(),
                        run.state(),
                        run.version(),
                        run.source(),
                        run.sourceTable(),
                        run.target(),
                        run.publishMode(),
                        run.keyColumns(),
                        run.dataPath(),
                        run.snapshot(),
                        run.position(),
                        run.consistency(),
                        run.sourceCount(),
                        run.partitionCount(),
                        run.succeededPartitions(),
                        run.extracted(),
                        run.stagedSnapshotId(),
                        run.publishedSnapshotId(),
                        run.losses(),
                        run.failure(),
                        run.createdAt(),
                        run.extractedAt(),
                        run.publishedAt(),
                        run.endedAt(),
                        run.recovery(),
                        run.cut(),
                        run.owner(),
                        run.confirmedAt(),
                        run.cleanedAt(),
                        leaseUntil,
                        run.deadline()),
                row.idempotencyKey(),
                row.fingerprint(),
                row.allowEmpty(),
                row.lease(),
                row.columns(),
                row.reading(),
                row.manifestDigest());
    }
}
