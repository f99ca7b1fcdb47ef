package io.weir.flow.replicate;

import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaBooks;
import io.weir.ledger.replica.ReplicaBooks.Hold;
import io.weir.ledger.replica.ReplicaState;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which tables of a job do not hold what was committed at the source long enough ago. One object
 * for all claims of a process, so that a source out of reach counts. Safe for use by many threads.
 */
final class LagWatch {
    /** A mark is a transaction of the source, so there are few of them. */
    private static final int MARKS_IN_A_LAG = 8;

    private final ReplicaBooks books;
    private final String job;
    private final boolean continuous;
    private final @Nullable Duration max;
    private final Map<String, Instant> current = new HashMap<>();
    private final Map<String, Boolean> entered = new HashMap<>();
    private @Nullable Instant begun;
    private @Nullable Asked asked;
    private @Nullable Instant marked;
    private boolean looked;

    LagWatch(ReplicaBooks books, ReplicatedJob job) {
        this.books = books;
        this.job = job.name();
        this.continuous = job.isContinuous();
        this.max = job.lagMax();
    }

    /**
     * What was committed at the source at a time.
     *
     * @param mark a table that is behind this place holds it; null: one that is where its window
     *     ends
     */
    private record Asked(Instant at, @Nullable Long mark) {}

    /** A round of windows is about to begin; all that is committed now is asked of it or later. */
    void begin(LogOrigin origin) {
        Duration most = max;
        if (most == null) {
            return;
        }
        Instant now = books.now();
        synchronized (this) {
            Instant before = marked;
            boolean due =
                    before == null || !now.isBefore(before.plus(most.dividedBy(MARKS_IN_A_LAG)));
            if (continuous && (asked != null || !due)) {
                return;
            }
        }
        Long mark = continuous ? origin.mark() : null;
        synchronized (this) {
            marked = now;
            asked = new Asked(now, mark);
        }
    }

    /** A round ended; tables are where they are in the books. */
    void end(Hold hold, WindowEnds ends) {
        if (max == null) {
            return;
        }
        List<Replica> replicas = books.replicas(job);
        synchronized (this) {
            looked = true;
            Asked wish = asked;
            if (wish != null) {
                replicas.stream()
                        .filter(replica -> holds(replica, wish, ends))
                        .forEach(replica -> current.put(replica.table(), wish.at()));
                Long mark = wish.mark();
                asked = mark == null || ends.to().place() > mark ? null : wish;
            }
        }
        look(hold);
    }

    private static boolean holds(Replica replica, Asked wish, WindowEnds ends) {
        LogPlace verified = replica.verified();
        LogPlace end = ends.of(replica.table());
        Long mark = wish.mark();
        return verified != null
                && end != null
                && (mark == null ? verified.place() >= end.place() : verified.place() > mark);
    }

    /** Enters which tables are late by now, and which no longer are. */
    synchronized void look(Hold hold) {
        Duration most = max;
        if (most == null) {
            return;
        }
        Instant now = books.now();
        Instant first = begun == null ? now : begun;
        begun = first;
        for (Replica replica : books.replicas(job)) {
            Instant at = current.get(replica.table());
            if (replica.state() != ReplicaState.RUNNING) {
                // Its stop or its load is told; time counts anew once it runs, but nobody
                // says that one caught up because it rested.
                if (!Boolean.TRUE.equals(entered.get(replica.table()))) {
                    current.computeIfPresent(replica.table(), (table, before) -> now);
                }
            } else if (at != null || looked || !now.isBefore(first.plus(most))) {
                // What a process finds at its start it may mend in its first round.
                boolean late = at == null || at.plus(most).isBefore(now);
                if (!Boolean.valueOf(late).equals(entered.get(replica.table()))) {
                    entered.put(replica.table(), books.late(hold, replica.table(), at, most));
                }
            }
        }
    }
}
