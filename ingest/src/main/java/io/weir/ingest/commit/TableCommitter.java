package io.weir.ingest.commit;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Balance;
import io.weir.table.CatalogConfig;
import io.weir.table.GroupedFileIO;
import io.weir.table.IngestLook;
import io.weir.table.IngestOutcome;
import io.weir.table.IngestTable;
import io.weir.table.IngestTransaction;
import io.weir.table.LakeCatalog;
import io.weir.table.StagedFile;

import org.apache.iceberg.io.FileIO;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Commits for all connections of this process to one table. While one commit is on its way, others
 * gather and go together in the next one. Safe for use by several threads.
 *
 * <p>All calls throw {@link WeirException} as module table says.
 */
public final class TableCommitter implements AutoCloseable {
    private static final int GROUP_MAX = 64;
    private static final int GATHER_TRIES = 40;
    private static final int GATHER_TRIES_IN_VAIN = 6;
    private static final long GATHER_NANOS = 500_000;
    private static final Map<Key, TableCommitter> SHARED = new HashMap<>();

    private record Key(CatalogConfig catalog, String target) {}

    private final Key key;
    private final LakeCatalog catalog;
    private final IngestTable table;
    private final WriterDirectory directory;
    private final FileIO io;
    private final ReentrantLock turn = new ReentrantLock();
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private volatile IngestLook latest;
    private volatile int users = 1;
    private int lastGroup;

    /** Whether some thread commits for all; guarded by the queue. */
    private boolean isLed;

    private TableCommitter(Key key, LakeCatalog catalog, FileIO io) throws IOException {
        this.key = key;
        this.catalog = catalog;
        this.io = io;
        this.table = catalog.ingest(key.target());
        this.latest = table.look();
        String dataRoot = latest.dataRoot();
        WriterDirectory.clean(table, dataRoot);
        this.directory = WriterDirectory.create(dataRoot);
    }

    /** The committer of a table in this process; every caller closes it once. */
    public static TableCommitter of(CatalogConfig config, String target) {
        Key key = new Key(config, target);
        synchronized (SHARED) {
            TableCommitter known = SHARED.get(key);
            if (known != null) {
                known.users++;
                return known;
            }
            TableCommitter opened = open(key);
            SHARED.put(key, opened);
            return opened;
        }
    }

    private static TableCommitter open(Key key) {
        FileIO io = new GroupedFileIO();
        LakeCatalog catalog = LakeCatalog.open(key.catalog(), io);
        try {
            return new TableCommitter(key, catalog, io);
        } catch (IOException e) {
            catalog.close();
            throw new WeirException(
                    ErrorCode.DISK_FULL,
                    "Cannot prepare the directory of table " + key.target() + ": " + e.getMessage(),
                    e);
        } catch (RuntimeException e) {
            catalog.close();
            throw e;
        }
    }

    /** The table as it is now, after the commit that is on its way. */
    public IngestLook lookNow() {
        return table.look();
    }

    /**
     * The table for a transaction that begins: as it is now, or, while a commit is on its way, as
     * the one before left it. Who waited here would not be in the next group.
     */
    public IngestLook look() {
        if (turn.tryLock()) {
            try {
                latest = table.look();
            } finally {
                turn.unlock();
            }
        }
        return latest;
    }

    /** Claims a source; see {@link IngestTable#claim}. */
    public long claim(String source) {
        return table.claim(source);
    }

    /** Its files become durable with the commit that names them. */
    public FileIO io() {
        return io;
    }

    /** Location of a file that does not exist yet, in the directory of this process. */
    public String newFile() {
        return directory.newFile();
    }

    /** A transaction and its answer, which the thread that commits for all gives. */
    private static final class Waiting {
        private final IngestTransaction transaction;

        /** Complete when there is an answer, or its thread is the one that commits for all. */
        private final CompletableFuture<Boolean> ready = new CompletableFuture<>();

        private @Nullable IngestOutcome outcome;
        private @Nullable RuntimeException failure;

        Waiting(IngestTransaction transaction) {
            this.transaction = transaction;
        }

        boolean isAnswered() {
            return outcome != null || failure != null;
        }
    }

    /** Commits; returns when the rows are visible or it is known that they are not. */
    public IngestOutcome commit(IngestTransaction transaction) {
        Waiting mine = new Waiting(transaction);
        boolean leads;
        synchronized (waiting) {
            waiting.add(mine);
            leads = !isLed;
            isLed = true;
        }
        if (!leads) {
            mine.ready.join();
        }
        if (!mine.isAnswered()) {
            lead(mine);
        }
        if (mine.outcome == null) {
            throw failure(mine);
        }
        return mine.outcome;
    }

    /** Those who have their answer go on at once; somebody who has none leads from then on. */
    private void lead(Waiting mine) {
        turn.lock();
        try {
            while (!mine.isAnswered()) {
                commitGroup();
            }
        } finally {
            turn.unlock();
            Waiting next;
            synchronized (waiting) {
                next = waiting.peek();
                isLed = next != null;
            }
            if (next != null) {
                next.ready.complete(true);
            }
        }
    }

    private RuntimeException failure(Waiting mine) {
        if (mine.failure instanceof WeirException known) {
            if (known.code() == ErrorCode.TABLE_COMMIT_UNKNOWN) {
                directory.keep();
            }
            // One error for each caller: each adds a stack trace of its own.
            return new WeirException(known.code(), known.text(), known.hint(), known);
        }
        return mine.failure == null ? new IllegalStateException("No answer") : mine.failure;
    }

    /** Those who went together a moment ago are about to come again, one after the other. */
    private void gather() {
        int before = 0;
        int inVain = 0;
        for (int i = 0; i < GATHER_TRIES && lastGroup > 1; i++) {
            int now;
            synchronized (waiting) {
                now = waiting.size();
            }
            inVain = now > before ? 0 : inVain + 1;
            if (now >= users || inVain > GATHER_TRIES_IN_VAIN) {
                return;
            }
            before = now;
            LockSupport.parkNanos(GATHER_NANOS);
        }
    }

    private void commitGroup() {
        gather();
        List<Waiting> group = new ArrayList<>();
        synchronized (waiting) {
            while (group.size() < GROUP_MAX && !waiting.isEmpty()) {
                group.add(waiting.remove());
            }
        }
        lastGroup = group.size();
        try {
            List<IngestOutcome> outcomes =
                    table.append(group.stream().map(one -> one.transaction).toList());
            for (int i = 0; i < group.size(); i++) {
                group.get(i).outcome = outcomes.get(i);
            }
        } catch (RuntimeException e) {
            group.forEach(one -> one.failure = e);
        } catch (Error e) {
            // Whoever waits must not wait for ever.
            RuntimeException failure = new IllegalStateException("The process is failing", e);
            group.forEach(one -> one.failure = failure);
            throw e;
        } finally {
            group.forEach(one -> one.ready.complete(true));
        }
    }

    /** Puts rows of several files into fewer; see {@link IngestTable#rewrite}. */
    public @Nullable Long rewrite(
            List<StagedFile> removed, List<StagedFile> added, Balance before, Balance after) {
        return table.rewrite(removed, added, before, after);
    }

    /** Ends with the last user. */
    @Override
    public void close() {
        synchronized (SHARED) {
            users--;
            if (users > 0) {
                return;
            }
            SHARED.remove(key);
        }
        directory.close();
        catalog.close();
    }
}
