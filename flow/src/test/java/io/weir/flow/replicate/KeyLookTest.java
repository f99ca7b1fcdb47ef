package io.weir.flow.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.ledger.replica.ReplicaEvent;
import io.weir.ledger.replica.ReplicaWindow;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Objects;

/** When every key of a table is looked at, and that it is neither forgotten nor done over again. */
class KeyLookTest {
    private static final String ORDERS = "public.orders";

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

    private boolean isDue() {
        return house.replicas().isAllKeysDue("shop", ORDERS);
    }

    private long looks() {
        return house.replicas().events("shop", 100).stream()
                .map(ReplicaEvent::name)
                .filter("REPLICA_LOOKED"::equals)
                .count();
    }

    /** Changes that leave every row as it was have to be merged, and publish nothing. */
    private void changeBackAndForth() {
        house.source.execute(
                "update orders set version = 9 where id = 1",
                "update orders set version = 0 where id = 1");
    }

    @Test
    void aWindowWithoutNetChangeLooksOnceADayAndNotEachTime() {
        house.books.execute("update weir.replica_event set at = at - interval '25 hours'");
        assertThat(isDue()).isTrue();
        changeBackAndForth();
        assertThat(house.once().isVerified()).isTrue();
        assertThat(isDue()).isFalse();
        changeBackAndForth();
        assertThat(house.once().isVerified()).isTrue();
        assertThat(looks()).isEqualTo(1);
        assertThat(house.different()).isEmpty();
    }

    @Test
    void aProcessThatEndsAfterItAcceptedFilesOfOthersLeavesTheLookToTheNext() {
        house.compactForeign("orders", rows -> rows);
        house.source.execute("update orders set version = 5 where id = 1");
        ReplicateListener dying = new ReplicateListener() {
            @Override
            public void step(ReplicaWindow window, WindowStep step) {
                throw new WeirException(ErrorCode.LEDGER_UNREACHABLE, "Cannot tell the books");
            }
        };
        assertThatThrownBy(() -> house.once(house.job(), dying)).isInstanceOf(WeirException.class);
        assertThat(house.catalog.replica("sales.orders").unmeasured())
                .as("accepted already")
                .isEmpty();
        assertThat(isDue()).isTrue();
        assertThat(house.once().isVerified()).isTrue();
        ReplicaWindow window = house.replicas().windows("shop", 1).get(0);
        assertThat(window.table()).isEqualTo(ORDERS);
        assertThat(Objects.requireNonNull(window.figures()).allKeys()).isTrue();
        assertThat(isDue()).isFalse();
        assertThat(house.different()).isEmpty();
    }
}
