package io.weir.flow.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.AttemptState;
import io.weir.core.run.Operator;
import io.weir.engine.MergeStrategy;
import io.weir.flow.load.Cancellation;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaBooks.Hold;
import io.weir.ledger.replica.ReplicaState;
import io.weir.ledger.replica.ReplicaWindow;
import io.weir.ledger.replica.Stop;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

/** Others who want the same job, the same target or another state of it. */
class RivalTest {
    private static final Operator ANNA = new Operator("anna", "wants it");

    @TempDir
    private Path directory;

    private ReplicaHouse house;

    @BeforeEach
    void open() {
        house = new ReplicaHouse(directory);
        house.once();
    }

    @AfterEach
    void close() {
        house.close();
    }

    private Hold claim(Duration lease) {
        return house.replicas()
                .claim(
                        "shop",
                        "shop",
                        house.job().slot(),
                        Map.of(),
                        UUID.randomUUID(),
                        "rival",
                        lease);
    }

    @Test
    void oneProcessAtATimeReplicatesAJob() {
        Hold rival = claim(Duration.ofMinutes(1));
        assertThatThrownBy(house::once)
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.REPLICATION_BUSY))
                .hasMessageContaining("owner=rival");
        house.replicas().release(rival);
        assertThat(house.once().isVerified()).isTrue();
    }

    /** Who lost the job between two steps of a window can do no more of them. */
    @Test
    void aProcessThatLostTheJobPublishesNothing() {
        house.source.execute("update orders set version = 5 where id = 1");
        List<Hold> rivals = new ArrayList<>();
        ReplicateListener robbed = new ReplicateListener() {
            @Override
            public void step(ReplicaWindow window, WindowStep step) {
                if (step == WindowStep.AUDITED) {
                    house.endLeases();
                    rivals.add(claim(Duration.ofMinutes(1)));
                }
            }
        };
        assertThatThrownBy(() -> house.once(house.job(), robbed))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.REPLICATION_BUSY));
        assertThat(house.query("select version from sales.orders where id = 1")).isEqualTo("0");
        house.replicas().release(rivals.get(0));
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
        assertThat(house.replicas().windows("shop", 5))
                .extracting(window -> window.attempt().state())
                .containsExactly(AttemptState.PUBLISHED, AttemptState.FAILED);
    }

    /** The commit was made, and whoever sent it never heard of it. */
    @Test
    void aPublishOfUnknownEndIsLookedUp() {
        house.source.execute("update orders set version = 5 where id = 1");
        ReplicateListener deaf = new ReplicateListener() {
            @Override
            public void step(ReplicaWindow window, WindowStep step) {
                if (step == WindowStep.SENT) {
                    throw new WeirException(ErrorCode.LEDGER_UNREACHABLE, "Cannot tell the books");
                }
            }
        };
        assertThatThrownBy(() -> house.once(house.job(), deaf)).isInstanceOf(WeirException.class);
        assertThat(house.query("select version from sales.orders where id = 1")).isEqualTo("5");
        assertThat(house.replicas().unsettled("shop", "public.orders")).hasSize(1);
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.replicas().windows("shop", 5))
                .extracting(window -> window.attempt().state())
                .containsExactly(AttemptState.PUBLISHED);
        assertThat(house.different()).isEmpty();
    }

    @Test
    void aForeignAppendStopsTheTableAlone() {
        house.appendForeign("orders");
        house.source.execute(
                "update orders set version = 5 where id = 1",
                "update items set version = 5 where id = 1");
        ReplicateReport report = house.once();
        assertThat(report.isVerified()).isFalse();
        Replica orders = house.replica("orders");
        assertThat(orders.state()).isEqualTo(ReplicaState.STOPPED);
        assertThat(Objects.requireNonNull(orders.stop()).code()).isEqualTo("TABLE_FOREIGN_WRITE");
        assertThat(house.lake("items")).isEqualTo(house.sourced("items"));
        house.replicas().rebuild("shop", "public.orders", ANNA);
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    @Test
    void aCompactionByAnotherEngineIsAcceptedAndEveryKeyLookedAt() {
        house.compactForeign("orders", rows -> rows);
        house.source.execute(
                "update orders set version = 5 where id <= 10", "delete from orders where id = 11");
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
        assertThat(house.lake("orders").rows()).isEqualTo(99);
        ReplicaWindow window = house.replicas().windows("shop", 1).get(0);
        assertThat(Objects.requireNonNull(window.figures()).allKeys()).isTrue();
        // The next window is one like any other.
        house.source.execute("update orders set version = 6 where id <= 10");
        assertThat(house.once().isVerified()).isTrue();
        ReplicaWindow next = house.replicas().windows("shop", 1).get(0);
        assertThat(Objects.requireNonNull(next.figures()).allKeys()).isFalse();
        assertThat(house.different()).isEmpty();
    }

    @Test
    void aCompactionThatLosesARowStopsTheTableAlone() {
        house.compactForeign("orders", rows -> rows.subList(1, rows.size()));
        house.source.execute(
                "update orders set version = 5 where id > 10",
                "update items set version = 5 where id > 10");
        assertThat(house.once().isVerified()).isFalse();
        Stop stop = Objects.requireNonNull(house.replica("orders").stop());
        assertThat(stop.code()).isEqualTo("TABLE_FOREIGN_WRITE");
        assertThat(stop.message()).contains("expected=100:", "found=99:");
        assertThat(stop.command()).isEqualTo("weir rebuild sales.orders");
        assertThat(house.query("select max(version) from sales.orders")).isEqualTo("0");
        assertThat(house.lake("items")).isEqualTo(house.sourced("items"));
        house.replicas().rebuild("shop", "public.orders", ANNA);
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    /** A failure is waited for in continuous mode, also by the next process. */
    @Test
    void aTableThatFailedIsLeftUntilItsPauseIsOver() {
        Hold hold = claim(Duration.ofMinutes(1));
        house.replicas().failed(hold, "public.orders", "the catalog is away", 1);
        house.replicas().release(hold);
        house.source.execute("update orders set version = 5", "update items set version = 5");
        Cancellation stop = new Cancellation();
        CountDownLatch merged = new CountDownLatch(1);
        house.forever(
                house.job(
                        MergeStrategy.ROW_HASH,
                        Initial.SNAPSHOT,
                        ReplicaHouse.TABLES,
                        Duration.ZERO),
                stop,
                new ReplicateListener() {
                    @Override
                    public void merged(Replica replica, TableResult result) {
                        if (replica.table().equals("public.items") && result.window() != null) {
                            merged.countDown();
                            stop.request();
                        }
                    }
                });
        assertThat(merged.getCount()).isZero();
        assertThat(house.replica("orders").failures()).isEqualTo(1);
        assertThat(house.query("select max(version) from sales.orders")).isEqualTo("0");
        // Whoever asks for one window now does not wait.
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.replica("orders").failures()).isZero();
        assertThat(house.different()).isEmpty();
    }

    /** The server ends the stream; the same command goes on where it was. */
    @Test
    void aLostConnectionIsWaitedFor() {
        Cancellation stop = new Cancellation();
        List<ErrorCode> waited = new ArrayList<>();
        house.source.execute("update orders set version = 5 where id = 1");
        house.forever(
                house.job(
                        MergeStrategy.ROW_HASH,
                        Initial.SNAPSHOT,
                        ReplicaHouse.TABLES,
                        Duration.ZERO),
                stop,
                new ReplicateListener() {
                    @Override
                    public void waiting(WeirException cause) {
                        waited.add(cause.code());
                        house.source.execute("update orders set version = 6 where id = 2");
                    }

                    @Override
                    public void merged(Replica replica, TableResult result) {
                        if (result.window() != null && waited.isEmpty()) {
                            house.source.execute("select pg_terminate_backend(active_pid) from"
                                    + " pg_replication_slots where slot_name = '"
                                    + house.job().slot() + "'");
                        } else if (result.window() != null) {
                            stop.request();
                        }
                    }
                });
        assertThat(waited).isNotEmpty().contains(ErrorCode.SOURCE_CONNECTION_LOST);
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    @Test
    void aPausedJobEndsItsProcess() {
        ReplicateListener pausing = new ReplicateListener() {
            @Override
            public void captured(LogPlace place) {
                house.replicas().pause("shop", ANNA);
            }
        };
        assertThatThrownBy(() -> house.flowWithShortLease(pausing))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.REPLICATION_PAUSED));
        house.replicas().resume("shop", ANNA);
        assertThat(house.once().isVerified()).isTrue();
    }
}
