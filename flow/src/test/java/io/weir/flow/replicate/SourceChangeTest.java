package io.weir.flow.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.Operator;
import io.weir.flow.load.Cancellation;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaState;
import io.weir.ledger.replica.Stop;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** What people do to the source while it is replicated. */
class SourceChangeTest {
    private static final Operator ANNA = new Operator("anna", "mended");

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

    private Stop stop(String table) {
        return Objects.requireNonNull(house.replica(table).stop());
    }

    @Test
    void aDowngradedIdentityStopsItsTable() {
        house.source.execute(
                "update orders set version = 1 where id = 1",
                "alter table orders replica identity default",
                "update orders set version = 2 where id = 1",
                "update customers set version = 3 where id = 1");
        assertThat(house.once().isVerified()).isFalse();
        assertThat(stop("orders").code()).isEqualTo("CAPTURE_IDENTITY_UNFIT");
        assertThat(house.lake("customers")).isEqualTo(house.sourced("customers"));
        house.source.execute("alter table orders replica identity full");
        house.replicas().rebuild("shop", "public.orders", ANNA);
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    @Test
    void aTableThatLeavesThePublicationStops() {
        house.source.execute(
                "alter publication weir_shop drop table orders",
                "update orders set version = 2 where id = 1",
                "update customers set version = 3 where id = 1");
        assertThat(house.once().isVerified()).isFalse();
        assertThat(stop("orders").code()).isEqualTo("CAPTURE_PUBLICATION_UNFIT");
        assertThat(house.lake("customers")).isEqualTo(house.sourced("customers"));
        // Nobody can tell what happened meanwhile, so that it comes back is not enough.
        house.source.execute("alter publication weir_shop add table orders");
        assertThat(house.once().isVerified()).isFalse();
        house.replicas().rebuild("shop", "public.orders", ANNA);
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    /** Seen while the stream goes on, not only at the begin of a command. */
    @Test
    void aPublicationThatChangesMidStreamStopsItsTableAndTheOthersGoOn() {
        Cancellation stop = new Cancellation();
        List<String> stopped = new CopyOnWriteArrayList<>();
        AtomicBoolean changed = new AtomicBoolean();
        house.source.execute("update orders set version = 1 where id = 1");
        house.forever(house.continuous(), stop, new ReplicateListener() {
            @Override
            public void merged(Replica replica, TableResult result) {
                if (result.window() == null) {
                    return;
                }
                if (changed.compareAndSet(false, true)) {
                    house.source.execute(
                            "alter publication weir_shop drop table orders",
                            "update orders set version = 2 where id = 1",
                            "update items set version = 3 where id = 1");
                } else if (replica.table().equals("public.items") && !stopped.isEmpty()) {
                    stop.request();
                }
            }

            @Override
            public void stopped(Replica replica) {
                stopped.add(replica.table());
                house.source.execute("update items set version = 4 where id = 1");
            }
        });
        assertThat(stopped).containsExactly("public.orders");
        assertThat(stop("orders").code()).isEqualTo("CAPTURE_PUBLICATION_UNFIT");
        assertThat(house.query("select version from sales.orders where id = 1")).isEqualTo("1");
        assertThat(house.query("select version from sales.items where id = 1")).isEqualTo("4");
        house.source.execute("alter publication weir_shop add table orders");
        house.replicas().rebuild("shop", "public.orders", ANNA);
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    @Test
    void aDroppedTableStopsAlone() {
        house.source.execute("drop table orders", "update items set version = 4 where id = 9");
        assertThat(house.once().isVerified()).isFalse();
        assertThat(house.replica("orders").state()).isEqualTo(ReplicaState.STOPPED);
        assertThat(house.lake("items")).isEqualTo(house.sourced("items"));
        assertThat(house.lake("orders").rows()).isEqualTo(100);
    }

    @Test
    void aDroppedSlotStopsTheJobAndKeepsTheTables() {
        house.awaitFreeSlot();
        house.source.execute(
                "select pg_drop_replication_slot('weir_" + house.source.name() + "')",
                "update orders set version = 2 where id = 1");
        assertThatThrownBy(house::once)
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CAPTURE_SLOT_MISSING));
        assertThat(house.lake("orders").rows()).isEqualTo(100);
        assertThat(house.replica("orders").state()).isEqualTo(ReplicaState.RUNNING);
        for (String table : ReplicaHouse.TABLES) {
            house.replicas().rebuild("shop", "public." + table, ANNA);
        }
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    /** TRUNCATE and a reload in one window: no key twice, the rows of the source. */
    @Test
    void aTruncatedAndReloadedTableIsTheSources() {
        house.source.execute(
                "begin; truncate orders; insert into orders select i, 3, i, null, 'again'"
                        + " from generate_series(50, 160) i; commit");
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
        assertThat(house.lake("orders").rows()).isEqualTo(111);
        house.source.execute("truncate items");
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.lake("items").rows()).isZero();
    }

    /** A table rebuilt while the window over it is still open: its overlap is dropped. */
    @Test
    void aRebuiltTableMeetsAWindowThatBeganBeforeIt() {
        house.source.execute("update orders set version = version + 1 where id <= 20");
        house.replicas().rebuild("shop", "public.orders", ANNA);
        house.source.execute("update orders set version = version + 1 where id <= 10");
        ReplicateReport report = house.once();
        assertThat(report.isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
        Replica orders = house.replica("orders");
        assertThat(orders.generation()).isEqualTo(2);
        assertThat(Objects.requireNonNull(orders.loaded()).place())
                .isGreaterThan(0)
                .isLessThanOrEqualTo(report.to().place());
    }
}
