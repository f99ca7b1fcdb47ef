package io.weir.table;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Balance;

import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.exceptions.ValidationException;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Puts the rows of several live files into others; the balance of the table stays. */
final class IngestRewrite {
    private final List<StagedFile> removed;
    private final List<StagedFile> added;
    private final Balance before;
    private final Balance after;

    IngestRewrite(List<StagedFile> removed, List<StagedFile> added, Balance before, Balance after) {
        this.removed = List.copyOf(removed);
        this.added = List.copyOf(added);
        this.before = before;
        this.after = after;
    }

    /** Files are written once, so their names tell one rewrite from all others. */
    String token() {
        StringBuilder names = new StringBuilder();
        added.forEach(file -> names.append(file.path()).append('\n'));
        return UUID.nameUUIDFromBytes(names.toString().getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    /** The snapshot that shows the new files; nothing if an old one is not live any more. */
    Optional<Long> commit(PinnedOperations look) {
        TableMetadata metadata = look.current();
        String name = look.table().name();
        if (!before.equals(after)) {
            throw new WeirException(
                    ErrorCode.VALIDATION_FAILED,
                    "Cannot rewrite files of table " + name
                            + ": the rows that were read are not the rows that were written (wrote="
                            + before + ", read=" + after + ")");
        }
        Snapshot earlier = IngestSummary.find(metadata, token());
        if (earlier != null) {
            return Optional.of(earlier.snapshotId());
        }
        try {
            return Optional.of(StagedOperations.commit(look, table -> rewrite(table, metadata)));
        } catch (ValidationException e) {
            return Optional.empty();
        }
    }

    private long rewrite(Table table, TableMetadata metadata) {
        Snapshot main = metadata.currentSnapshot();
        Balance balance = MainBalance.at(table.name(), metadata, main.snapshotId());
        SnapshotLimit.apply(metadata, table::expireSnapshots);
        RewriteFiles update = table.newRewrite().scanManifestsWith(CallerExecutor.INSTANCE);
        removed.forEach(file -> update.deleteFile(Staging.dataFile(file, metadata.spec())));
        added.forEach(file -> update.addFile(Staging.dataFile(file, metadata.spec())));
        update.set(IngestSummary.REWRITE, token());
        SnapshotSummary.enter(update, balance, Balance.ZERO);
        update.commit();
        long snapshotId = table.currentSnapshot().snapshotId();
        UpdateProperties properties = table.updateProperties();
        SnapshotSummary.enter(properties, balance, snapshotId);
        properties.commit();
        return snapshotId;
    }
}
