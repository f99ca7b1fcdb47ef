package io.weir.flow.replicate;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.engine.MergeShare;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaBooks;
import io.weir.ledger.replica.ReplicaBooks.Hold;
import io.weir.ledger.replica.ReplicaCut;
import io.weir.ledger.replica.ReplicaState;
import io.weir.ledger.replica.Stop;
import io.weir.table.LogTable;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.DoubleSupplier;

/**
 * Takes every table of a job that is not stopped to the end of one window, as many at once as have
 * room. For one thread.
 */
final class WindowRound {
    private static final Logger LOG = LoggerFactory.getLogger(WindowRound.class);

    private final ReplicaBooks books;
    private final Hold hold;
    private final TableMerge merge;
    private final MergeShare whole;
    private final ReplicateSettings settings;
    private final DoubleSupplier jitter;
    private final ReplicateListener listener;
    private MergePace pace;
    private int atOnceBefore;

    /**
     * Wires it.
     *
     * @param whole what all merges of the process have together
     */
    WindowRound(
            ReplicaBooks books,
            Hold hold,
            TableMerge merge,
            MergeShare whole,
            ReplicateSettings settings,
            DoubleSupplier jitter,
            ReplicateListener listener) {
        this.books = books;
        this.hold = hold;
        this.merge = merge;
        this.whole = whole;
        this.settings = settings;
        this.jitter = jitter;
        this.listener = listener;
        this.pace = MergePace.begin(settings.concurrent());
    }

    /** A table that is due, and what its merge is likely to need. */
    private record Due(Replica replica, LogTable log, LogPlace to, long need) {}

    /**
     * Runs the windows; a table that fails or stops keeps no other.
     *
     * @param logs of the tables, by name
     * @param ends where the window of each table ends; one that has no end is left alone
     * @param patient whether a table whose pause is not over is left for the next round
     * @throws WeirException only for what concerns the process
     */
    ReplicateReport run(
            Map<String, LogTable> logs, WindowEnds ends, boolean patient, boolean last) {
        List<Due> due = due(logs, ends, patient);
        if (!due.isEmpty()) {
            merged(due, last);
        }
        return new ReplicateReport(ends, books.replicas(hold.job()));
    }

    /** The largest first, so that none is left over at the end. */
    private List<Due> due(Map<String, LogTable> logs, WindowEnds ends, boolean patient) {
        List<Due> due = new ArrayList<>();
        Instant now = books.now();
        for (Replica replica : books.replicas(hold.job())) {
            boolean windows = replica.state() == ReplicaState.RUNNING
                    || replica.state() == ReplicaState.ENDING;
            LogTable log = logs.get(replica.table());
            LogPlace to = ends.of(replica.table());
            if (windows && log != null && to != null && !(patient && replica.isWaiting(now))) {
                LogPlace end = replica.ends();
                LogPlace until = end != null && end.place() < to.place() ? end : to;
                due.add(new Due(replica, log, until, need(replica, log, until)));
            }
        }
        due.sort(Comparator.comparingLong(Due::need).reversed());
        return due;
    }

    /** What cannot be looked at now is merged alone, where it says why. */
    private long need(Replica replica, LogTable log, LogPlace to) {
        try {
            return merge.need(replica, log, to);
        } catch (WeirException e) {
            LOG.atDebug().addKeyValue("code", e.code()).log("Size not known: {}", e.text());
            return whole.memoryBytes();
        }
    }

    private void merged(List<Due> due, boolean last) {
        MergeSharing sharing = MergeSharing.of(
                due.stream().map(Due::need).toList(),
                whole,
                settings.freeBytes().getAsLong(),
                pace.limit());
        say(sharing, due.size());
        List<Due> alone = inParallel(due, sharing, last);
        for (Due table : alone) {
            listener.alone(table.replica());
            one(table, last, whole, true);
        }
        pace = pace.after(sharing.atOnce(), !alone.isEmpty(), settings.concurrent());
    }

    private void say(MergeSharing sharing, int tables) {
        if (sharing.atOnce() != atOnceBefore) {
            atOnceBefore = sharing.atOnce();
            LOG.atInfo()
                    .addKeyValue("job", hold.job())
                    .addKeyValue("at_once", sharing.atOnce())
                    .addKeyValue("limit", pace.limit())
                    .addKeyValue("tables", tables)
                    .addKeyValue("bytes", sharing.shares().get(0).memoryBytes())
                    .log("Tables merged at once: {}", sharing.atOnce());
        }
        listener.merging(sharing.atOnce(), tables);
    }

    /**
     * The same with a cut over all tables, which names those that are not there. There is none of
     * tables of which each has an end of its own.
     */
    ReplicateReport cut(
            Map<String, LogTable> logs, WindowEnds ends, boolean patient, boolean last) {
        if (!ends.isCommon()) {
            return run(logs, ends, patient, last);
        }
        ReplicaCut cut =
                books.openCut(hold, ends.to(), books.replicas(hold.job()).size());
        ReplicateReport report = run(logs, ends, patient, last);
        boolean late = report.replicas().stream()
                .anyMatch(replica -> replica.stop() == null && !report.isThere(replica));
        if (!late) {
            List<String> missing = report.replicas().stream()
                    .filter(replica -> !report.isThere(replica))
                    .map(Replica::table)
                    .toList();
            tag(cut.number(), report);
            listener.cut(books.closeCut(hold, cut, missing));
        }
        return report;
    }

    /** A name that could not be given makes no table less true. */
    private void tag(long cut, ReplicateReport report) {
        for (Replica replica : report.replicas()) {
            if (report.isThere(replica)) {
                try {
                    merge.tag(replica, cut);
                } catch (WeirException e) {
                    LOG.atWarn().addKeyValue("code", e.code()).log("Cut not named: {}", e.text());
                }
            }
        }
    }

    /** Returns those that ran out of memory beside others. */
    private List<Due> inParallel(List<Due> due, MergeSharing sharing, boolean last) {
        ExecutorService pool = Executors.newFixedThreadPool(
                sharing.atOnce(), task -> new Thread(task, "weir-merge"));
        try {
            List<Future<Boolean>> futures = new ArrayList<>();
            for (int i = 0; i < due.size(); i++) {
                Due table = due.get(i);
                MergeShare share = sharing.shares().get(i);
                boolean alone = sharing.atOnce() == 1;
                futures.add(pool.submit(() -> one(table, last, share, alone)));
            }
            List<Due> exceeded = new ArrayList<>();
            for (int i = 0; i < due.size(); i++) {
                if (!futures.get(i).get()) {
                    exceeded.add(due.get(i));
                }
            }
            return exceeded;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WeirException(ErrorCode.INTERRUPTED, "Cannot wait: interrupted", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof WeirException known
                    ? known
                    : new WeirException(
                            ErrorCode.INTERNAL, "Cannot merge a window: " + e.getCause(), e);
        } finally {
            pool.shutdown();
        }
    }

    /**
     * Takes one table there.
     *
     * @param alone whether no more memory can be had, so that too little of it is a failure
     * @return false if it is to be tried again alone
     */
    private boolean one(Due due, boolean last, MergeShare share, boolean alone) {
        Replica replica = due.replica();
        try {
            TableResult result = merge.run(replica, due.log(), due.to(), last, share);
            listener.merged(replica, result);
            if (due.to().equals(replica.ends())) {
                listener.stopped(books.replica(replica.target()));
            }
        } catch (TableMerge.StoppedException e) {
            stop(replica, e.stop());
        } catch (WeirException e) {
            if (Stops.isOfTheProcess(e)) {
                throw e;
            }
            if (e.code() == ErrorCode.ENGINE_MEMORY_EXCEEDED && !alone) {
                LOG.atWarn()
                        .addKeyValue("bytes", share.memoryBytes())
                        .log("Merged again alone, memory ran out: {}", e.text());
                return false;
            }
            if (Stops.isPassing(e)) {
                LOG.atWarn().addKeyValue("code", e.code()).log("Window failed: {}", e.text());
                listener.failed(
                        books.failed(hold, replica.table(), e.text(), jitter.getAsDouble()));
            } else {
                stop(replica, Stops.of(replica.target(), e));
            }
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("Window failed");
            stop(
                    replica,
                    Stops.of(
                            replica.target(),
                            new WeirException(
                                    ErrorCode.INTERNAL,
                                    "Cannot merge table " + replica.table() + ": " + e,
                                    e)));
        }
        return true;
    }

    private void stop(Replica replica, Stop stop) {
        listener.stopped(books.stopped(hold, replica.table(), stop));
    }
}
