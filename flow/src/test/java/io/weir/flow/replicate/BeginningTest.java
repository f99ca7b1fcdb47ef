package io.weir.flow.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.route.PartitionBy;
import io.weir.core.run.Operator;
import io.weir.core.run.Run;
import io.weir.engine.MergeStrategy;
import io.weir.flow.load.LoadJob;
import io.weir.flow.load.LoadListener;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Stop;
import io.weir.source.TableSpec;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The ways in which a replicated table gets the rows that it begins with. */
class BeginningTest {
    private static final long SEED = 20261130;
    private static final Operator ANNA = new Operator("anna", "mended");

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

    /** The others begin without it, as if it was not in the job, and it comes when it is mended. */
    @Test
    void aValueThatCannotBeHeldKeepsOnlyItsTableFromBeginning() {
        house.source.execute("update orders set price = 'NaN' where id = 4");
        assertThat(house.once().isVerified()).isFalse();
        Stop stop = Objects.requireNonNull(house.replica("orders").stop());
        assertThat(stop.code()).isEqualTo("SOURCE_VALUE_UNREPRESENTABLE");
        assertThat(stop.message()).contains("value NaN of column price", "key=[id=4]");
        assertThat(stop.command()).isEqualTo("weir rebuild sales.orders");
        assertThat(house.lake("items")).isEqualTo(house.sourced("items"));
        assertThat(house.lake("customers")).isEqualTo(house.sourced("customers"));

        house.source.execute("update items set version = 9 where id = 1");
        assertThat(house.once().isVerified()).isFalse();
        assertThat(house.lake("items")).isEqualTo(house.sourced("items"));
        house.source.execute("update orders set price = 1 where id = 4");
        house.replicas().rebuild("shop", "public.orders", ANNA);
        assertThat(house.once().isVerified()).isTrue();
        new ShopWriter(house.source, SEED).write(20);
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    /** No table is left to begin with, so the source keeps its log for none. */
    @Test
    void tablesThatAllCannotBeginLeaveNoSlotAndBeginOnceTheyAreMended() {
        for (String table : ReplicaHouse.TABLES) {
            house.source.execute("update " + table + " set price = 'NaN' where id = 4");
        }
        for (int i = 0; i < 2; i++) {
            assertThat(house.once().isVerified()).isFalse();
            assertThat(house.hasSlot()).isFalse();
        }
        for (String table : ReplicaHouse.TABLES) {
            assertThat(Objects.requireNonNull(house.replica(table).stop()).command())
                    .isEqualTo("weir rebuild sales." + table);
            house.source.execute("update " + table + " set price = 1 where id = 4");
            house.replicas().rebuild("shop", "public." + table, ANNA);
        }
        assertThat(house.once().isVerified()).isTrue();
        new ShopWriter(house.source, SEED).write(20);
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

    private void loadTables() {
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
    }

    private LogPlace now() {
        return new LogPlace(
                Long.parseLong(house.source.text("select pg_current_wal_insert_lsn() - '0/0'")),
                house.source.text("select pg_current_wal_insert_lsn()"));
    }

    /** Every change up to the position is dropped, every later one is merged. */
    @Test
    void tablesAsOfAPositionGoOnExactlyThere() {
        createSlot();
        new ShopWriter(house.source, SEED).write(20);
        loadTables();
        LogPlace at = now();
        new ShopWriter(house.source, SEED + 1).write(20);
        ReplicateReport report = house.once(house.fromTables(at, null), ReplicaHouse.SILENT);
        assertThat(report.isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
        assertThat(report.replicas())
                .extracting(replica -> Objects.requireNonNull(replica.loaded()))
                .containsOnly(at);
        assertThat(house.replicas().windows("shop", 10))
                .extracting(window -> window.from())
                .contains(at);
    }

    /** A row that the table should have by then and has not is found at its next change. */
    @Test
    void aPositionThatIsTooLateStops() {
        createSlot();
        loadTables();
        house.source.execute("update orders set version = 8 where id = 7");
        LogPlace late = now();
        house.source.execute("update orders set version = 9 where id = 7");
        assertThat(house.once(house.fromTables(late, null), ReplicaHouse.SILENT).isVerified())
                .isFalse();
        Stop stop = Objects.requireNonNull(house.replica("orders").stop());
        assertThat(stop.code()).isEqualTo("MERGE_CHAIN_BROKEN");
        assertThat(stop.key()).isEqualTo("id=7");
        assertThat(stop.expected()).isEqualTo("{version=8}");
        assertThat(stop.found()).isEqualTo("{version=0}");
    }

    @Test
    void aPositionBeforeTheSlotIsRefused() {
        LogPlace early = now();
        createSlot();
        loadTables();
        assertThatThrownBy(() -> house.once(house.fromTables(early, null), ReplicaHouse.SILENT))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CAPTURE_SLOT_LOST))
                .hasMessageContaining("as-of=" + early.place());
    }

    /** As of a time everything committed a minute before is dropped; the chains find the rest. */
    @Test
    void tablesAsOfATimeGoOnFromTheTransactionsOfThatTime() {
        createSlot();
        long begin = now().place();
        new ShopWriter(house.source, SEED).write(20);
        loadTables();
        long loaded = now().place();
        // A minute from now everything up to now is a minute old.
        Instant time = Instant.parse(house.source.text("select to_char(clock_timestamp() at time"
                + " zone 'UTC' + interval '61 s', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"));
        ReplicateJob job = house.fromTables(null, time);
        assertThat(house.once(job, ReplicaHouse.SILENT).isVerified()).isTrue();
        assertThat(Objects.requireNonNull(house.replica("orders").loaded()).place())
                .isGreaterThan(begin)
                .isLessThanOrEqualTo(loaded);
        new ShopWriter(house.source, SEED + 1).write(20);
        assertThat(house.once(job, ReplicaHouse.SILENT).isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    /** The time of the load itself is less than a minute after the writes: nothing is dropped. */
    @Test
    void changesOfTheMinuteBeforeATimeAreFollowed() {
        createSlot();
        new ShopWriter(house.source, SEED).write(20);
        loadTables();
        Instant time = Instant.parse(house.source.text("select to_char(clock_timestamp() at time"
                + " zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"));
        new ShopWriter(house.source, SEED + 1).write(20);
        ReplicateReport report = house.once(house.fromTables(null, time), ReplicaHouse.SILENT);
        assertThat(report.isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    private void createSlot() {
        house.source.execute("select pg_create_logical_replication_slot('"
                + house.job().slot() + "', 'pgoutput')");
    }

    /** Loaded at an unknown moment behind the slot: the chain finds each row in the log. */
    @Test
    void tablesThatWereLoadedEarlierGoOnFromThere() {
        house.source.execute("select pg_create_logical_replication_slot('"
                + house.job().slot() + "', 'pgoutput')");
        new ShopWriter(house.source, SEED).write(20);
        loadTables();
        new ShopWriter(house.source, SEED + 1).write(20);
        ReplicateReport report = house.once(house.fromTables(null, null), ReplicaHouse.SILENT);
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
