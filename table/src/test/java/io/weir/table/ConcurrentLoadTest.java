package io.weir.table;

import static io.weir.table.LakeFixture.attempt;
import static io.weir.table.LakeFixture.balance;
import static io.weir.table.LakeFixture.staged;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishMode;
import io.weir.core.row.Balance;
import io.weir.core.run.RunId;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Many runs append to one table at once, without any lock but the catalog's own. */
class ConcurrentLoadTest {
    private static final int THREADS = 6;
    private static final int LOADS = 3;
    private static final int TRIES_MAX = 200;

    @TempDir
    Path warehouse;

    private final AtomicLong epochs = new AtomicLong();
    private final Map<String, Balance> books = new ConcurrentHashMap<>();

    @Test
    void balanceIsTheSumOfEverythingPublished() throws Exception {
        try (LakeFixture lake = new LakeFixture(warehouse);
                LakeCatalog second = LakeCatalog.open(lake.config())) {
            LakeTable table = lake.prepare();
            CyclicBarrier start = new CyclicBarrier(THREADS);
            ExecutorService pool = Executors.newFixedThreadPool(THREADS);
            try {
                List<Future<Balance>> loads = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    int thread = i;
                    LakeTable own = (i % 2 == 0 ? lake.catalog() : second).load(LakeFixture.TARGET);
                    loads.add(pool.submit(() -> {
                        start.await(60, TimeUnit.SECONDS);
                        return loadAll(own, thread);
                    }));
                }
                Balance expected = Balance.ZERO;
                for (Future<Balance> load : loads) {
                    expected = expected.plus(load.get(300, TimeUnit.SECONDS));
                }
                assertThat(table.balance()).isEqualTo(expected);
                assertBooks(lake, table, expected);
            } finally {
                pool.shutdownNow();
            }
        }
    }

    /** The balance that the files themselves add up to equals the one that the table tells. */
    private void assertBooks(LakeFixture lake, LakeTable table, Balance expected) {
        List<FileEntry> files = table.filesOf(table.currentSnapshotId());
        assertThat(files).hasSize(THREADS * LOADS);
        Balance recomputed = Balance.ZERO;
        Map<String, Balance> unseen = new HashMap<>(books);
        for (FileEntry file : files) {
            Balance own = Objects.requireNonNull(unseen.remove(file.path()), file.path());
            assertThat(file.rows()).isEqualTo(own.rows());
            recomputed = recomputed.plus(own);
        }
        assertThat(recomputed).isEqualTo(expected);
        assertThat(unseen).isEmpty();
        assertThat(lake.foreignTable().currentSnapshot().summary())
                .containsEntry("total-records", Long.toString(expected.rows()));
        assertThat(lake.foreignTable().properties())
                .containsEntry("weir.balance.digest", expected.digestText());
        assertThat(lake.foreignTable().refs()).containsOnlyKeys("main");
    }

    private Balance loadAll(LakeTable table, int thread) {
        Balance sum = Balance.ZERO;
        for (int i = 0; i < LOADS; i++) {
            // Large digests, so that carries between the halves happen.
            Balance delta = new Balance(thread + i + 1, 0x7000_0000_0000_0000L + i, -1L - thread);
            RunId run = new RunId(UUID.randomUUID());
            StagedFile file = LakeFixture.file(table, run, "f" + i, delta.rows());
            books.put(file.path(), delta);
            publish(table, run, List.of(file), delta);
            sum = sum.plus(delta);
        }
        return sum;
    }

    private void publish(LakeTable table, RunId run, List<StagedFile> files, Balance delta) {
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            PublishAttempt open = attempt(run, table.currentSnapshotId(), epochs.incrementAndGet());
            PublishAttempt attempt =
                    staged(open, table.stage(open, PublishMode.APPEND, files, delta));
            Published published = table.publish(attempt, PublishMode.APPEND);
            if (published.outcome() == Published.Outcome.PUBLISHED) {
                return;
            }
            assertThat(published.outcome()).isEqualTo(Published.Outcome.MOVED);
            table.discard(attempt);
        }
        throw new IllegalStateException("Not published in " + TRIES_MAX + " tries");
    }

    @Test
    void balanceOfTwoCommittersAddsUp() {
        try (LakeFixture lake = new LakeFixture(warehouse)) {
            LakeTable table = lake.prepare();
            LakeFixture.load(table, 1, PublishMode.APPEND, balance(1, Long.MAX_VALUE));
            LakeFixture.load(
                    lake.catalog().load(LakeFixture.TARGET),
                    2,
                    PublishMode.APPEND,
                    balance(1, Long.MAX_VALUE));

            assertThat(table.balance())
                    .isEqualTo(Balance.of(2, "0000000000000000fffffffffffffffe"));
        }
    }
}
