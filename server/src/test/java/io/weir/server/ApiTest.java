package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ledger.fsck.Finding;
import io.weir.ledger.outside.OutsideSettings;
import io.weir.server.access.Role;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A house with one server, and books that are clean after every test of the class. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ApiTest {
    House house;
    WeirServer server;
    Api api;
    Api operator;

    OutsideSettings settings() {
        return OutsideSettings.DEFAULTS;
    }

    @BeforeAll
    void open() {
        house = new House();
        server = house.server(settings());
        api = house.api(server, Role.WORKER);
        operator = house.api(server, Role.OPERATOR);
    }

    @AfterAll
    void close() {
        List<Finding> findings = house.books.fsck();
        house.close();
        assertThat(findings)
                .allSatisfy(
                        finding -> assertThat(finding.rows()).as(finding.id()).isEmpty());
    }

    /** Every call from a thread of its own, all of them at once. */
    static <T> List<T> atOnce(int count, Callable<T> call) {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        CyclicBarrier start = new CyclicBarrier(count);
        try {
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                futures.add(threads.submit(() -> {
                    start.await();
                    return call.call();
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            threads.shutdown();
        }
    }
}
