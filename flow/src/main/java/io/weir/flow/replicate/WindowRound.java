package io.weir.flow.replicate;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.DoubleSupplier;

/** Takes every table of a job that is not stopped to the end of one window, several at once. */
final class WindowRound {
    private static final Logger LOG = LoggerFactory.getLogger(WindowRound.class);

    private final ReplicaBooks books;
    private final Hold hold;
    private final TableMerge merge;
    private final int concurrent;
    private final DoubleSupplier jitter;
    private final ReplicateListener listener;

    WindowRound(
            ReplicaBooks books,
            Hold hold,
            TableMerge merge,
            int concurrent,
            DoubleSupplier jitter,
            ReplicateListener listener) {
        this.books = books;
        this.hold = hold;
        this.merge = merge;
        this.concurrent = concurrent;
        this.jitter = jitter;
        this.listener = listener;
    }

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
        List<Replica> due = new ArrayList<>();
        Instant now = books.now();
        for (Replica replica : books.replicas(hold.job())) {
            boolean windows = replica.state() == ReplicaState.RUNNING
                    || replica.state() == ReplicaState.ENDING;
            if (windows
                    && logs.containsKey(replica.table())
                    && ends.of(replica.table()) != null
                    && !(patient && replica.isWaiting(now))) {
                due.add(replica);
            }
        }
        if (!due.isEmpty()) {
            inParallel(due, logs, ends, last);
        }
        return new ReplicateReport(ends, books.replicas(hold.job()));
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
            tag("weir-cut-" + cut.number(), report);
            listener.cut(books.closeCut(hold, cut, missing));
        }
        return report;
    }

    /** A name that could not be given makes no table less true. */
    private void tag(String name, ReplicateReport report) {
        for (Replica replica : report.replicas()) {
            if (report.isThere(replica)) {
                try {
                    merge.tag(replica, name);
                } catch (WeirException e) {
                    LOG.atWarn().addKeyValue("code", e.code()).log("Cut not named: {}", e.text());
                }
            }
        }
    }

    private void inParallel(
            List<Replica> due, Map<String, LogTable> logs, WindowEnds ends, boolean last) {
        ExecutorService pool = Executors.newFixedThreadPool(
                Math.min(concurrent, due.size()), task -> new Thread(task, "weir-merge"));
        try {
            List<Future<?>> futures = new ArrayList<>();
            for (Replica replica : due) {
                LogTable log = logs.get(replica.table());
                LogPlace to = ends.of(replica.table());
                if (log != null && to != null) {
                    futures.add(pool.submit(() -> one(replica, log, to, last)));
                }
            }
            for (Future<?> future : futures) {
                future.get();
            }
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

    private void one(Replica replica, LogTable log, LogPlace to, boolean last) {
        LogPlace end = replica.ends();
        LogPlace until = end != null && end.place() < to.place() ? end : to;
        try {
            TableResult result = merge.run(replica, log, until, last);
            listener.merged(replica, result);
            if (end != null && until.equals(end)) {
                listener.stopped(books.replica(replica.target()));
            }
        } catch (TableMerge.StoppedException e) {
            stop(replica, e.stop());
        } catch (WeirException e) {
            if (Stops.isOfTheProcess(e)) {
                throw e;
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
    }

    private void stop(Replica replica, Stop stop) {
        listener.stopped(books.stopped(hold, replica.table(), stop));
    }
}
