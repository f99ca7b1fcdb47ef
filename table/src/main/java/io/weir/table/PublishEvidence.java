package io.weir.table;

import io.weir.core.publish.PublishAttempt;

import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Looks for an attempt in a table. It is published if what it staged is an ancestor of main or the
 * property of the target names it; that the staged snapshot exists says nothing.
 */
final class PublishEvidence {
    private PublishEvidence() {}

    static Evidence of(TableMetadata metadata, PublishAttempt attempt) {
        Long staged = attempt.stagedSnapshotId();
        String key = SnapshotSummary.publishKey(attempt.target());
        String property = metadata.properties().get(key);
        if (SnapshotSummary.publishValue(attempt).equals(property)) {
            return new Evidence(
                    Evidence.Verdict.PUBLISHED, staged, "property " + key + " is " + property);
        }
        Snapshot main = metadata.currentSnapshot();
        boolean reachedBase = false;
        for (Snapshot at = main; at != null; at = parentOf(metadata, at)) {
            if (Objects.equals(staged, at.snapshotId()) && SnapshotSummary.isOf(at, attempt)) {
                return new Evidence(
                        Evidence.Verdict.PUBLISHED,
                        staged,
                        "snapshot " + staged + " is an ancestor of main " + idOf(main));
            }
            boolean childOfBase = Objects.equals(at.parentId(), attempt.baseSnapshotId());
            reachedBase |= childOfBase || at.snapshotId() == attempt.baseSnapshotId();
        }
        String text = "main " + idOf(main) + " does not descend from snapshot " + staged
                + ", property " + key + " is " + property;
        // Every publish writes its epoch, so an older one there proves that none came later.
        boolean proven = reachedBase || SnapshotSummary.publishEpoch(property) < attempt.epoch();
        return new Evidence(
                proven ? Evidence.Verdict.NOT_PUBLISHED : Evidence.Verdict.UNDETERMINED,
                null,
                text);
    }

    private static @Nullable Snapshot parentOf(TableMetadata metadata, Snapshot snapshot) {
        Long parent = snapshot.parentId();
        return parent == null ? null : metadata.snapshot(parent);
    }

    private static String idOf(@Nullable Snapshot snapshot) {
        return snapshot == null ? "none" : Long.toString(snapshot.snapshotId());
    }
}
