package io.weir.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that call as fast as they are answered. */
final class Clients {
    private static final double NANOS = 1e9;
    private static final double NANOS_OF_MILLI = 1e6;

    private Clients() {}

    /** One call; says how many things it did, 0 if there is nothing left to do. */
    interface Call {
        int call();
    }

    /**
     * How fast clients were together.
     *
     * @param perSecond things done
     * @param p50 milliseconds that a call took, and half of them took no longer; 0 without a call
     * @param p99 the same of 99 of a hundred
     */
    record Pace(double perSecond, double p50, double p99) {
        private static final double HALF = 0.5;
        private static final double NEARLY_ALL = 0.99;

        static Pace of(double perSecond, List<Double> millis) {
            List<Double> sorted = new ArrayList<>(millis);
            Collections.sort(sorted);
            return new Pace(perSecond, at(sorted, HALF), at(sorted, NEARLY_ALL));
        }

        private static double at(List<Double> sorted, double share) {
            int rank = (int) Math.ceil(share * sorted.size());
            return sorted.isEmpty() ? 0 : sorted.get(Math.max(0, rank - 1));
        }
    }

    /**
     * Lets every client call again and again in a thread of its own, until the time is over or it
     * has nothing left to do.
     *
     * @return how fast things were done, and how long calls took
     */
    static Pace pace(List<Call> clients, int seconds) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(clients.size());
        try {
            long start = System.nanoTime();
            long end = start + (long) (seconds * NANOS);
            List<Callable<Done>> loops = new ArrayList<>();
            for (Call client : clients) {
                loops.add(() -> loop(client, end));
            }
            long things = 0;
            List<Double> took = new ArrayList<>();
            for (Future<Done> loop : threads.invokeAll(loops)) {
                things += loop.get().things();
                took.addAll(loop.get().millis());
            }
            double perSecond = things / ((System.nanoTime() - start) / NANOS);
            return Pace.of(perSecond, took);
        } finally {
            threads.shutdownNow();
        }
    }

    /** What one client did, and how long each of its calls took. */
    private record Done(long things, List<Double> millis) {}

    private static Done loop(Call client, long end) {
        long things = 0;
        List<Double> millis = new ArrayList<>();
        long begin = System.nanoTime();
        while (begin < end) {
            int more = client.call();
            if (more == 0) {
                break;
            }
            long now = System.nanoTime();
            millis.add((now - begin) / NANOS_OF_MILLI);
            begin = now;
            things += more;
        }
        return new Done(things, millis);
    }
}
