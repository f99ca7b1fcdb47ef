package io.weir.ledger.watch;

import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.lineage.Untold.Books;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Collection;
import java.util.List;

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
}
