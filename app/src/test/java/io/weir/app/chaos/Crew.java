package io.weir.app.chaos;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Two coordinators and three workers; who dies is started again. */
final class Crew {
    static final int COORDINATORS = 2;
    static final int WORKERS = 3;

    private static final Duration AFTER_A_FAILURE = Duration.ofMillis(500);
    private static final Duration POLITE = Duration.ofSeconds(60);

    private final House house;
    private final Clock loading;
    private final Clock working = new Clock();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "crew");
        thread.setDaemon(true);
        return thread;
    });
    private final List<Future<?>> coordinators = new ArrayList<>();
    private final List<Future<?>> workers = new ArrayList<>();
    private final AtomicReferenceArray<@Nullable Client> loads =
            new AtomicReferenceArray<>(COORDINATORS);
    private final AtomicReferenceArray<@Nullable Client> helpers =
            new AtomicReferenceArray<>(WORKERS);

    /**
     * Prepares the crew.
     *
     * @param loading while it goes on, coordinators begin new loads
     */
    Crew(House house, Clock loading) {
        this.house = house;
        this.loading = loading;
    }

    void start(long seed) {
        for (int i = 0; i < WORKERS; i++) {
            int index = i;
            workers.add(threads.submit(() -> work(index)));
        }
        for (int i = 0; i < COORDINATORS; i++) {
            int index = i;
            coordinators.add(threads.submit(() -> load(index, new Random(seed + index))));
        }
    }

    @Nullable
    Client coordinator(int index) {
        return loads.get(index);
    }

    @Nullable
    Client worker(int index) {
        return helpers.get(index);
    }

    /** One load after the other; after a kill sometimes for the same business key again. */
    private void load(int index, Random random) {
        int number = 0;
        boolean again = false;
        while (!loading.isOver()) {
            number += again ? 0 : 1;
            // The two begin with different jobs and meet at every table.
            String job = (number + index) % 2 == 0 ? "cut" : "events";
            String key = "c" + index + "-" + number;
            Client client = house.start("load", "--job", job, "--business-key", key);
            loads.set(index, client);
            client.awaitEnd();
            again = client.exitCode() != 0 && random.nextBoolean();
            if (client.exitCode() != 0) {
                loading.await(AFTER_A_FAILURE);
            }
        }
    }

    private void work(int index) {
        while (!working.isOver()) {
            Client client = house.start("worker");
            helpers.set(index, client);
            client.awaitEnd();
            working.await(AFTER_A_FAILURE);
        }
    }

    /** Waits for loads under way; whether they ended in time. */
    boolean awaitLoads(Duration limit) {
        return Clock.until(limit, () -> coordinators.stream().allMatch(Future::isDone));
    }

    /** Asks workers to stop; whether they did in time. */
    boolean stopWorkers() throws InterruptedException {
        working.end();
        Clock.until(POLITE, () -> {
            for (int i = 0; i < WORKERS; i++) {
                Client client = helpers.get(i);
                if (client != null && client.isAlive()) {
                    client.stopPolitely();
                }
            }
            return workers.stream().allMatch(Future::isDone);
        });
        threads.shutdown();
        return threads.awaitTermination(1, TimeUnit.SECONDS);
    }

    /** What a thread of the crew died of. */
    void rethrow() throws Exception {
        for (Future<?> thread : coordinators) {
            thread.get();
        }
        for (Future<?> thread : workers) {
            thread.get();
        }
    }
}
