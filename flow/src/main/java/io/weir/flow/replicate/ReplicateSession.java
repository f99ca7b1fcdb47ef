package io.weir.flow.replicate;

import io.weir.capture.Capture;
import io.weir.capture.ChangeStream;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.RowSchema;
import io.weir.flow.load.Cancellation;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaBooks;
import io.weir.ledger.replica.ReplicaState;
import io.weir.ledger.replica.Replication;
import io.weir.ledger.replica.Stop;
import io.weir.table.LakeCatalog;
import io.weir.table.LogTable;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** One claim of a job at work: load what waits, keep the logs, window after window. */
final class ReplicateSession {
    /** Between windows of continuous mode; wishes of people are seen as often. */
    private static final Duration GLANCE = Duration.ofMillis(500);

    private static final Duration CUT_EVERY = Duration.ofHours(1);

    private final ReplicateJob job;
    private final ReplicaBooks books;
    private final JobLease lease;
    private final InitialLoad initial;
    private final SourceTables tables;
    private final LakeCatalog catalog;
    private final LogKeeping logs;
    private final WindowRound round;
    private final Capture capture;
    private final InstantSource clock;
    private final ReplicateListener listener;
    private final Cancellation cancellation;
    private @Nullable Instant cutAt;
    private LogPlace last = LogPlace.START;

    ReplicateSession(
            ReplicateJob job,
            ReplicaBooks books,
            JobLease lease,
            InitialLoad initial,
            SourceTables tables,
            LakeCatalog catalog,
            LogKeeping logs,
            WindowRound round,
            Capture capture,
            InstantSource clock,
            ReplicateListener listener,
            Cancellation cancellation) {
        this.job = job;
        this.books = books;
        this.lease = lease;
        this.initial = initial;
        this.tables = tables;
        this.catalog = catalog;
        this.logs = logs;
        this.round = round;
        this.capture = capture;
        this.clock = clock;
        this.listener = listener;
        this.cancellation = cancellation;
    }

    /** One window over everything that is committed at the source now. */
    ReplicateReport once() {
        try (logs) {
            LogPlace to = withoutUnreadable(() -> {
                CaptureLoop loop = ready();
                return loop == null ? captured(LogPlace.START) : reach(loop);
            });
            return round.cut(logs.logs(), to, false, true);
        }
    }

    /** Windows until a stop is wished. */
    void forever() {
        try (logs) {
            while (!cancellation.isRequested()) {
                withoutUnreadable(() -> {
                    CaptureLoop loop = ready();
                    if (loop == null) {
                        throw nothingLeft();
                    }
                    LogPlace to = job.isContinuous() ? captured(loop.reached()) : reach(loop);
                    if (!to.equals(last) || isDue()) {
                        window(to);
                        last = to;
                    }
                    lease.check();
                    rest(loop);
                    return to;
                });
            }
        }
    }

    /** Goes on without a table whose next change cannot be read. */
    private LogPlace withoutUnreadable(Supplier<LogPlace> work) {
        while (true) {
            try {
                return work.get();
            } catch (WeirException e) {
                if (!(e.details().get(ChangeStream.TABLE) instanceof String table)) {
                    throw e;
                }
                logs.close();
                leave(table, e);
            }
        }
    }

    /** More columns are no reason to stop where all rows have the same in them. */
    private void leave(String table, WeirException cause) {
        LogPlace at = captured(LogPlace.START);
        Replica replica = books.replicas(job.name()).stream()
                .filter(row -> row.table().equals(table))
                .findFirst()
                .orElseThrow(() -> cause);
        WeirException why = cause;
        if (cause.code() == ErrorCode.CAPTURE_SCHEMA_CHANGED
                && replica.state() == ReplicaState.RUNNING) {
            RowSchema known = catalog.replica(replica.target()).rows();
            SourceTables.Added added = tables.added(replica.table(), known);
            if (!added.columns().isEmpty() && grow(replica, at)) {
                return;
            }
            why = new WeirException(cause.code(), cause.text() + "; " + added.obstacle(), cause);
        }
        Stop stop = Stops.anew(replica.target(), why);
        Replica ended = books.ended(lease.hold(), table, at, stop);
        if (ended.state() == ReplicaState.STOPPED) {
            listener.stopped(ended);
        }
    }

    private boolean grow(Replica replica, LogPlace at) {
        // Everything under the old columns first: then the two never meet in one window.
        LogTable log = logs.logs().get(replica.table());
        if (log == null) {
            return false;
        }
        round.run(Map.of(replica.table(), log), at, false, true);
        boolean there = books.replicas(job.name()).stream()
                .anyMatch(row -> row.table().equals(replica.table())
                        && row.state() == ReplicaState.RUNNING
                        && at.equals(row.verified()));
        if (there) {
            books.grown(lease.hold(), replica.table(), at);
        }
        return there;
    }

    private void window(LogPlace to) {
        Instant now = clock.instant();
        Instant before = cutAt;
        if (before == null || !now.isBefore(before.plus(CUT_EVERY))) {
            round.cut(logs.logs(), to, true, false);
            cutAt = now;
        } else {
            round.run(logs.logs(), to, true, false);
        }
    }

    private LogPlace reach(CaptureLoop loop) {
        return loop.awaitBehind(capture.mark(), () -> {
            lease.check();
            if (cancellation.isRequested()) {
                throw new WeirException(
                        ErrorCode.INTERRUPTED,
                        "Cannot finish the window of job " + job.name() + ": asked to stop");
            }
        });
    }

    /** Until the next window is due; a person may want a table loaded anew in between. */
    private void rest(CaptureLoop loop) {
        Instant due = clock.instant().plus(job.every());
        do {
            if (cancellation.await(GLANCE)) {
                return;
            }
            lease.check();
            loop.check();
            if (!job.isContinuous() && isAsked()) {
                return;
            }
        } while (clock.instant().isBefore(due));
    }

    /** Whether a table that failed may be tried again. */
    private boolean isDue() {
        Instant now = books.now();
        return books.replicas(job.name()).stream()
                .anyMatch(replica -> replica.failures() > 0 && !replica.isWaiting(now));
    }

    private boolean isAsked() {
        return books.replicas(job.name()).stream()
                .anyMatch(replica -> replica.state() == ReplicaState.LOADING);
    }

    /** What the logs of an earlier claim hold counts, too. */
    private LogPlace captured(LogPlace reached) {
        LogPlace captured = books.replication(job.name()).captured();
        return captured != null && captured.place() > reached.place() ? captured : reached;
    }

    /** Loads what waits and fills the logs of all tables that have one; null if none has. */
    private @Nullable CaptureLoop ready() {
        List<Replica> replicas = replicas();
        List<Replica> waiting = waiting(replicas);
        Replication replication = books.replication(job.name());
        if (InitialLoad.hasSlot(replication)
                && waiting.size() == replicas.size()
                && !capture.hasSlot(tables.spec(List.of(waiting.get(0).table())))) {
            // The slot is lost, and somebody asked for every table to be loaded anew.
            replication = books.begin(lease.hold(), null);
        }
        if (!InitialLoad.hasSlot(replication)) {
            initial.withNewSlot(replication, waiting);
            return keep();
        }
        CaptureLoop loop = keep();
        if (loop != null && !waiting.isEmpty()) {
            initial.besideTheStream(replication, waiting);
        }
        return loop;
    }

    /** Those of the job file; others that the books know rest. */
    private List<Replica> replicas() {
        return books.replicas(job.name()).stream()
                .filter(replica -> tables.has(replica.table()))
                .toList();
    }

    private static List<Replica> waiting(List<Replica> replicas) {
        return replicas.stream()
                .filter(replica -> replica.state() == ReplicaState.LOADING)
                .toList();
    }

    private @Nullable CaptureLoop keep() {
        List<Replica> captured =
                books.replicas(job.name()).stream().filter(Replica::isCaptured).toList();
        return captured.isEmpty() ? null : logs.keep(captured);
    }

    private WeirException nothingLeft() {
        return new WeirException(
                ErrorCode.REPLICA_STOPPED,
                "Cannot go on with job " + job.name() + ": every table is stopped");
    }
}
