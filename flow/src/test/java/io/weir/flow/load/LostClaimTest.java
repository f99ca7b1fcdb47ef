package io.weir.flow.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.Claim;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.RunFilter;
import io.weir.core.publish.PublishMode;
import io.weir.core.row.Balance;
import io.weir.core.run.Chunk;
import io.weir.core.run.KeyRange;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.source.Source;
import io.weir.table.FileEntry;
import io.weir.table.LakeTable;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Workers that stand still past their lease. A lease ends by SQL, never by waiting. */
class LostClaimTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String SUM = "12502500.00";

    @TempDir
    Path directory;

    private LoadHouse house;

    @BeforeEach
    void open() {
        house = new LoadHouse(directory);
        house.shop.execute(
                "create table orders (id bigint primary key, amount numeric(12, 2), note text)",
                "insert into orders select n, n, repeat('x', 40) from generate_series(1, 5000) n");
    }

    @AfterEach
    void close() {
        house.close();
    }

    private static LoadJob job(RecoveryMode recovery) {
        LoadJob job = LoadHouse.job("orders", PublishMode.APPEND);
        return new LoadJob(
                job.name(),
                job.source(),
                job.table(),
                job.target(),
                job.publish(),
                job.verify(),
                job.allowEmpty(),
                job.partitionBytes(),
                job.chunkBytes(),
                job.partitionBy(),
                recovery,
                job.timeout());
    }

    private RunDetail load(RecoveryMode recovery, HookedSource.Hook hook) {
        try (Source source = new HookedSource(house.source(), hook)) {
            return house.flow()
                    .load(source, List.of(job(recovery)), "monday", LoadHouse.SILENT)
                    .get(0);
        }
    }

    private Run run() {
        return house.ledger.runs(new RunFilter("orders", false, 1)).get(0);
    }

    private Partition partition(KeyRange range) {
        return house.ledger.detail(run().id()).partitions().stream()
                .filter(partition -> partition.range().equals(range))
                .findFirst()
                .orElseThrow();
    }

    private Claim claimOf(KeyRange range) {
        Partition now = partition(range);
        return new Claim(now.runId(), now.id(), Objects.requireNonNull(now.token()), now.epoch());
    }

    /** The worker of the claim gives no sign for longer than its lease. */
    private void lose(Claim claim) {
        await().atMost(PATIENCE).until(() -> {
            house.books.execute(
                    "update weir.partition set lease_until = clock_timestamp() - interval '1 s'"
                            + " where state = 'RUNNING' and id = '" + claim.partitionId()
                            + "' and epoch = " + claim.epoch());
            house.ledger.sweep();
            RunDetail detail = house.ledger.detail(claim.runId());
            Partition now = detail.partitions().stream()
                    .filter(partition -> partition.id().equals(claim.partitionId()))
                    .findFirst()
                    .orElseThrow();
            return now.epoch() > claim.epoch() || now.state() != PartitionState.RUNNING;
        });
    }

    private void assertExact() {
        assertThat(run().state()).isEqualTo(RunState.SUCCESS);
        assertThat(house.rows("sales.orders")).isEqualTo("5000");
        assertThat(house.query("sales.orders", "select sum(amount) from sales.orders"))
                .isEqualTo(SUM);
    }

    private void assertReadByNobody(Claim claim) {
        String left = "/p=" + claim.partitionId() + "/e=" + claim.epoch() + "/";
        LakeTable table = house.catalog.load("sales.orders");
        assertThat(table.filesOf(table.currentSnapshotId()))
                .extracting(FileEntry::path)
                .noneMatch(path -> path.contains(left));
        assertThat(house.ledger.detail(claim.runId()).chunks())
                .extracting(Chunk::path)
                .noneMatch(path -> path != null && path.contains(left));
    }

    /** Stands still once, at the second chunk of the partition that is read first. */
    private abstract static class Pause implements HookedSource.Hook {
        final AtomicReference<KeyRange> paused = new AtomicReference<>();
        final AtomicReference<Claim> lost = new AtomicReference<>();

        @Override
        public void chunk(KeyRange range, int index) {
            if (index == 1 && paused.compareAndSet(null, range)) {
                pause(range);
            }
        }

        abstract void pause(KeyRange range);
    }

    // F2 F3 F4 F17
    @Test
    void aWorkerThatWakesAfterItsLeaseIsRefusedAndItsFilesAreReadByNobody() {
        Pause pause = new Pause() {
            @Override
            void pause(KeyRange range) {
                // Read again at the same snapshot: what changed since is not seen.
                house.shop.execute(
                        "update orders set amount = -1", "delete from orders where id<9");
                lost.set(claimOf(range));
                lose(known(lost));
                await().atMost(PATIENCE)
                        .until(() -> partition(range).state() == PartitionState.SUCCESS);
            }
        };

        RunDetail detail = load(RecoveryMode.REISSUE, pause);

        Claim claim = known(pause.lost);
        assertThat(partition(known(pause.paused)).epoch()).isEqualTo(claim.epoch() + 1);
        assertThat(detail.partitions()).allMatch(p -> p.state() == PartitionState.SUCCESS);
        assertExact();
        assertReadByNobody(claim);
        ChunkReport late = new ChunkReport(1, 10, new Balance(1, 1, 1), List.of(), true);
        assertThatThrownBy(() -> house.ledger.reportChunks(claim, List.of(late)))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CLAIM_MISMATCH));
    }

    // F17
    @Test
    void aWorkerThatItsHeartbeatTellsToStopDoesNotEndTheLoad() {
        CountDownLatch told = new CountDownLatch(1);
        Pause pause = new Pause() {
            @Override
            void pause(KeyRange range) {
                lost.set(claimOf(range));
                lose(known(lost));
                assertThat(awaits(told)).isTrue();
            }

            @Override
            public void stopped(KeyRange range) {
                if (range.equals(paused.get())) {
                    told.countDown();
                }
            }
        };

        load(RecoveryMode.REISSUE, pause);

        assertThat(partition(known(pause.paused)).epoch())
                .isEqualTo(known(pause.lost).epoch() + 1);
        assertExact();
        assertReadByNobody(known(pause.lost));
    }

    private static boolean awaits(CountDownLatch latch) {
        try {
            return latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    // F2
    @Test
    void withoutRecoveryALostWorkerEndsTheRun() {
        Pause pause = new Pause() {
            @Override
            void pause(KeyRange range) {
                lost.set(claimOf(range));
                lose(known(lost));
            }
        };

        assertThatThrownBy(() -> load(RecoveryMode.FAIL, pause))
                .hasMessageContaining("every claim was lost");

        assertThat(run().state()).isEqualTo(RunState.TIMED_OUT);
        assertThat(house.rows("sales.orders")).isEqualTo("0");
        assertThat(house.load(job(RecoveryMode.FAIL), "monday").run().state())
                .isEqualTo(RunState.SUCCESS);
        assertThat(house.rows("sales.orders")).isEqualTo("5000");
    }

    // F45
    @Test
    void aPartitionThatLosesEveryWorkerEndsTheRunAndIsNamed() {
        AtomicReference<KeyRange> poison = new AtomicReference<>();
        HookedSource.Hook hook = new HookedSource.Hook() {
            @Override
            public void chunk(KeyRange range, int index) {
                poison.compareAndSet(null, range);
                if (index == 0 && range.equals(known(poison))) {
                    Partition now = partition(range);
                    if (now.state() == PartitionState.RUNNING) {
                        lose(claimOf(range));
                    }
                }
            }
        };

        assertThatThrownBy(() -> load(RecoveryMode.REISSUE, hook))
                .hasMessageContaining("every claim was lost (claims=5");

        Partition named = partition(known(poison));
        assertThat(named.state()).isEqualTo(PartitionState.FAILED);
        assertThat(run().state()).isEqualTo(RunState.FAILED_EXTRACT);
        assertThat(Objects.requireNonNull(run().failure()).code())
                .isEqualTo("REISSUE_ATTEMPTS_EXHAUSTED");
        assertThat(Objects.requireNonNull(run().failure()).message())
                .contains("partition " + named.id());
        assertThat(house.rows("sales.orders")).isEqualTo("0");
    }

    // F2
    @Test
    void aSnapshotThatNobodyKeepsEndsTheRun() {
        Pause pause = new Pause() {
            @Override
            void pause(KeyRange range) {
                await().atMost(PATIENCE).until(() -> {
                    house.endLeases();
                    house.ledger.sweep();
                    return !run().state().isActive();
                });
            }
        };

        assertThatThrownBy(() -> load(RecoveryMode.REISSUE, pause))
                .hasMessageContaining("no process keeps its snapshot any more");

        assertThat(run().state()).isEqualTo(RunState.FAILED_SNAPSHOT_EXPIRED);
        assertThat(house.rows("sales.orders")).isEqualTo("0");
    }

    private static <T> T known(AtomicReference<@Nullable T> value) {
        return Objects.requireNonNull(value.get(), "seen by the test");
    }
}
