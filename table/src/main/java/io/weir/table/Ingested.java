package io.weir.table;

import io.weir.core.row.Balance;

import org.apache.iceberg.DataOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;

import java.util.ArrayList;
import java.util.List;

/**
 * What streaming clients committed to main since the last replacement of the whole table.
 *
 * @param commits newest first
 * @param complete whether these are all; older snapshots may be forgotten, and a run that replaced
 *     a partition may have taken away some of their rows
 */
public record Ingested(List<Commit> commits, boolean complete) {
    public Ingested {
        commits = List.copyOf(commits);
    }

    /**
     * One snapshot.
     *
     * @param delta what it added, as it says of itself
     * @param files that it added
     */
    public record Commit(long snapshotId, Balance delta, List<FileEntry> files) {
        public Commit {
            files = List.copyOf(files);
        }
    }

    /** What all of them added. */
    public Balance balance() {
        return commits.stream().map(Commit::delta).reduce(Balance.ZERO, Balance::plus);
    }

    static Ingested of(PinnedOperations look) {
        TableMetadata metadata = look.current();
        List<Commit> commits = new ArrayList<>();
        Snapshot at = metadata.currentSnapshot();
        while (at != null) {
            if (IngestSummary.isIngest(at)) {
                commits.add(new Commit(
                        at.snapshotId(),
                        IngestSummary.delta(at),
                        SnapshotFiles.addedBy(look.table(), at)));
            } else if (DataOperations.OVERWRITE.equals(at.operation())) {
                boolean whole = !at.summary().containsKey(SnapshotSummary.REMOVED_ROWS);
                return new Ingested(commits, whole);
            }
            Long parent = at.parentId();
            if (parent == null) {
                return new Ingested(commits, true);
            }
            at = metadata.snapshot(parent);
        }
        return new Ingested(commits, commits.isEmpty());
    }
}
