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
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Lets calls of several threads share one transaction, and so one commit. Nobody waits for company:
 * a call that finds a free lane goes at once, alone; those that come while all lanes are busy go
 * together when one is free again.
 *
 * <p>A bundle only carries what is plain. A call that it cannot answer comes back without an answer
 * and its thread carries it out by itself, in a transaction of its own that decides from the start.
 * So does every call of a bundle that failed: if only the answer was lost, that transaction finds
 * what the bundle wrote.
 */
public final class Bundles<C, A> {
    private static final Logger LOG = LoggerFactory.getLogger(Bundles.class);

    /** While one bundle waits for the disk another one is prepared. */
    private static final int LANES = 2;

    private static final int CALLS_MAX = 64;

    private final Function<List<C>, List<Optional<A>>> carrier;
    private final boolean oneFate;
    private final Deque<Ticket<C, A>> waiting = new ArrayDeque<>();
    private int busy;

    /**
     * Makes lanes that are all free.
     *
     * @param carrier carries out a bundle; answers each call, in order, or leaves it to its thread
     */
    public Bundles(Function<List<C>, List<Optional<A>>> carrier) {
        this(carrier, false);
    }

    private Bundles(Function<List<C>, List<Optional<A>>> carrier, boolean oneFate) {
        this.carrier = carrier;
        this.oneFate = oneFate;
    }

    /** The same where nothing was written if the carrier throws: all calls of a bundle do then. */
    public static <C, A> Bundles<C, A> ofOneFate(Function<List<C>, List<Optional<A>>> carrier) {
        return new Bundles<>(carrier, true);
    }

    /**
     * Carries out a call together with those of other threads.
     *
     * @return empty if the call has to be carried out alone
     */
    public Optional<A> call(C call) {
        Ticket<C, A> ticket = new Ticket<>(call);
        join(ticket);
        List<Ticket<C, A>> bundle = ticket.turn.join();
        if (!bundle.isEmpty()) {
            carry(bundle);
        }
        WeirException failure = ticket.failure;
        if (failure != null) {
            throw failure;
        }
        return ticket.answer;
    }

    private synchronized void join(Ticket<C, A> ticket) {
        if (busy < LANES) {
            busy++;
            ticket.turn.complete(List.of(ticket));
        } else {
            waiting.add(ticket);
        }
    }

    /** How many calls wait for a lane. */
    public synchronized int waiting() {
        return waiting.size();
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
        } finally {
            pass();
            // Those of the others; the first of a bundle is the thread that is here.
            bundle.stream().skip(1).forEach(ticket -> ticket.turn.complete(List.of()));
        }
    }

    /** Gives the lane to those who wait; the first of them carries the others. */
    private synchronized void pass() {
        List<Ticket<C, A>> next = new ArrayList<>();
        while (next.size() < CALLS_MAX && !waiting.isEmpty()) {
            next.add(waiting.remove());
        }
        if (next.isEmpty()) {
            busy--;
        } else {
            next.get(0).turn.complete(next);
        }
    }

    /** A call that waits for its turn to carry a bundle, or to be told that it was carried. */
    private static final class Ticket<C, A> {
        final C call;

        /** The bundle to carry; empty if another thread has carried this call. */
        final CompletableFuture<List<Ticket<C, A>>> turn = new CompletableFuture<>();

        Optional<A> answer = Optional.empty();

        @Nullable
        WeirException failure;

        Ticket(C call) {
            this.call = call;
        }
    }
}
