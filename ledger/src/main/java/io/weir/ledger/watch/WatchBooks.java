package io.weir.ledger.watch;

import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.lineage.Untold.Books;
import io.weir.ledger.replica.ReplicaState;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** What is read of the ledger to watch it. Nothing is locked and nothing changed. */
public interface WatchBooks {
    /** A run at the moment of a look. */
    record SeenRun(Books books, RunId id, String job, RunState state, Instant createdAt) {}

    /** When a run came into a state. */
    record Arrival(Instant at, RunState state) {}

    /**
     * What became of a run so far.
     *
     * @param arrivals every state in order
     * @param lost claims whose workers were lost
     */
    record Course(List<Arrival> arrivals, long rows, long bytes, long lost) {}

    /** Runs of one job in one state that have not ended. */
    record Standing(String job, RunState state, long runs) {}

    /** The oldest row of the outbox that nobody acknowledged, by the step that it asks for. */
    record Waiting(String step, double seconds) {}

    /**
     * How far a replicated table is behind.
     *
     * @param failures in a row
     * @param bytes of the log of the source between captured and verified place
     * @param seconds since it was last verified; 0 if nothing is captured behind that
     */
    record ReplicaLag(
            String job,
            String table,
            ReplicaState state,
            long failures,
            long bytes,
            double seconds) {}

    /**
     * A window of replication that ended.
     *
     * @param published whether it was; otherwise it failed or had nothing to publish
     * @param rowsIn 0 unless published
     */
    record EndedWindow(
            UUID id,
            Instant endedAt,
            String job,
            boolean published,
            Duration duration,
            long rowsIn,
            long rowsOut) {}

    /** A window of replication that its process is at. */
    record OpenWindow(String job, Instant openedAt) {}

    /** What there is now. */
    record Glance(List<Standing> standing, List<Waiting> waiting, List<Double> leaseMargins) {}

    /**
     * The runs that are known, and those that were opened lately.
     *
     * @param since null: those that have not ended, too
     */
    List<SeenRun> seen(Collection<RunId> known, @Nullable Instant since);

    Course course(SeenRun run);

    Glance glance();

    /** Replicated tables that are loaded. */
    List<ReplicaLag> replicas();

    /** Windows of replication that ended after a time. */
    List<EndedWindow> endedWindows(Instant since);

    /** Windows of replication that have not ended, of jobs that somebody replicates. */
    List<OpenWindow> openWindows();

    /** Time of the books. */
    Instant now();
}
