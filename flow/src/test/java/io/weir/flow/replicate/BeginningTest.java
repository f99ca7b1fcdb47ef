package io.weir.flow.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.route.PartitionBy;
import io.weir.core.run.Run;
import io.weir.engine.MergeStrategy;
import io.weir.flow.load.LoadJob;
import io.weir.flow.load.LoadListener;
import io.weir.source.TableSpec;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The ways in which a replicated table gets the rows that it begins with. */
class BeginningTest {
    private static final long SEED = 20261130;

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

    /** Each row is in the load or in the stream, whatever is written in between. */
    @Test
    void aHandoverUnderAWriterLosesAndDoublesNothing() {
        ShopWriter writer = new ShopWriter(house.source, SEED);
        try (writer) {
            writer.start();
            assertThat(house.once().isVerified()).isTrue();
            assertThat(house.once().isVerified()).isTrue();
        }
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).as("seed %s", SEED).isEmpty();
    }

    @Test
    void aFailedInitialLoadLeavesNoSlot() {
        ReplicateListener failing = new ReplicateListener() {
            @Override
            public LoadListener loads() {
                return new LoadListener() {
                    @Override
                    public void audited(Run run) {
                        throw new WeirException(ErrorCode.DISK_FULL, "Cannot write: full");
                    }
                };
            }
        };
        assertThatThrownBy(() -> house.once(house.job(), failing))
                .isInstanceOf(WeirException.class);
        assertThat(house.hasSlot()).isFalse();
        house.endLeases();
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    @Test
    void aSlotOfSomebodyElseIsLeftAlone() {
        house.source.execute("select pg_create_logical_replication_slot('"
                + house.job().slot() + "', 'pgoutput')");
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(house::once)
                    .isInstanceOfSatisfying(
                            WeirException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.CAPTURE_SLOT_BUSY));
        }
        assertThat(house.hasSlot()).isTrue();
    }

    @Test
    void theLogAloneIsEnoughForTablesThatWereEmpty() {
        house.source.execute("truncate orders, customers, items");
        ReplicateJob job = house.job(MergeStrategy.ROW_HASH, Initial.LOG_ONLY, ReplicaHouse.TABLES);
        assertThat(house.once(job, ReplicaHouse.SILENT).isVerified()).isTrue();
        new ShopWriter(house.source, SEED).write(50);
        assertThat(house.once(job, ReplicaHouse.SILENT).isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    @Test
    void theLogAloneIsRefusedForTablesWithRows() {
        ReplicateJob job = house.job(MergeStrategy.ROW_HASH, Initial.LOG_ONLY, ReplicaHouse.TABLES);
        assertThatThrownBy(() -> house.once(job, ReplicaHouse.SILENT))
                .isInstanceOf(WeirException.class)
                .hasMessageContaining("it had rows before the slot (rows=100)");
        assertThat(house.hasSlot()).isFalse();
    }

    /** Loaded at an unknown moment behind the slot: the chain finds each row in the log. */
    @Test
    void tablesThatWereLoadedEarlierGoOnFromThere() {
        house.source.execute("select pg_create_logical_replication_slot('"
                + house.job().slot() + "', 'pgoutput')");
        new ShopWriter(house.source, SEED).write(20);
        List<LoadJob> loads = new ArrayList<>();
        for (String table : ReplicaHouse.TABLES) {
            loads.add(LoadJob.replica(
                    "full-" + table,
                    "shop",
                    TableSpec.of("public." + table),
                    "sales." + table,
                    PartitionBy.NOTHING));
        }
        house.load(loads);
        new ShopWriter(house.source, SEED + 1).write(20);
        ReplicateJob job =
                house.job(MergeStrategy.ROW_HASH, Initial.FROM_TABLE, ReplicaHouse.TABLES);
        ReplicateReport report = house.once(job, ReplicaHouse.SILENT);
        assertThat(report.replicas()).extracting(replica -> replica.stop()).containsOnlyNulls();
        assertThat(report.isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    @Test
    void keysAloneAreEnoughForTheOtherWayOfMerging() {
        for (String table : ReplicaHouse.TABLES) {
            house.source.execute("alter table " + table + " replica identity default");
        }
        ReplicateJob job =
                house.job(MergeStrategy.PRIMARY_KEY, Initial.SNAPSHOT, ReplicaHouse.TABLES);
        assertThat(house.once(job, ReplicaHouse.SILENT).isVerified()).isTrue();
        new ShopWriter(house.source, SEED).write(50);
        assertThat(house.once(job, ReplicaHouse.SILENT).isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }
}
