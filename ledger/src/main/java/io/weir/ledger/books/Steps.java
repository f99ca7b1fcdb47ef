package io.weir.ledger.books;

import io.weir.core.run.Cut;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.ledger.dispatch.DispatchColumns;
import io.weir.ledger.dispatch.DispatchCommand;
import io.weir.ledger.dispatch.DispatchMachine;
import io.weir.ledger.run.StepRules;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the outbox in step with the runs: whoever moves a run to a state that waits for somebody
 * writes the row that asks for it in the same transaction; both or neither.
 */
public final class Steps {
    /** A step that was lost is asked for again after a pause that doubles. */
    private static final Duration PAUSE_MIN = Duration.ofSeconds(1);

    private static final int DOUBLINGS_MAX = 8;

    private Steps() {}

    /** Writes what the run waits for now, and takes back what it waited for before. */
    public static void follow(Books books, Run run, Instant now) {
        Optional<Dispatch.Kind> needed = neededOf(run, books);
        boolean asked = false;
        for (Dispatch open : books.dispatches().lockOpen(run.id())) {
            if (needed.isPresent() && needed.get() == open.kind()) {
                asked = true;
            } else {
                DispatchCommand cancel = new DispatchCommand.Cancel();
                books.apply(open, DispatchMachine.decide(open, cancel, now), now);
            }
        }
        if (needed.isPresent() && !asked) {
            ask(books, run, needed.get(), now);
        }
    }

    /** Asks for publishing wherever a run of the cut waits for it, once all can be published. */
    public static void openGate(Books books, List<Run> cut, Instant now) {
        for (Run run : cut) {
            if (run.state() == RunState.STAGING_VALIDATED) {
                follow(books, run, now);
            }
        }
    }

    /**
     * Repairs what an older version or a person left: asks for a needed step that nobody asked for,
     * unless its last row is DEAD.
     *
     * @return whether something was asked for
     */
    public static boolean repair(Books books, Run run, Instant now) {
        Optional<Dispatch.Kind> needed = neededOf(run, books);
        if (needed.isEmpty()) {
            return false;
        }
        List<Dispatch> all = books.dispatches().ofRun(run.id());
        boolean open = all.stream().anyMatch(dispatch -> dispatch.state().isOpen());
        boolean dead = newest(all, needed.get())
                .filter(dispatch -> dispatch.state() == DispatchState.DEAD)
                .isPresent();
        if (open || dead) {
            return false;
        }
        ask(books, run, needed.get(), now);
        return true;
    }

    /** Whether the run waits for the step of a row that is DEAD, and nobody else was called. */
    public static boolean isAwaited(Books books, Run run, Dispatch dead) {
        List<Dispatch> all = books.dispatches().ofRun(run.id());
        return neededOf(run, books).equals(Optional.of(dead.kind()))
                && all.stream().noneMatch(dispatch -> dispatch.state().isOpen())
                && isNewest(all, dead);
    }

    /** Whether the run did not ask for the same step again since. */
    public static boolean isNewest(Books books, Dispatch dispatch) {
        return isNewest(books.dispatches().ofRun(dispatch.runId()), dispatch);
    }

    private static boolean isNewest(List<Dispatch> all, Dispatch dispatch) {
        return newest(all, dispatch.kind())
                .filter(newest -> newest.id().equals(dispatch.id()))
                .isPresent();
    }

    private static Optional<Dispatch> newest(List<Dispatch> all, Dispatch.Kind kind) {
        return all.stream()
                .filter(dispatch -> dispatch.kind() == kind)
                .max(Comparator.comparingInt(Dispatch::cycle));
    }

    /** How often the run asked for a step. */
    public static int cycles(Books books, Run run, Dispatch.Kind kind) {
        return (int) books.dispatches().ofRun(run.id()).stream()
                .filter(dispatch -> dispatch.kind() == kind)
                .count();
    }

    private static Optional<Dispatch.Kind> neededOf(Run run, Books books) {
        return StepRules.needed(run)
                .filter(kind -> kind != Dispatch.Kind.PUBLISH_RUN || isWhole(run, books));
    }

    /** Whether every run of the cut is audited, so that publishing one cannot tear it apart. */
    private static boolean isWhole(Run run, Books books) {
        Cut cut = run.cut();
        if (cut == null) {
            return true;
        }
        List<Run> runs = books.cutOf(run);
        return runs.size() == cut.tables()
                && runs.stream().allMatch(other -> StepRules.isAudited(other.state()));
    }

    private static void ask(Books books, Run run, Dispatch.Kind kind, Instant now) {
        int cycle = cycles(books, run, kind) + 1;
        Dispatch dispatch = new Dispatch(
                books.newId(),
                run.id(),
                kind,
                cycle,
                DispatchState.PENDING,
                0,
                now,
                cycle == 1
                        ? now
                        : now.plus(
                                PAUSE_MIN.multipliedBy(1L << Math.min(DOUBLINGS_MAX, cycle - 2))),
                null,
                null,
                null);
        books.dispatches().insert(dispatch);
        books.record(
                now, run.id(), null, kind + "_ASKED", List.of(DispatchColumns.added(dispatch)));
    }
}
