package io.weir.ledger.watch;

import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.watch.WatchBooks.Arrival;
import io.weir.ledger.watch.WatchBooks.Course;
import io.weir.ledger.watch.WatchBooks.SeenRun;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Follows runs from look to look and says each change of a state once, whoever made it. What
 * happened before the first look is not said. For one thread.
 */
public final class RunWatch {
    /** Longer than a transaction that opens a run can last. */
    private static final Duration LATE = Duration.ofMinutes(5);

    private final WatchBooks books;
    private final Map<RunId, Known> known = new HashMap<>();
    private @Nullable Instant newest;
    private boolean looked;

    /** How many of the states of a run were said. */
    private record Known(RunState state, Instant createdAt, int said) {}

    public RunWatch(WatchBooks books) {
        this.books = books;
    }

    /** What happened since the look before; nothing at the first one. */
    public List<RunMove> look() {
        Instant since = newest;
        List<RunMove> moves = new ArrayList<>();
        for (SeenRun run : books.seen(known.keySet(), since == null ? null : since.minus(LATE))) {
            follow(run, !looked, moves);
            if (newest == null || run.createdAt().isAfter(newest)) {
                newest = run.createdAt();
            }
        }
        looked = true;
        Instant last = newest;
        if (last != null) {
            Instant old = last.minus(LATE.multipliedBy(2));
            known.values()
                    .removeIf(run -> run.state().isTerminal() && run.createdAt().isBefore(old));
        }
        return moves;
    }

    private void follow(SeenRun run, boolean first, List<RunMove> moves) {
        Known before = known.get(run.id());
        if (before != null && before.state() == run.state()) {
            return;
        }
        Course course = books.course(run);
        List<Arrival> arrivals = course.arrivals();
        int said = before == null ? 0 : before.said();
        for (int i = first ? arrivals.size() : said; i < arrivals.size(); i++) {
            Arrival to = arrivals.get(i);
            Arrival from = i == 0 ? null : arrivals.get(i - 1);
            moves.add(new RunMove(
                    run.books(),
                    run.job(),
                    from == null ? null : from.state(),
                    to.state(),
                    from == null ? null : Duration.between(from.at(), to.at()),
                    course.rows(),
                    course.bytes(),
                    course.lost()));
        }
        RunState reached = arrivals.isEmpty()
                ? run.state()
                : arrivals.get(arrivals.size() - 1).state();
        known.put(run.id(), new Known(reached, run.createdAt(), arrivals.size()));
    }
}
