package io.weir.core.run;

import io.weir.core.publish.PublishMode;
import io.weir.core.row.Balance;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * One attempt to load a job for a business key, as the ledger holds it.
 *
 * @param version grows with every state change; guards every update
 * @param source name of the source in the job file
 * @param sourceTable qualified table name at the source
 * @param target {@code namespace.table} in the lake
 * @param keyColumns columns that must be unique in what is published; may be empty
 * @param dataPath where chunk files of this run live, without trailing slash
 * @param snapshot the state of the source that every partition is read at; null before the manifest
 * @param sourceCount rows at that state, counted by the source; null before the manifest
 * @param extracted balance of all partitions that succeeded
 * @param stagedSnapshotId snapshot on the audit branch
 * @param publishedSnapshotId snapshot of main that shows the rows
 * @param losses values changed by a declared policy, as {@code column=count} pairs
 * @param recovery what happens to a partition whose worker is lost
 * @param cut the cut that the run belongs to; null if it is alone
 * @param owner who does the current step; null while nobody does
 * @param confirmedAt when the published snapshot was read back; null before
 * @param cleanedAt when retention removed what the run left behind; null before
 * @param leaseUntil when the current step counts as abandoned unless its owner reports
 * @param deadline when the run ends unless it is published by then
 */
public record Run(
        RunId id,
        String job,
        String businessKey,
        RunState state,
        long version,
        String source,
        String sourceTable,
        String target,
        PublishMode publishMode,
        List<String> keyColumns,
        String dataPath,
        @Nullable SnapshotToken snapshot,
        @Nullable Position position,
        @Nullable Consistency consistency,
        @Nullable Long sourceCount,
        int partitionCount,
        int succeededPartitions,
        Balance extracted,
        @Nullable Long stagedSnapshotId,
        @Nullable Long publishedSnapshotId,
        List<Loss> losses,
        @Nullable Failure failure,
        Instant createdAt,
        @Nullable Instant extractedAt,
        @Nullable Instant publishedAt,
        @Nullable Instant endedAt,
        RecoveryMode recovery,
        @Nullable Cut cut,
        @Nullable String owner,
        @Nullable Instant confirmedAt,
        @Nullable Instant cleanedAt,
        Instant leaseUntil,
        Instant deadline) {
    public Run {
        keyColumns = List.copyOf(keyColumns);
        losses = List.copyOf(losses);
    }

    /**
     * Whether the run is somebody's now.
     *
     * @param who an owner of the current step; null for nobody
     */
    public boolean isOwnedBy(@Nullable String who) {
        return Objects.equals(owner, who);
    }
}
