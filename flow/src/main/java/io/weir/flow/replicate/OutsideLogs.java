package io.weir.flow.replicate;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.engine.MergeStrategy;
import io.weir.flow.outsidelog.LogIntake;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaBooks;
import io.weir.ledger.replica.ReplicaBooks.Hold;
import io.weir.ledger.replica.ReplicaState;
import io.weir.table.LakeCatalog;
import io.weir.table.LogPosition;
import io.weir.table.LogTable;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/** Changes that somebody else writes into files. */
final class OutsideLogs implements LogOrigin {
    private static final Logger LOG = LoggerFactory.getLogger(OutsideLogs.class);

    /** A writer that is not done with a file after so many looks in a row will never be. */
    private static final int UNFINISHED_MAX = 5;

    private final OutsideJob job;
    private final ReplicaBooks books;
    private final JobLease lease;
    private final Hold hold;
    private final LakeCatalog catalog;
    private final OutsideBeginning beginning;
    private final LogIntake intake;
    private final DoubleSupplier jitter;
    private final ReplicateListener listener;
    private final Map<String, LogTable> logs = new LinkedHashMap<>();
    private final Map<String, LogPlace> ends = new HashMap<>();

    OutsideLogs(
            OutsideJob job,
            ReplicaBooks books,
            JobLease lease,
            LakeCatalog catalog,
            OutsideBeginning beginning,
            LogIntake intake,
            DoubleSupplier jitter,
            ReplicateListener listener) {
        this.job = job;
        this.books = books;
        this.lease = lease;
        this.hold = lease.hold();
        this.catalog = catalog;
        this.beginning = beginning;
        this.intake = intake;
        this.jitter = jitter;
        this.listener = listener;
    }

    @Override
    public Map<String, LogTable> logs() {
        return logs;
    }

    /** What lies in the directories is all there is, so there is nothing to wait for. */
    @Override
    public @Nullable WindowEnds reach(boolean all, boolean patient) {
        ends.clear();
        boolean left = false;
        Instant now = books.now();
        List<Replica> replicas = books.replicas(job.name());
        for (OutsideTable table : job.tables()) {
            lease.check();
            Replica replica = replicas.stream()
                    .filter(row -> row.table().equals(table.name()))
                    .findFirst()
                    .orElseThrow();
            if (replica.stop() == null) {
                left = true;
                if (!patient || !replica.isWaiting(now)) {
                    reach(table, replica);
                }
            }
        }
        return left ? reached() : null;
    }

    /** Nobody tells what is not in a file yet. */
    @Override
    public long mark() {
        return reached().to().place();
    }

    @Override
    public WindowEnds reached() {
        return WindowEnds.each(ends);
    }

    private void reach(OutsideTable table, Replica replica) {
        try {
            take(table, replica.state() == ReplicaState.LOADING ? begun(table, replica) : replica);
        } catch (WeirException e) {
            if (Stops.isOfTheProcess(e)) {
                throw e;
            }
            boolean lasting = e.code() == ErrorCode.LOG_FILE_UNFINISHED
                    && replica.failures() + 1 >= UNFINISHED_MAX;
            if (Stops.isPassing(e) && !lasting) {
                LOG.atWarn().addKeyValue("code", e.code()).log("Log not taken: {}", e.text());
                listener.failed(books.failed(hold, table.name(), e.text(), jitter.getAsDouble()));
            } else {
                stop(replica, e);
            }
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("Log not taken");
            stop(
                    replica,
                    new WeirException(
                            ErrorCode.INTERNAL,
                            "Cannot take the log of table " + table.name() + ": " + e,
                            e));
        }
    }

    private void stop(Replica replica, WeirException cause) {
        listener.stopped(books.stopped(hold, replica.table(), Stops.of(replica.target(), cause)));
    }

    private Replica begun(OutsideTable table, Replica replica) {
        LogPlace at = beginning.begin(table, replica);
        Replica begun = books.loaded(hold, table.name(), at, null);
        listener.loaded(begun);
        return begun;
    }

    private void take(OutsideTable table, Replica replica) {
        LogTable log = catalog.prepareLog(
                LogKeeping.nameOf(replica),
                table.name(),
                catalog.replica(table.target()).rows());
        LogPosition to = intake.take(
                table.log(),
                replica,
                log,
                job.merge() == MergeStrategy.ROW_HASH,
                beginning.isEmptying(replica));
        LogPlace place = to.place() == 0 ? LogPlace.START : Places.of(to);
        logs.put(table.name(), log);
        ends.put(table.name(), place);
        listener.captured(place);
    }

    @Override
    public boolean isKept() {
        return true;
    }

    /** Nothing is open between two looks. */
    @Override
    public void close() {}
}
