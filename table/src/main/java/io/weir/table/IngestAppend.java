package io.weir.table;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Balance;
import io.weir.core.row.Column;

import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** One try to commit a group of transactions on one state of the table. */
final class IngestAppend {
    /** From so many manifests on, Iceberg puts them together unless a table says otherwise. */
    private static final int MANIFESTS_MAX = TableProperties.MANIFEST_MIN_MERGE_COUNT_DEFAULT;

    private final PinnedOperations look;
    private final TableMetadata metadata;
    private final List<IngestTransaction> group;
    private final boolean again;
    private final boolean sure;
    private final List<@Nullable IngestOutcome> outcomes = new ArrayList<>();
    private final List<IngestTransaction> wanted = new ArrayList<>();
    private final Map<String, IngestMark.Memory> memories = new HashMap<>();

    /**
     * Prepares.
     *
     * @param again whether an earlier try may have been committed
     * @param sure whether the look is what the catalog says now; else nothing is refused
     */
    IngestAppend(
            PinnedOperations look, List<IngestTransaction> group, boolean again, boolean sure) {
        this.look = look;
        this.metadata = look.current();
        this.group = group;
        this.again = again;
        this.sure = sure;
    }

    List<IngestOutcome> commit() {
        for (IngestTransaction transaction : group) {
            IngestOutcome known = decide(transaction);
            if (!sure && known != null && known.refusal() != null) {
                throw new CommitFailedException("Refused by what may be out of date");
            }
            outcomes.add(known);
            if (known == null) {
                wanted.add(transaction);
            }
        }
        long snapshotId = wanted.isEmpty() ? 0 : send();
        List<IngestOutcome> all = new ArrayList<>();
        for (IngestOutcome known : outcomes) {
            all.add(known == null ? IngestOutcome.committed(snapshotId) : known);
        }
        return all;
    }

    /** Null if the transaction is to be committed. */
    private @Nullable IngestOutcome decide(IngestTransaction transaction) {
        // A try without a reply may have succeeded; its files are live then.
        Snapshot earlier = again ? IngestSummary.find(metadata, transaction.token()) : null;
        if (earlier != null) {
            return IngestOutcome.committed(earlier.snapshotId());
        }
        IngestMark mark = transaction.mark();
        if (mark != null) {
            String key = IngestSummary.sourceKey(mark.source());
            IngestMark.Memory memory = memories.computeIfAbsent(
                    key, name -> IngestMark.Memory.parse(metadata.properties().get(name)));
            // What is there already is no question of who may write now.
            if (memory.covers(mark.sequence())) {
                return IngestOutcome.repeated();
            }
            if (memory.epoch() != mark.epoch()) {
                return IngestOutcome.refused(new WeirException(
                        ErrorCode.INGEST_FENCED,
                        "Cannot commit transaction " + mark.sequence() + " of source "
                                + mark.source() + " to table " + name()
                                + ": another connection claimed the source (epoch=" + mark.epoch()
                                + ", claimed=" + memory.epoch() + ")"));
            }
        }
        List<String> problems = problems(transaction);
        if (!problems.isEmpty()) {
            return IngestOutcome.refused(Staging.mismatch(name(), problems));
        }
        if (mark != null) {
            memories.put(
                    IngestSummary.sourceKey(mark.source()),
                    new IngestMark.Memory(mark.epoch(), OptionalLong.of(mark.sequence())));
        }
        return null;
    }

    /** Why files that were written under an older schema can no longer be read as what they are. */
    private List<String> problems(IngestTransaction transaction) {
        List<String> problems = new ArrayList<>(TargetSchema.unwritable(metadata));
        if (!TablePartitions.of(metadata.spec()).equals(transaction.partitionBy())) {
            problems.add("the table is partitioned by "
                    + TablePartitions.of(metadata.spec()) + " now, the rows by "
                    + transaction.partitionBy());
        }
        Set<Integer> written = new HashSet<>();
        for (Column column : transaction.schema().columns()) {
            written.add(column.fieldId());
            Types.NestedField field = metadata.schema().findField(column.fieldId());
            if (field == null) {
                problems.add("column " + column.name() + " was dropped");
            } else if (!field.type().equals(column.type())) {
                problems.add("column " + column.name() + " is " + field.type()
                        + " now, the rows have " + column.type());
            }
        }
        for (Types.NestedField field : metadata.schema().columns()) {
            if (field.isRequired() && !written.contains(field.fieldId())) {
                problems.add("column " + field.name() + " is required now");
            }
        }
        for (StagedFile file : transaction.files()) {
            TablePartitions.checkRoute(file, metadata.spec());
        }
        return problems;
    }

    private long send() {
        Balance delta = Balance.ZERO;
        long rows = 0;
        for (IngestTransaction transaction : wanted) {
            delta = delta.plus(transaction.delta());
            for (StagedFile file : transaction.files()) {
                rows += file.rows();
            }
        }
        if (rows != delta.rows()) {
            throw new WeirException(
                    ErrorCode.VALIDATION_FAILED,
                    "Cannot commit to table " + name()
                            + ": the files hold other rows than their balance (files=" + rows
                            + ", balance=" + delta.rows() + ")");
        }
        Balance added = delta;
        boolean hasRows = rows > 0;
        if (!hasRows && memories.isEmpty()) {
            return currentId();
        }
        return StagedOperations.commit(look, table -> {
            long snapshotId = hasRows ? append(table, added) : currentId();
            UpdateProperties properties = table.updateProperties();
            memories.forEach((key, memory) -> properties.set(key, memory.toString()));
            if (hasRows) {
                SnapshotSummary.enter(properties, opening().plus(added), snapshotId);
            }
            properties.commit();
            return snapshotId;
        });
    }

    private long append(Table table, Balance delta) {
        SnapshotLimit.apply(metadata, table::expireSnapshots);
        // Merging looks through all manifests, and without it their list would grow for ever.
        boolean merge = metadata.currentSnapshot().allManifests(look.io()).size() >= MANIFESTS_MAX;
        AppendFiles update = (merge ? table.newAppend() : table.newFastAppend())
                .scanManifestsWith(CallerExecutor.INSTANCE);
        List<StagedFile> files = new ArrayList<>();
        wanted.forEach(one -> files.addAll(one.files()));
        AppendedManifest.add(update, files, metadata, table.io(), look::metadataFileLocation);
        IngestSummary.sign(update, wanted);
        SnapshotSummary.enter(update, opening().plus(delta), delta);
        update.commit();
        return table.currentSnapshot().snapshotId();
    }

    private Balance opening() {
        return MainBalance.at(name(), metadata, currentId());
    }

    private long currentId() {
        Snapshot main = metadata.currentSnapshot();
        if (main == null) {
            throw new WeirException(
                    ErrorCode.TABLE_FOREIGN_WRITE,
                    "Cannot use table " + name() + ": it has no snapshot; another writer made it"
                            + " or reset it");
        }
        return main.snapshotId();
    }

    private String name() {
        return look.table().name();
    }
}
