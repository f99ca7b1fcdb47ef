package io.weir.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Runs calls that all begin in the same moment. */
final class AtOnce {
    private static final int SECONDS_MAX = 60;

    private AtOnce() {}

    static <T> List<T> call(List<Callable<T>> calls) throws Exception {
        CyclicBarrier start = new CyclicBarrier(calls.size());
        ExecutorService threads = Executors.newFixedThreadPool(calls.size());
        try {
            List<Future<T>> futures = new ArrayList<>();
            for (Callable<T> call : calls) {
                futures.add(threads.submit(() -> {
                    start.await(SECONDS_MAX, TimeUnit.SECONDS);
                    return call.call();
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get(SECONDS_MAX, TimeUnit.SECONDS));
            }
            return results;
        } finally {
            threads.shutdownNow();
            assertThat(threads.awaitTermination(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        }
    }
}
