package io.weir.flow.fsck;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.Ledger;
import io.weir.core.row.Balance;
import io.weir.core.run.Chunk;
import io.weir.engine.Engine;
import io.weir.engine.MeasuredFile;
import io.weir.flow.merge.WindowMerge;
import io.weir.ledger.fsck.Finding;
import io.weir.table.FileEntry;
import io.weir.table.Ingested;
import io.weir.table.LakeCatalog;
import io.weir.table.LakeTable;
import io.weir.table.LocalFileIO;
import io.weir.table.ReplicaState;
import io.weir.table.ReplicaTable;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Measures every table that the ledger published to, file by file, and compares three books: the
 * files, what the table says of itself, what the ledger says. Changes nothing.
 */
public final class TableCheck {
    /** Somebody may publish while the files of a table are listed. */
    private static final int LOOKS_MAX = 5;

    private final Ledger ledger;
    private final LakeCatalog catalog;
    private final Engine engine;

    public TableCheck(Ledger ledger, LakeCatalog catalog, Engine engine) {
        this.ledger = ledger;
        this.catalog = catalog;
        this.engine = engine;
    }

    /**
     * Checks every table.
     *
     * @return one finding for each kind, those without rows included
     * @throws WeirException {@link ErrorCode#TABLE_MOVED} for a table that is published to all the
     *     time; as ledger, catalog and engine say
     */
    public List<Finding> check() {
        TableFindings findings = new TableFindings();
        Set<String> existing = Set.copyOf(catalog.tables());
        Set<String> targets = new TreeSet<>(TableBooks.targets(ledger));
        existing.stream()
                .filter(name -> !catalog.load(name).ingested().commits().isEmpty())
                .forEach(targets::add);
        for (String target : targets) {
            if (existing.contains(target) && catalog.load(target).isReplica()) {
                checkReplica(target, findings);
            } else if (existing.contains(target)) {
                check(target, findings);
            } else {
                findings.foreign(target, "violation=the catalog has no such table");
            }
        }
        return findings.all();
    }

    /** Windows change rows of older files: only the whole has a balance to compare. */
    private void checkReplica(String target, TableFindings findings) {
        try {
            ReplicaTable table = catalog.replica(target);
            ReplicaState state = table.state();
            Balance found =
                    new WindowMerge(engine).measure(table, state.snapshotId()).balance();
            if (!found.equals(state.balance())) {
                findings.balance(target, "expected=" + state.balance() + " found=" + found);
            }
        } catch (WeirException e) {
            switch (e.code()) {
                case TABLE_FOREIGN_WRITE -> findings.foreign(target, "violation=" + e.text());
                case MERGE_BALANCE_DIFFERS -> findings.differs(target, "violation=" + e.text());
                case FILE_UNREADABLE -> findings.missing(target, "violation=" + e.text());
                default -> throw e;
            }
        }
    }

    private void check(String target, TableFindings findings) {
        Look look;
        try {
            look = look(catalog.load(target));
        } catch (WeirException e) {
            if (e.code() != ErrorCode.TABLE_FOREIGN_WRITE) {
                throw e;
            }
            findings.foreign(target, "violation=" + e.text());
            return;
        }
        if (look.foreign() != null) {
            findings.foreign(target, "violation=" + look.foreign());
        }
        Map<String, Balance> measured = measure(look, findings);
        compareFiles(look, measured, findings);
        Balance sum = sum(look.files(), measured);
        compareBalances(look, sum, findings);
        compareCommits(look, measured, findings);
        if (!expected(look).equals(sum)) {
            compareLists(look, findings);
        }
    }

    /**
     * One state of a table.
     *
     * @param balance what the table says of itself; null if another writer may have changed it
     * @param foreign why it says nothing
     * @param ingested what streaming clients committed
     */
    private record Look(
            LakeTable table,
            List<FileEntry> files,
            @Nullable Balance balance,
            @Nullable String foreign,
            Ingested ingested,
            TableBooks books) {
        /** The live files, and others that a commit of a streaming client added. */
        Set<String> paths() {
            Set<String> paths = new LinkedHashSet<>();
            files.forEach(file -> paths.add(file.path()));
            ingested.commits()
                    .forEach(commit -> commit.files().forEach(file -> paths.add(file.path())));
            return paths;
        }
    }

    /** Table and ledger as of one snapshot of main. */
    private Look look(LakeTable table) {
        for (int i = 0; i < LOOKS_MAX; i++) {
            long snapshotId = table.currentSnapshotId();
            List<FileEntry> files = table.filesOf(snapshotId);
            Balance balance = null;
            String foreign = null;
            try {
                balance = table.balance();
            } catch (WeirException e) {
                if (e.code() != ErrorCode.TABLE_FOREIGN_WRITE) {
                    throw e;
                }
                foreign = e.text();
            }
            Ingested ingested = table.ingested();
            TableBooks books = TableBooks.of(ledger, table);
            if (table.currentSnapshotId() == snapshotId) {
                return new Look(table, files, balance, foreign, ingested, books);
            }
        }
        throw new WeirException(
                ErrorCode.TABLE_MOVED,
                "Cannot check table " + table.target() + ": it is published to all the time (looks="
                        + LOOKS_MAX + ")");
    }

    /** By location; without the files that are missing or cannot be read. */
    private Map<String, Balance> measure(Look look, TableFindings findings) {
        List<Path> present = new ArrayList<>();
        for (String file : look.paths()) {
            Path path = LocalFileIO.pathOf(file);
            if (Files.isRegularFile(path)) {
                present.add(path);
            }
        }
        for (FileEntry file : look.files()) {
            if (!Files.isRegularFile(LocalFileIO.pathOf(file.path()))) {
                findings.missing(look.table().target(), "file=" + file.path());
            }
        }
        Map<String, Balance> measured = new HashMap<>();
        try {
            measure(look, present, measured);
        } catch (WeirException e) {
            requireUnreadable(e);
            // Which one cannot be read is found one by one.
            for (Path path : present) {
                measureOne(look, path, measured, findings);
            }
        }
        return measured;
    }

    private void measure(Look look, List<Path> paths, Map<String, Balance> measured) {
        if (paths.isEmpty()) {
            return;
        }
        for (MeasuredFile file :
                engine.measure(paths, look.table().schema(), List.of()).files()) {
            measured.put(LocalFileIO.locationOf(file.path()), file.balance());
        }
    }

    private void measureOne(
            Look look, Path path, Map<String, Balance> measured, TableFindings findings) {
        try {
            measure(look, List.of(path), measured);
        } catch (WeirException e) {
            requireUnreadable(e);
            findings.differs(
                    look.table().target(),
                    "file=" + LocalFileIO.locationOf(path) + " violation=" + e.text());
        }
    }

    private static void requireUnreadable(WeirException e) {
        if (e.code() != ErrorCode.FILE_UNREADABLE) {
            throw e;
        }
    }

    private static void compareFiles(
            Look look, Map<String, Balance> measured, TableFindings findings) {
        for (FileEntry file : look.files()) {
            Balance found = measured.get(file.path());
            if (found == null) {
                continue;
            }
            Chunk chunk = look.books().chunkOf(file.path());
            if (chunk != null && !chunk.balance().equals(found)) {
                findings.differs(
                        look.table().target(),
                        "file=" + file.path() + " run_id=" + chunk.runId() + " ledger="
                                + chunk.balance() + " measured=" + found);
            } else if (file.rows() != found.rows()) {
                findings.differs(
                        look.table().target(),
                        "file=" + file.path() + " rows=" + file.rows() + " measured=" + found);
            }
        }
    }

    /** Null if a file could not be measured. */
    private static @Nullable Balance sum(List<FileEntry> files, Map<String, Balance> measured) {
        Balance sum = Balance.ZERO;
        for (FileEntry file : files) {
            Balance balance = measured.get(file.path());
            if (balance == null) {
                return null;
            }
            sum = sum.plus(balance);
        }
        return sum;
    }

    /** What the ledger booked, and what streaming clients added, who have no ledger. */
    private static Balance expected(Look look) {
        return look.books().balance().plus(look.ingested().balance());
    }

    /** Every commit of a streaming client says what it added. */
    private static void compareCommits(
            Look look, Map<String, Balance> measured, TableFindings findings) {
        for (Ingested.Commit commit : look.ingested().commits()) {
            Balance found = sum(commit.files(), measured);
            // Files that were put together since then may be gone.
            if (found != null && !found.equals(commit.delta())) {
                findings.balance(
                        look.table().target(),
                        "snapshot=" + commit.snapshotId() + " commit_says=" + commit.delta()
                                + " measured=" + found);
            }
        }
    }

    private static void compareBalances(Look look, @Nullable Balance sum, TableFindings findings) {
        Balance own = look.balance();
        if (own == null) {
            return;
        }
        boolean measures = sum == null || sum.equals(own);
        boolean booked = !look.ingested().complete() || expected(look).equals(own);
        if (!measures || !booked) {
            findings.balance(
                    look.table().target(),
                    "table_says=" + own + " ledger=" + expected(look) + " measured="
                            + (sum == null ? "unknown" : sum));
        }
    }

    /** Other files are fine as long as their rows are the same: somebody put them together. */
    private static void compareLists(Look look, TableFindings findings) {
        if (!look.ingested().complete()) {
            return;
        }
        Set<String> live = new TreeSet<>();
        Set<String> ingested = new TreeSet<>();
        look.ingested()
                .commits()
                .forEach(commit -> commit.files().forEach(file -> ingested.add(file.path())));
        for (FileEntry file : look.files()) {
            live.add(file.path());
            if (look.books().chunkOf(file.path()) == null && !ingested.contains(file.path())) {
                findings.foreign(
                        look.table().target(),
                        "file=" + file.path() + " violation=no published run wrote it");
            }
        }
        for (Chunk chunk : look.books().chunks().values()) {
            String path = chunk.path();
            if (path != null && !live.contains(path)) {
                findings.foreign(
                        look.table().target(),
                        "file=" + path + " run_id=" + chunk.runId()
                                + " violation=it was published, but the table does not show it");
            }
        }
    }
}
