package io.weir.flow.replicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.row.Balance;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaCut;
import io.weir.ledger.replica.ReplicaState;
import io.weir.ledger.replica.ReplicaWindow;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/** A job that is run again and again, as a scheduler would. */
class ReplicateOnceTest {
    @TempDir
    private Path directory;

    private ReplicaHouse house;

    @BeforeEach
    void open() {
        house = new ReplicaHouse(directory);
    }

    @AfterEach
    void close() {
        house.close();
    }

    private static LogPlace verified(Replica replica) {
        return Objects.requireNonNull(replica.verified());
    }

    @Test
    void loadsAndThenMergesWhatChanged() {
        ReplicateReport first = house.once();
        assertThat(first.isVerified()).isTrue();
        assertThat(first.replicas()).extracting(Replica::state).containsOnly(ReplicaState.RUNNING);
        assertThat(house.different()).isEmpty();
        assertThat(house.lake("orders").rows()).isEqualTo(100);

        house.source.execute(
                "update orders set version = version + 1, price = price + 1 where id <= 10",
                "delete from orders where id > 95",
                "insert into orders values (1000, 1, 9.99, null, null)",
                "update customers set id = id + 5000 where id = 7",
                "begin; update items set version = 5 where id = 1; rollback");
        ReplicateReport second = house.once();
        assertThat(second.isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
        assertThat(second.to().place()).isGreaterThan(first.to().place());

        List<ReplicaWindow> windows = house.replicas().windows("shop", 10);
        assertThat(windows).extracting(ReplicaWindow::table).containsOnlyOnce("public.orders");
        ReplicaWindow orders = windows.stream()
                .filter(window -> window.table().equals("public.orders"))
                .findFirst()
                .orElseThrow();
        var figures = Objects.requireNonNull(orders.figures());
        assertThat(figures.events()).isEqualTo(16);
        assertThat(figures.inserted()).isEqualTo(1);
        assertThat(figures.updated()).isEqualTo(10);
        assertThat(figures.deleted()).isEqualTo(5);
        assertThat(figures.opening().rows()).isEqualTo(100);
        assertThat(figures.closing()).isEqualTo(house.lake("orders"));

        ReplicaCut cut = house.replicas().lastCut("shop").orElseThrow();
        assertThat(cut.number()).isEqualTo(2);
        assertThat(cut.at()).isEqualTo(second.to());
        assertThat(cut.missing()).isEmpty();
        assertThat(cut.closedAt()).isNotNull();
        assertThat(house.ledger.fsck())
                .allSatisfy(finding ->
                        assertThat(finding.rows()).as(finding.title()).isEmpty());
    }

    @Test
    void nothingChangedIsNoSnapshot() {
        house.once();
        long snapshot = house.catalog.replica("sales.orders").state().snapshotId();
        Balance before = house.lake("orders");
        ReplicateReport again = house.once();
        assertThat(again.isVerified()).isTrue();
        assertThat(house.catalog.replica("sales.orders").state().snapshotId()).isEqualTo(snapshot);
        assertThat(house.lake("orders")).isEqualTo(before);
        assertThat(house.replicas().windows("shop", 10)).isEmpty();
        assertThat(verified(house.replica("orders"))).isEqualTo(again.to());
    }

    /** One name for each cut, on the rows that the table had there; the oldest names go. */
    @Test
    void cutsAreNamedInTheLakeAndTheOldestNamesGo() {
        house.cutsKept = 3;
        Map<String, Long> expected = new TreeMap<>();
        for (int cut = 1; cut <= 5; cut++) {
            if (cut % 2 == 0) {
                house.source.execute("update orders set version = " + cut + " where id = 1");
            }
            assertThat(house.once().isVerified()).isTrue();
            expected.put(
                    "weir-cut-" + cut,
                    house.catalog.replica("sales.orders").state().snapshotId());
        }
        assertThat(new TreeSet<>(expected.values())).hasSize(3);
        expected.remove("weir-cut-1");
        expected.remove("weir-cut-2");
        try (ForeignEngine engine = house.foreign()) {
            Map<String, Long> found = new TreeMap<>();
            engine.table("sales.orders").refs().forEach((name, ref) -> {
                if (ref.isTag()) {
                    found.put(name, ref.snapshotId());
                    assertThat(ref.maxRefAgeMs()).as("kept as long as its name").isNull();
                }
            });
            assertThat(found).isEqualTo(expected);
            assertThat(engine.table("sales.items").refs().keySet())
                    .contains("weir-cut-3", "weir-cut-4", "weir-cut-5")
                    .doesNotContain("weir-cut-2");
        }
    }
}
