package io.weir.flow.replicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.run.Operator;
import io.weir.engine.MergeStrategy;
import io.weir.flow.load.Cancellation;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaState;
import io.weir.ledger.replica.Stop;

import org.apache.iceberg.UpdateProperties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** Columns that are others than before under the same name and type: the log says nothing of it. */
class RenewedColumnTest {
    private static final Operator ANNA = new Operator("anna", "mended");
    private static final String RENEWED =
            "alter table orders drop column pad, add column pad text default 'x'";

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

    private void assertStopped(String column) {
        assertStopped(column, "is not the one that its rows were read from");
    }

    private void assertStopped(String column, String reason) {
        assertThat(house.replica("orders").state()).isEqualTo(ReplicaState.STOPPED);
        Stop stop = Objects.requireNonNull(house.replica("orders").stop());
        assertThat(stop.code()).isEqualTo("CAPTURE_SCHEMA_CHANGED");
        assertThat(stop.message())
                .startsWith("Cannot capture table public.orders: column " + column + " " + reason);
        assertThat(stop.command()).isEqualTo("weir rebuild sales.orders");
    }

    private void assertMendedByRebuild() {
        house.replicas().rebuild("shop", "public.orders", ANNA);
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
        house.source.execute("update orders set version = version + 1 where id < 50");
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    @Test
    void itIsFoundThoughNoRowChanges() {
        house.once();
        house.source.execute("update items set version = 3 where id = 1", RENEWED);
        assertThat(house.once().isVerified()).isFalse();
        assertStopped("pad");
        assertThat(house.query("select pad from sales.orders where id = 1")).isEqualTo("pad 1");
        assertThat(house.lake("items")).isEqualTo(house.sourced("items"));
        assertMendedByRebuild();
        assertThat(house.query("select pad from sales.orders where id = 1")).isEqualTo("x");
    }

    @Test
    void itIsFoundWithChangesBehindIt() {
        house.once();
        house.source.execute(
                RENEWED,
                "update orders set version = 2 where id = 1",
                "insert into orders (id, version) values (500, 0)");
        assertThat(house.once().isVerified()).isFalse();
        assertStopped("pad");
        assertThat(house.lake("orders").rows()).isEqualTo(100);
        assertMendedByRebuild();
    }

    /** Keys alone do not show that old rows differ. */
    @Test
    void itIsFoundWhereOnlyKeysAreCompared() {
        ReplicateJob job =
                house.job(MergeStrategy.PRIMARY_KEY, Initial.SNAPSHOT, ReplicaHouse.TABLES);
        house.once(job, ReplicaHouse.SILENT);
        house.source.execute(RENEWED, "update orders set version = 2 where id = 1");
        assertThat(house.once(job, ReplicaHouse.SILENT).isVerified()).isFalse();
        assertStopped("pad");
    }

    @Test
    void itIsFoundWhileChangesAreCaptured() {
        Cancellation stop = new Cancellation();
        List<String> stopped = new CopyOnWriteArrayList<>();
        AtomicBoolean changed = new AtomicBoolean();
        house.source.execute("update orders set version = 1 where id = 1");
        house.forever(house.continuous(), stop, new ReplicateListener() {
            @Override
            public void loaded(Replica replica) {
                house.source.execute("update orders set version = 2 where id = 1");
            }

            @Override
            public void merged(Replica replica, TableResult result) {
                if (result.window() == null) {
                    return;
                }
                if (changed.compareAndSet(false, true)) {
                    house.source.execute(RENEWED, "update items set version = 3 where id = 1");
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
        assertStopped("pad");
        assertThat(house.query("select version from sales.items where id = 1")).isEqualTo("4");
        assertMendedByRebuild();
    }

    /** The rows are those of the snapshot, whatever the columns are when the log begins. */
    @Test
    void itIsFoundBetweenTheLoadAndTheLog() {
        AtomicBoolean changed = new AtomicBoolean();
        ReplicateReport report = house.once(house.job(), new ReplicateListener() {
            @Override
            public void loaded(Replica replica) {
                if (changed.compareAndSet(false, true)) {
                    house.source.execute(RENEWED);
                }
            }
        });
        assertThat(report.isVerified()).isFalse();
        assertStopped("pad");
        assertMendedByRebuild();
    }

    @Test
    void namesThatAreExchangedAreFound() {
        house.source.execute("alter table orders add column second text default 'two'");
        house.once();
        house.source.execute("alter table orders rename column pad to third;"
                + " alter table orders rename column second to pad;"
                + " alter table orders rename column third to second");
        assertThat(house.once().isVerified()).isFalse();
        assertStopped("pad");
        assertMendedByRebuild();
    }

    @Test
    void aColumnThatCameByTheLogIsRenewed() {
        house.once();
        house.source.execute(
                "alter table orders add column note text default 'a'",
                "update orders set version = 1 where id = 1");
        assertThat(house.once().isVerified()).isTrue();
        house.source.execute(
                "alter table orders drop column note, add column note text default 'b'");
        assertThat(house.once().isVerified()).isFalse();
        assertStopped("note");
        assertMendedByRebuild();
    }

    @Test
    void aNewColumnBesideItDoesNotHideIt() {
        house.once();
        house.source.execute(
                RENEWED,
                "alter table orders add column note text default 'a'",
                "update orders set version = 1 where id = 1");
        assertThat(house.once().isVerified()).isFalse();
        assertStopped("pad");
        assertMendedByRebuild();
    }

    /** A publication of all tables holds the second one as it held the first. */
    @Test
    void aTableThatIsMadeAgainIsFound() {
        house.source.execute(
                "drop publication weir_shop", "create publication weir_shop for all tables");
        house.once();
        house.source.execute(
                "drop table orders",
                "create table orders (id int primary key, version bigint not null,"
                        + " price numeric(8,2), code uuid, pad text)",
                "alter table orders replica identity full",
                "insert into orders values (500, 1, 1, null, 'new')");
        assertThat(house.once().isVerified()).isFalse();
        assertStopped("id");
        assertMendedByRebuild();
    }

    /** The same column of the same type; every row has another value, and there is no change. */
    @Test
    void aColumnThatIsWrittenAnewIsFound() {
        house.once();
        house.source.execute("alter table orders alter column pad type text using upper(pad)");
        assertThat(house.once().isVerified()).isFalse();
        assertStopped("pad", "was altered and the table written anew");
        assertThat(house.query("select pad from sales.orders where id = 1")).isEqualTo("pad 1");
        assertMendedByRebuild();
        assertThat(house.query("select pad from sales.orders where id = 1")).isEqualTo("PAD 1");
    }

    @Test
    void aColumnWhoseDefaultIsKeptOnceIsWrittenAnew() {
        house.once();
        house.source.execute(
                "alter table orders add column note text default 'a'",
                "update orders set version = 1 where id = 1");
        assertThat(house.once().isVerified()).isTrue();
        house.source.execute("alter table orders alter column note type text using upper(note)");
        assertThat(house.once().isVerified()).isFalse();
        assertStopped("note", "was altered and the table written anew");
        assertMendedByRebuild();
    }

    /** Neither alone changes a value, and one after the other is not taken for both at once. */
    @Test
    void otherFilesAndOtherSettingsOfColumnsFlowThrough() {
        house.once();
        house.source.execute(
                "alter table orders add column note text default 'a'",
                "update orders set version = 1 where id = 1");
        for (String statement : List.of(
                "alter table orders alter column pad set statistics 50",
                "vacuum full orders",
                "alter table orders alter column pad type text",
                "cluster orders using orders_pkey",
                "alter table orders alter column pad set default 'p'",
                "truncate orders",
                "grant select (pad) on orders to public")) {
            house.source.execute(
                    statement,
                    "insert into orders (id, version) values (900, 0)"
                            + " on conflict (id) do update set version = orders.version + 1");
            assertThat(house.once().isVerified()).as(statement).isTrue();
            assertThat(house.different()).isEmpty();
        }
    }

    /** Rows that were written in between have the first default in the log. */
    @Test
    void aNewColumnThatIsRenewedBeforeItIsSeenStops() {
        house.once();
        house.source.execute(
                "alter table orders add column note text default 'a'",
                "insert into orders (id, version) values (500, 0)",
                "alter table orders drop column note, add column note text default 'b'",
                "update orders set version = 1 where id = 1");
        assertThat(house.once().isVerified()).isFalse();
        Stop stop = Objects.requireNonNull(house.replica("orders").stop());
        assertThat(stop.code()).isEqualTo("CAPTURE_SCHEMA_CHANGED");
        assertThat(stop.message()).contains("other columns came and went");
        assertMendedByRebuild();
    }

    /** A table from before its columns were noted is taken as it is, and watched from there on. */
    @Test
    void aTableThatDoesNotKnowItsColumnsTakesThoseOfNow() {
        house.once();
        forget();
        assertThat(house.once().isVerified()).isTrue();
        house.source.execute(RENEWED);
        assertThat(house.once().isVerified()).isFalse();
        assertStopped("pad");
        assertMendedByRebuild();
    }

    private void forget() {
        house.iceberg("orders", table -> {
            UpdateProperties update = table.updateProperties();
            long known = table.properties().keySet().stream()
                    .filter(name -> name.startsWith("weir.source-mark."))
                    .peek(update::remove)
                    .count();
            assertThat(known).isEqualTo(5);
            update.commit();
        });
    }

    /** Only what the next load brings is known by what it was read from. */
    @Test
    void aLoadThatFailedLeavesTheColumnsAsTheyWere() {
        house.once();
        house.source.execute(RENEWED, "alter table orders alter column price type numeric(9,2)");
        house.once();
        house.source.execute("update orders set price = 'NaN' where id = 4");
        house.replicas().rebuild("shop", "public.orders", ANNA);
        assertThat(house.once().isVerified()).isFalse();
        house.source.execute("update orders set price = 1 where id = 4");
        assertMendedByRebuild();
        house.iceberg(
                "orders",
                table -> assertThat(table.properties().keySet())
                        .noneMatch(name -> name.startsWith("weir.next.")));
    }
}
