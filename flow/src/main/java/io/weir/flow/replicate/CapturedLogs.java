package io.weir.flow.replicate;

import io.weir.capture.Capture;
import io.weir.capture.ChangeStream;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Column;
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

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Changes that are captured from a database through a slot. */
final class CapturedLogs implements LogOrigin {
    private final ReplicateJob job;
    private final ReplicaBooks books;
    private final JobLease lease;
    private final InitialLoad initial;
    private final SourceTables tables;
    private final LakeCatalog catalog;
    private final LogKeeping logs;
    private final WindowRound round;
    private final Capture capture;
    private final ReplicateListener listener;
    private final Cancellation cancellation;
    private @Nullable CaptureLoop loop;

    CapturedLogs(
            ReplicateJob job,
            ReplicaBooks books,
            JobLease lease,
            InitialLoad initial,
            SourceTables tables,
            LakeCatalog catalog,
            LogKeeping logs,
            WindowRound round,
            Capture capture,
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
        this.listener = listener;
        this.cancellation = cancellation;
    }

    @Override
    public Map<String, LogTable> logs() {
        return logs.logs();
    }

    @Override
    public @Nullable WindowEnds reach(boolean all, boolean patient) {
        LogPlace to = withoutUnreadable(() -> {
            CaptureLoop kept = ready();
            loop = kept;
            if (kept == null) {
                return LogPlace.START;
            }
            return all ? reach(kept) : captured(kept.reached());
        });
        return loop == null ? null : WindowEnds.common(to);
    }

    @Override
    public long mark() {
        return capture.mark();
    }

    @Override
    public WindowEnds reached() {
        return WindowEnds.common(captured(LogPlace.START));
    }

    @Override
    public boolean isKept() {
        CaptureLoop running = loop;
        try {
            if (running != null) {
                running.check();
            }
            return running != null;
        } catch (WeirException e) {
            leave(e);
            return false;
        }
    }

    /** Goes on without a table whose next change cannot be read. */
    private LogPlace withoutUnreadable(Supplier<LogPlace> work) {
        while (true) {
            try {
                return work.get();
            } catch (WeirException e) {
                leave(e);
            }
        }
    }

    private void leave(WeirException cause) {
        if (!(cause.details().get(ChangeStream.TABLE) instanceof String table)) {
            throw cause;
        }
        logs.close();
        loop = null;
        leave(table, cause);
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
            if (!added.columns().isEmpty() && grow(replica, at, names(added))) {
                return;
            }
            if (!cause.text().contains(added.obstacle())) {
                why = new WeirException(
                        cause.code(), cause.text() + "; " + added.obstacle(), cause);
            }
        }
        Stop stop = Stops.anew(replica.target(), why);
        Replica ended = books.ended(lease.hold(), table, at, stop);
        if (ended.state() == ReplicaState.STOPPED) {
            listener.stopped(ended);
        }
    }

    private static Set<String> names(SourceTables.Added added) {
        return added.columns().stream().map(Column::name).collect(Collectors.toSet());
    }

    private boolean grow(Replica replica, LogPlace at, Set<String> columns) {
        // Everything under the old columns first: then the two never meet in one window.
        LogTable log = logs.logs().get(replica.table());
        if (log == null) {
            return false;
        }
        round.run(Map.of(replica.table(), log), WindowEnds.common(at), false, true);
        boolean there = books.replicas(job.name()).stream()
                .anyMatch(row -> row.table().equals(replica.table())
                        && row.state() == ReplicaState.RUNNING
                        && at.equals(row.verified()));
        if (there) {
            logs.grew(books.grown(lease.hold(), replica.table(), at), columns);
        }
        return there;
    }

    private LogPlace reach(CaptureLoop kept) {
        return kept.awaitBehind(capture.mark(), () -> {
            lease.check();
            if (cancellation.isRequested()) {
                throw new WeirException(
                        ErrorCode.INTERRUPTED,
                        "Cannot finish the window of job " + job.name() + ": asked to stop");
            }
        });
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
            if (waiting.isEmpty()) {
                // Not one could begin, and a slot without tables would only hold the source's log.
                return null;
            }
            initial.withNewSlot(replication, waiting);
            return keep();
        }
        CaptureLoop kept = keep();
        if (kept != null && !waiting.isEmpty()) {
            initial.besideTheStream(replication, waiting);
        }
        return kept;
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
        List<Replica> wanted =
                books.replicas(job.name()).stream().filter(Replica::isCaptured).toList();
        return wanted.isEmpty() ? null : logs.keep(wanted);
    }

    @Override
    public void close() {
        logs.close();
    }
}
