package io.weir.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that call as fast as they are answered. */
final class Clients {
    private static final double NANOS = 1e9;

    private Clients() {}

    /** One call; says how many things it did, 0 if there is nothing left to do. */
    interface Call {
        int call();
    }

    /**
     * Lets every client call again and again in a thread of its own, until the time is over or it
     * has nothing left to do.
     *
     * @return things done per second
     */
    static double rate(List<Call> clients, int seconds) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(clients.size());
        try {
            long start = System.nanoTime();
            long end = start + (long) (seconds * NANOS);
            List<Callable<Long>> loops = new ArrayList<>();
            for (Call client : clients) {
                loops.add(() -> loop(client, end));
            }
            long done = 0;
            for (Future<Long> loop : threads.invokeAll(loops)) {
                done += loop.get();
            }
            return done / ((System.nanoTime() - start) / NANOS);
        } finally {
            threads.shutdownNow();
        }
    }

    private static long loop(Call client, long end) {
        long done = 0;
        while (System.nanoTime() < end) {
            int more = client.call();
            if (more == 0) {
                break;
            }
            done += more;
        }
        return done;
    }
}
