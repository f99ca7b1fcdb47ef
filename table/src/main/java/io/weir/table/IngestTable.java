package io.weir.table;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Balance;

import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One table as streaming clients commit to it: many small appends, each visible at once. Unlike
 * {@link LakeTable} it keeps what it read and asks the catalog only whether that changed. Safe for
 * use by several threads, which wait for each other.
 *
 * <p>All calls throw {@link WeirException} with the codes of {@link LakeTable}. {@link
 * ErrorCode#TABLE_COMMIT_UNKNOWN} means that neither the commit nor its absence could be proven.
 */
public final class IngestTable {
    private static final int TRIES_MAX = 30;
    private static final long PAUSE_NANOS_MIN = 2_000_000;
    private static final long PAUSE_NANOS_MAX = 500_000_000;

    private final TableIdentifier identifier;
    private final TableOperations operations;
    private final String uuid;

    /** Whether some commit ended without an answer, so that the table may hold what comes again. */
    private boolean unknown;

    /** Whether what this process knew was still true when it looked last: nobody else commits. */
    private boolean alone = true;

    IngestTable(TableIdentifier identifier, TableOperations operations) {
        this.identifier = identifier;
        this.operations = operations;
        this.uuid = operations.current().uuid();
    }

    /** Name of the table, {@code namespace.table}. */
    public String target() {
        return identifier.toString();
    }

    /**
     * The table as it is now.
     *
     * @throws WeirException {@link ErrorCode#TARGET_SCHEMA_MISMATCH} if Weir did not create it,
     *     cannot write its partitions, or a column has an initial default
     */
    public synchronized IngestLook look() {
        return call("read", () -> {
            TableMetadata metadata = pinned().current();
            List<String> problems = new ArrayList<>(TargetSchema.unwritable(metadata));
            problems.addAll(TargetSchema.initialDefaults(metadata));
            if (!problems.isEmpty()) {
                throw Staging.mismatch(target(), problems);
            }
            return new IngestLook(
                    metadata.currentSchemaId(),
                    TargetSchema.rows(metadata),
                    TablePartitions.of(metadata.spec()),
                    metadata.location() + "/data",
                    metadata.properties());
        });
    }

    /**
     * Commits transactions in one snapshot. Each gets an answer of its own: one that is refused or
     * was committed before does not hold up the others.
     *
     * @return one for each transaction, in their order
     */
    public synchronized List<IngestOutcome> append(List<IngestTransaction> group) {
        return call(
                "commit to",
                () -> settled(
                        alone,
                        (look, again, sure) ->
                                new IngestAppend(look, group, again, sure).commit()));
    }

    /**
     * Puts rows of several files into fewer, if all of these files are still live.
     *
     * @param removed files that make room
     * @param added files that hold the same rows
     * @param before balance of the removed files
     * @param after measured balance of the added files
     * @return the snapshot; null if another one has taken some of the files away
     * @throws WeirException {@link ErrorCode#VALIDATION_FAILED} if the balances differ
     */
    public synchronized @Nullable Long rewrite(
            List<StagedFile> removed, List<StagedFile> added, Balance before, Balance after) {
        IngestRewrite rewrite = new IngestRewrite(removed, added, before, after);
        return call(
                        "rewrite files of",
                        () -> settled(false, (look, again, sure) -> rewrite.commit(look)))
                .orElse(null);
    }

    /**
     * Claims a source: from now on nobody with an older epoch can commit transactions of it.
     *
     * @return the epoch of the claim
     */
    public synchronized long claim(String source) {
        String key = IngestSummary.sourceKey(source);
        return call(
                "claim source " + source + " of",
                () -> retried(look -> {
                    var memory =
                            IngestMark.Memory.parse(look.current().properties().get(key));
                    var claimed = new IngestMark.Memory(memory.epoch() + 1, memory.sequence());
                    commitProperties(look, Map.of(key, claimed.toString()));
                    return claimed.epoch();
                }));
    }

    /** The highest committed sequence of a source, as of now. */
    public OptionalLong lastCommitted(String source) {
        return look().lastCommitted(source);
    }

    /**
     * Files below a location that no snapshot names, after a commit that fails every commit which
     * was prepared before: what is not named now never will be.
     */
    public synchronized LeftFiles abandoned(String location) {
        return call("list files of", () -> {
            fence(location);
            PinnedOperations look = pinned();
            return LeftFiles.below(
                    location,
                    SnapshotFiles.locations(look.table(), look.current().snapshots()));
        });
    }

    private PinnedOperations pinned() {
        String known = operations.current().metadataFileLocation();
        alone = Objects.equals(known, operations.refresh().metadataFileLocation());
        return known();
    }

    /** The table as this process knows it; a commit that is based on anything older fails. */
    private PinnedOperations known() {
        PinnedOperations look = new PinnedOperations(target(), operations);
        if (!uuid.equals(look.current().uuid())) {
            throw new WeirException(
                    ErrorCode.TABLE_MOVED,
                    "Cannot use table " + target()
                            + ": it was dropped and created again (uuid=" + uuid + ", found="
                            + look.current().uuid() + ")");
        }
        return look;
    }

    private static void commitProperties(PinnedOperations look, Map<String, String> values) {
        UpdateProperties update = look.table().updateProperties();
        values.forEach(update::set);
        update.commit();
    }

    private void fence(String value) {
        retried(look -> {
            commitProperties(look, Map.of(IngestSummary.FENCE, value));
            return true;
        });
    }

    /** Each try decides anew from what the table is then. */
    private <T> T retried(Function<PinnedOperations, T> change) {
        return retried(false, (look, again, sure) -> change.apply(look), false);
    }

    private <T> T retried(boolean guess, Change<T> change, boolean again) {
        int tries = 1;
        while (true) {
            boolean sure = !guess || tries > 1;
            try {
                return change.commit(sure ? pinned() : known(), again, sure);
            } catch (CommitFailedException e) {
                if (tries >= TRIES_MAX) {
                    throw e;
                }
            }
            if (sure) {
                LockSupport.parkNanos(
                        Math.min(PAUSE_NANOS_MAX, PAUSE_NANOS_MIN << Math.min(tries, 20)));
            }
            tries++;
        }
    }

    /** A change of which an earlier try may have been committed, or not. */
    private interface Change<T> {
        /**
         * Tries it once.
         *
         * @param again whether an earlier try may have been committed
         * @param sure whether the look is what the catalog says, not what this process remembers
         */
        T commit(PinnedOperations look, boolean again, boolean sure);
    }

    /**
     * Runs a change to its end; each try of it looks whether an earlier one was committed after
     * all. After an error nobody knows whether a commit is still on its way: a fence makes it
     * impossible from then on, and the next look at main tells.
     */
    private <T> T settled(boolean guess, Change<T> change) {
        boolean again = unknown;
        try {
            return retried(guess && !again, change, again);
        } catch (WeirException | CommitFailedException e) {
            throw e;
        } catch (RuntimeException e) {
            try {
                fence("unknown");
                return retried(false, change, true);
            } catch (RuntimeException later) {
                unknown = true;
                e.addSuppressed(later);
                throw new WeirException(
                        ErrorCode.TABLE_COMMIT_UNKNOWN,
                        IcebergErrors.of("Cannot commit to table " + target(), e)
                                .text(),
                        e);
            }
        }
    }

    private <T> T call(String verb, Supplier<T> action) {
        try {
            return action.get();
        } catch (RuntimeException e) {
            throw IcebergErrors.of("Cannot " + verb + " table " + target(), e);
        }
    }
}
