package io.weir.flow.replicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.AttemptState;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaWindow;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Tables of one job that are merged beside each other. */
class MergesAtOnceTest {
    private static final long PATIENCE_SECONDS = 60;

    @TempDir
    private Path directory;

    private ReplicaHouse house;

    @BeforeEach
    void open() {
        house = new ReplicaHouse(directory);
        house.once();
        house.source.execute(
                "update orders set version = 7 where id < 50",
                "update customers set version = 7 where id < 50",
                "update items set version = 7 where id < 50");
    }

    @AfterEach
    void close() {
        house.close();
    }

    /** Says how many run at once, and holds two windows until both are planned. */
    private static final class Pair implements ReplicateListener {
        private final CyclicBarrier both = new CyclicBarrier(2);
        private final List<String> said = new CopyOnWriteArrayList<>();
        private final List<String> met = new CopyOnWriteArrayList<>();

        @Override
        public void merging(int atOnce, int tables) {
            said.add(atOnce + " of " + tables);
        }

        @Override
        public void step(ReplicaWindow window, WindowStep step) {
            if (step == WindowStep.OPENED && met.size() < 2) {
                met.add(window.table());
                try {
                    both.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
                } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                    throw new IllegalStateException("No other window came", e);
                }
            }
        }
    }

    @Test
    void asManyTablesAreMergedAtOnceAsHaveRoom() {
        Pair pair = new Pair();
        assertThat(house.once(house.job(), pair).isVerified()).isTrue();
        assertThat(pair.said).containsExactly("2 of 3");
        assertThat(pair.met).hasSize(2);
        assertThat(house.different()).isEmpty();
    }

    /** The table with the most to merge comes first, whatever its name. */
    @Test
    void littleFreeMemoryMeansOneAtATimeTheLargestFirst() {
        house.freeBytes = 0;
        house.source.execute("insert into orders select i, 0, 1, null, repeat(md5(i::text), 20)"
                + " from generate_series(1000, 15000) i");
        List<String> said = new CopyOnWriteArrayList<>();
        ReplicateListener listener = new ReplicateListener() {
            @Override
            public void merging(int atOnce, int tables) {
                said.add(atOnce + " of " + tables);
            }

            @Override
            public void step(ReplicaWindow window, WindowStep step) {
                if (step == WindowStep.OPENED) {
                    said.add(window.table());
                }
            }
        };
        assertThat(house.once(house.job(), listener).isVerified()).isTrue();
        assertThat(said)
                .containsExactly("1 of 3", "public.orders", "public.customers", "public.items");
        assertThat(house.different()).isEmpty();
    }

    /** Runs out of memory while another one is merged; when it is done again, no other one is. */
    @Test
    void aMergeThatRunsOutOfMemoryIsDoneAgainAlone() {
        List<String> alone = new CopyOnWriteArrayList<>();
        ReplicateListener listener = new ReplicateListener() {
            private boolean done;

            @Override
            public synchronized void step(ReplicaWindow window, WindowStep step) {
                if (step == WindowStep.PLANNED && window.table().equals("public.items") && !done) {
                    done = true;
                    throw new WeirException(
                            ErrorCode.ENGINE_MEMORY_EXCEEDED, "Cannot merge: Out of Memory Error");
                }
            }

            @Override
            public void alone(Replica replica) {
                alone.add(replica.table());
                assertThat(house.lake("orders")).isEqualTo(house.sourced("orders"));
                assertThat(house.lake("customers")).isEqualTo(house.sourced("customers"));
            }
        };
        assertThat(house.once(house.job(), listener).isVerified()).isTrue();
        assertThat(alone).containsExactly("public.items");
        assertThat(house.different()).isEmpty();
        assertThat(house.replica("items").failures()).isZero();
        assertThat(house.replicas().windows("shop", 10))
                .filteredOn(window -> window.table().equals("public.items"))
                .extracting(window -> window.attempt().state())
                .containsExactly(AttemptState.PUBLISHED, AttemptState.FAILED);
    }

    /** What runs out of memory alone, too, failed; the others go on, and it is tried later. */
    @Test
    void aMergeThatRunsOutOfMemoryAloneFails() {
        ReplicateListener listener = new ReplicateListener() {
            @Override
            public void step(ReplicaWindow window, WindowStep step) {
                if (step == WindowStep.PLANNED && window.table().equals("public.items")) {
                    throw new WeirException(
                            ErrorCode.ENGINE_MEMORY_EXCEEDED, "Cannot merge: Out of Memory Error");
                }
            }
        };
        assertThat(house.once(house.job(), listener).isVerified()).isFalse();
        Replica items = house.replica("items");
        assertThat(items.failures()).isEqualTo(1);
        assertThat(items.stop()).isNull();
        assertThat(Objects.requireNonNull(items.failure())).contains("Out of Memory");
        assertThat(house.lake("orders")).isEqualTo(house.sourced("orders"));
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }
}
