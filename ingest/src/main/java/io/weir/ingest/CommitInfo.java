package io.weir.ingest;

import io.weir.core.row.Balance;

import org.jspecify.annotations.Nullable;

/**
 * What a commit did.
 *
 * @param snapshotId the snapshot that shows the rows; null for a repeated commit
 * @param balance rows and digest sum of the transaction; zero for a repeated commit
 * @param files that hold the rows
 * @param bytes of these files
 * @param sequence of the transaction within its source; null without a source
 * @param repeated whether an earlier commit of the same identity has the rows
 */
public record CommitInfo(
        @Nullable Long snapshotId,
        Balance balance,
        int files,
        long bytes,
        @Nullable Long sequence,
        boolean repeated) {}
