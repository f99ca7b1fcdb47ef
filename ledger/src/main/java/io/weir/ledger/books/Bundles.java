package io.weir.ledger.books;

import io.weir.core.error.WeirException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Lets calls of several threads share one transaction, and so one commit. Who is alone goes at
 * once. Where several come again and again, the first of a bundle waits a moment for those that
 * were there lately: what a transaction takes whatever is in it costs them more than the moment.
 *
 * <p>A bundle only carries what is plain. A call that it cannot answer comes back without an answer
 * and its thread carries it out by itself, in a transaction of its own that decides from the start.
 * So does every call of a bundle that failed: if only the answer was lost, that transaction finds
 * what the bundle wrote.
 */
public final class Bundles<C, A> {
    private static final Logger LOG = LoggerFactory.getLogger(Bundles.class);

    /** While one bundle waits for the disk another one is carried. */
    private static final int LANES = 2;

    /** What goes in one bundle before it is worth to have a second one at the same time. */
    private static final int WEIGHT_OF_LANE = 8;

    private static final int CALLS_MAX = 64;

    /** A tenth of what a bundle of some calls takes. */
    private static final long GATHER_NANOS = 100_000;

    /** What a bundle may wait besides for each thing that its calls are about. */
    private static final long NANOS_OF_WEIGHT = 1_000;

    private final Function<List<C>, List<Optional<A>>> carrier;
    private final ToIntFunction<C> weigher;
    private final boolean oneFate;
    private final int lanes;
    private final long gatherNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition joined = lock.newCondition();
    private final Deque<Ticket<C, A>> waiting = new ArrayDeque<>();
    private final Set<Thread> carrying = ConcurrentHashMap.newKeySet();
    private int busy;

    /** Calls that are not answered yet, and what they weigh. */
    private int present;

    private int weight;

    /** The most calls that were present lately, and the most that they weighed. */
    private int crowd;

    private int weightOfCrowd;

    /**
     * Makes lanes that are all free.
     *
     * @param carrier carries out a bundle; answers each call, in order, or leaves it to its thread
     * @param weigher how many things a call is about
     */
    public Bundles(Function<List<C>, List<Optional<A>>> carrier, ToIntFunction<C> weigher) {
        this(carrier, weigher, false, LANES, GATHER_NANOS);
    }

    /**
     * The same.
     *
     * @param lanes how many bundles are under way at once
     * @param gatherNanos how long a bundle of few things waits for calls at most; 0 for not at all
     */
    Bundles(
            Function<List<C>, List<Optional<A>>> carrier,
            ToIntFunction<C> weigher,
            boolean oneFate,
            int lanes,
            long gatherNanos) {
        this.carrier = carrier;
        this.weigher = weigher;
        this.oneFate = oneFate;
        this.lanes = lanes;
        this.gatherNanos = gatherNanos;
    }

    /**
     * The same where nothing was written if the carrier throws: all calls of a bundle do then. For
     * callers that come over a network: those that were answered are not back before it would be
     * worth to wait for them, so a bundle carries what is there.
     */
    public static <C, A> Bundles<C, A> ofOneFate(
            Function<List<C>, List<Optional<A>>> carrier, ToIntFunction<C> weigher) {
        return new Bundles<>(carrier, weigher, true, LANES, 0);
    }

    /**
     * Carries out a call together with those of other threads.
     *
     * @return empty if the call has to be carried out alone
     */
    public Optional<A> call(C call) {
        Ticket<C, A> ticket = new Ticket<>(call, weigher.applyAsInt(call));
        if (carrying.contains(Thread.currentThread())) {
            // A call out of a bundle would wait for itself.
            carry(List.of(ticket));
            return answered(ticket);
        }
        join(ticket);
        if (ticket.turn.join() == Turn.CARRY) {
            carryInLane(gather(ticket));
        }
        return answered(ticket);
    }

    private static <C, A> Optional<A> answered(Ticket<C, A> ticket) {
        WeirException failure = ticket.failure;
        if (failure != null) {
            throw failure;
        }
        return ticket.answer;
    }

    private void join(Ticket<C, A> ticket) {
        lock.lock();
        try {
            present++;
            weight += ticket.weight;
            crowd = Math.max(crowd, present);
            weightOfCrowd = Math.max(weightOfCrowd, weight);
            if (busy < worthwhile()) {
                busy++;
                ticket.turn.complete(Turn.CARRY);
            } else {
                waiting.add(ticket);
                if (waiting.size() + 1 >= wanted()) {
                    joined.signalAll();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many lanes are worth to be used. */
    private int worthwhile() {
        return Math.max(1, Math.min(lanes, weightOfCrowd / WEIGHT_OF_LANE));
    }

    /** How many calls are to go together. */
    private int wanted() {
        return Math.min(CALLS_MAX, (crowd + worthwhile() - 1) / worthwhile());
    }

    private List<Ticket<C, A>> gather(Ticket<C, A> first) {
        List<Ticket<C, A>> bundle = new ArrayList<>(List.of(first));
        lock.lock();
        try {
            long left = gatherNanos == 0 ? 0 : gatherNanos + NANOS_OF_WEIGHT * weightOfCrowd;
            while (left > 0 && waiting.size() + 1 < wanted()) {
                left = joined.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            // Whoever is asked to stop still carries what has joined it.
            Thread.currentThread().interrupt();
        } finally {
            while (bundle.size() < CALLS_MAX && !waiting.isEmpty()) {
                bundle.add(waiting.remove());
            }
            lock.unlock();
        }
        return bundle;
    }

    /** How many calls wait for a lane. */
    int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    private void carryInLane(List<Ticket<C, A>> bundle) {
        carrying.add(Thread.currentThread());
        try {
            carry(bundle);
        } finally {
            carrying.remove(Thread.currentThread());
            pass(bundle);
            // Those of the others; the first of a bundle is the thread that is here.
            bundle.stream().skip(1).forEach(ticket -> ticket.turn.complete(Turn.CARRIED));
        }
    }

    private void carry(List<Ticket<C, A>> bundle) {
        try {
            List<Optional<A>> answers =
                    carrier.apply(bundle.stream().map(ticket -> ticket.call).toList());
            for (int i = 0; i < bundle.size(); i++) {
                bundle.get(i).answer = answers.get(i);
            }
        } catch (WeirException e) {
            if (oneFate) {
                bundle.forEach(ticket -> ticket.failure = e);
            } else {
                LOG.debug("A bundle failed; each of its calls goes alone", e);
            }
        }
    }

    /** Gives the lane to the next that waits, unless another lane had better take it. */
    private void pass(List<Ticket<C, A>> answered) {
        lock.lock();
        try {
            int answeredWeight =
                    answered.stream().mapToInt(ticket -> ticket.weight).sum();
            crowd = Math.max(present, crowd - 1);
            weightOfCrowd = Math.max(weight, weightOfCrowd - Math.max(1, weightOfCrowd / crowd));
            present -= answered.size();
            weight -= answeredWeight;
            if (waiting.isEmpty() || busy > worthwhile()) {
                busy--;
            } else {
                waiting.remove().turn.complete(Turn.CARRY);
            }
        } finally {
            lock.unlock();
        }
    }

    /** What becomes of a call. */
    private enum Turn {
        /** It carries itself and those that join it. */
        CARRY,
        /** Another thread has carried it. */
        CARRIED
    }

    /** A call that waits for its turn. */
    private static final class Ticket<C, A> {
        final C call;
        final int weight;
        final CompletableFuture<Turn> turn = new CompletableFuture<>();
        Optional<A> answer = Optional.empty();

        @Nullable
        WeirException failure;

        Ticket(C call, int weight) {
            this.call = call;
            this.weight = weight;
        }
    }
}
