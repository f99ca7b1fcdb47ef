package io.weir.flow.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.weir.core.error.WeirException;
import io.weir.core.row.RowSchema;
import io.weir.core.run.Operator;
import io.weir.core.run.Run;
import io.weir.flow.load.LoadListener;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaCut;
import io.weir.ledger.replica.ReplicaState;
import io.weir.ledger.replica.Stop;

import org.apache.iceberg.Schema;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** Columns that come, go and change at the source, and values that no column can hold. */
class ColumnChangeTest {
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
    void aNewColumnFlowsThrough() {
        house.source.execute(
                "update orders set version = 1 where id = 1",
                "alter table orders add column note text",
                "update orders set note = 'first' where id = 1",
                "insert into orders (id, version, note) values (500, 0, 'second')",
                "delete from orders where id = 2");
        assertThat(house.once().replicas())
                .extracting(Replica::stop, Replica::failure)
                .containsOnly(tuple(null, null));
        assertThat(house.different()).isEmpty();
        assertThat(house.replica("orders").generation()).isEqualTo(2);
        assertThat(house.catalog.replica("sales.orders").rows().names()).contains("note");
        house.source.execute("update orders set note = 'third' where id < 50");
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    /** Up to the change everything is published; behind it nothing, and the others go on. */
    @Test
    void aDroppedColumnStopsItsTableThere() {
        house.source.execute(
                "update orders set version = 7 where id = 1",
                "alter table orders drop column pad",
                "update orders set version = 8 where id = 1",
                "update items set version = 9 where id = 1");
        ReplicateReport report = house.once();
        assertThat(report.isVerified()).isFalse();
        assertThat(stop("orders").code()).isEqualTo("CAPTURE_SCHEMA_CHANGED");
        assertThat(stop("orders").message()).contains("column pad is gone");
        assertThat(stop("orders").command()).startsWith("weir rebuild sales.orders");
        assertThat(house.replica("orders").state()).isEqualTo(ReplicaState.STOPPED);
        assertThat(house.query("select version from sales.orders where id = 1")).isEqualTo("7");
        assertThat(house.lake("items")).isEqualTo(house.sourced("items"));
        ReplicaCut cut = house.replicas().lastCut("shop").orElseThrow();
        assertThat(cut.missing()).containsExactly("public.orders");

        house.source.execute("update items set version = 10 where id = 1");
        assertThat(house.once().isVerified()).isFalse();
        assertThat(house.lake("items")).isEqualTo(house.sourced("items"));
        assertThatThrownBy(() -> house.replicas().resumed("shop", "public.orders", ANNA))
                .isInstanceOf(WeirException.class)
                .hasMessageContaining("run weir rebuild sales.orders");
        house.replicas().rebuild("shop", "public.orders", ANNA);
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    /** Of every type: old rows have the default in the log, in the files and for readers. */
    @Test
    void columnsWithDefaultsFlowThrough() {
        house.source.execute(
                "update orders set version = 1 where id = 1",
                "alter table orders add column n int not null default 5,"
                        + " add column big bigint default -7, add column t text default 'it''s',"
                        + " add column c character(4) default 'ab',"
                        + " add column j jsonb default '{\"a\": 1}',"
                        + " add column raw bytea default '\\x00ff',"
                        + " add column yes boolean default true,"
                        + " add column f double precision default 0.1, add column r real default 2,"
                        + " add column price2 numeric(10,3) default 1.50,"
                        + " add column d date default '2001-02-03',"
                        + " add column clock time default '01:02:03.000004',"
                        + " add column wall timestamp default '2001-02-03 04:05:06.000007',"
                        + " add column moment timestamptz default now(),"
                        + " add column u uuid default '11111111-2222-3333-4444-555555555555'",
                "update orders set version = 2 where id between 1 and 10",
                "update orders set n = 6, t = null, f = null, moment = null where id = 3",
                "update orders set n = 5, t = 'it''s' where id = 3",
                "insert into orders (id, version) values (500, 0)",
                "insert into orders (id, version, t, big) values (501, 0, null, 8)",
                "delete from orders where id = 4");
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
        assertThat(house.query("select count(*) from sales.orders where n = 5 and big = -7"
                        + " and t = 'it''s' and c = 'ab  ' and j = '{\"a\": 1}'"
                        + " and raw = '\\x00\\xff'::blob and yes and f = 0.1::double and r = 2"
                        + " and price2 = 1.5 and d = '2001-02-03' and clock = '01:02:03.000004'"
                        + " and wall = '2001-02-03 04:05:06.000007' and moment is not null"
                        + " and u = '11111111-2222-3333-4444-555555555555'"))
                .isEqualTo("99");
        assertThat(rowsWithDefaults()).isEqualTo(100);
        house.source.execute(
                "update orders set n = n + 1 where id < 50",
                "update orders set t = 'x' where n = 5");
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
        house.replicas().rebuild("shop", "public.orders", ANNA);
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    /** The server writes such rows anew, and the log says nothing of it. */
    @Test
    void aDefaultThatDiffersFromRowToRowStopsItsTable() {
        house.source.execute(
                "alter table orders add column u uuid default gen_random_uuid()",
                "update orders set version = 6 where id = 1");
        assertThat(house.once().isVerified()).isFalse();
        assertThat(stop("orders").code()).isEqualTo("CAPTURE_SCHEMA_CHANGED");
        assertThat(stop("orders").message())
                .contains("it has new columns (columns=[u])")
                .contains("no change tells what older rows have in column u");
        assertThat(stop("orders").command()).startsWith("weir rebuild sales.orders");
        house.replicas().rebuild("shop", "public.orders", ANNA);
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    @Test
    void anotherTypeStopsItsTable() {
        house.source.execute(
                "alter table orders alter column version type numeric(20)",
                "update orders set version = 6 where id = 1");
        assertThat(house.once().isVerified()).isFalse();
        assertThat(stop("orders").code())
                .isIn("CAPTURE_SCHEMA_CHANGED", "SOURCE_VALUE_UNREPRESENTABLE");
        assertThat(house.lake("orders").rows()).isEqualTo(100);
    }

    /** Readers see old columns with old rows until one commit shows new ones with new rows. */
    @Test
    void aTableWithOtherColumnsIsRebuiltInPlace() {
        long first = house.catalog.replica("sales.orders").state().snapshotId();
        int id = house.catalog.replica("sales.orders").rows().column("id").fieldId();
        int version =
                house.catalog.replica("sales.orders").rows().column("version").fieldId();
        house.source.execute(
                "alter table orders drop column pad, alter column id type bigint,"
                        + " alter column version type numeric(20)",
                "alter table orders rename column price to cost",
                "alter table orders add column u uuid not null default gen_random_uuid()",
                "update orders set version = 6 where id = 1");
        assertThat(house.once().isVerified()).isFalse();
        house.replicas().rebuild("shop", "public.orders", ANNA);
        List<String> seen = new ArrayList<>();
        house.source.execute("update orders set version = 7 where id = 2");
        ReplicateReport report = house.once(house.job(), whileLoading(() -> {
            seen.add(house.catalog.replica("sales.orders").rows().names() + " "
                    + house.query("select sum(version), count(pad) from sales.orders"));
            house.source.execute("update orders set version = 8 where id = 3");
        }));
        assertThat(report.isVerified()).isTrue();
        assertThat(seen).containsExactly("[id, version, price, code, pad] 0");
        assertThat(house.different()).isEmpty();
        RowSchema rows = house.catalog.replica("sales.orders").rows();
        assertThat(rows.names()).containsExactly("id", "version", "cost", "code", "u");
        assertThat(rows.column("id").fieldId()).isEqualTo(id);
        assertThat(rows.column("id").type()).isEqualTo(Types.LongType.get());
        assertThat(rows.column("version").fieldId()).isNotEqualTo(version);
        assertThat(house.query("select sum(version) from sales.orders")).isEqualTo("21");
        house.iceberg("orders", table -> {
            assertThat(table.currentSnapshot().schemaId())
                    .isEqualTo(table.schema().schemaId());
            Schema then = Objects.requireNonNull(
                    table.schemas().get(table.snapshot(first).schemaId()));
            assertThat(then.columns())
                    .extracting(Types.NestedField::name)
                    .containsExactly("id", "version", "price", "code", "pad", "_row_hash");
            assertThat(table.properties().keySet())
                    .noneMatch(name -> name.startsWith("weir.next."));
        });
        assertThatThrownBy(() -> house.catalog.replica("sales.orders").rollback(first))
                .hasMessageContaining("it had other columns then");
        house.source.execute("update orders set version = version + 1 where id < 50");
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    /** Runs something once the rows of a rebuild are staged and audited. */
    private static ReplicateListener whileLoading(Runnable look) {
        return new ReplicateListener() {
            @Override
            public LoadListener loads() {
                return new LoadListener() {
                    @Override
                    public void audited(Run run) {
                        look.run();
                    }
                };
            }
        };
    }

    /** What was announced for a rebuild that never came about is taken back by the next one. */
    @Test
    void columnsThatChangeBackAreRebuiltAsTheyWere() {
        house.source.execute(
                "alter table orders rename column pad to filler",
                "update orders set version = 6 where id = 1",
                "update items set version = 6 where id = 1");
        assertThat(house.once().isVerified()).isFalse();
        house.replicas().rebuild("shop", "public.orders", ANNA);
        house.once(house.job(), whileLoading(() -> {
            throw new IllegalStateException("Full");
        }));
        assertThat(stop("orders").message()).contains("Full");
        assertThat(stop("orders").command()).isEqualTo("weir rebuild sales.orders");
        assertThat(house.lake("orders").rows()).isEqualTo(100);
        assertThat(house.lake("items")).isEqualTo(house.sourced("items"));
        house.source.execute("alter table orders rename column filler to pad");
        house.replicas().rebuild("shop", "public.orders", ANNA);
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    /** Everything before is published, the others go on, and the stop says which row to mend. */
    @Test
    void aValueThatCannotBeHeldStopsItsTableAlone() {
        house.source.execute(
                "update orders set version = 1 where id = 1",
                "update orders set price = 'NaN' where id = 4",
                "update orders set version = 2 where id = 1",
                "update items set version = 9 where id = 1");
        assertThat(house.once().isVerified()).isFalse();
        assertThat(stop("orders"))
                .isEqualTo(new Stop(
                        "SOURCE_VALUE_UNREPRESENTABLE",
                        "Cannot capture table public.orders: column price of row id=4 has a value"
                                + " that its type cannot hold (value=NaN, type=decimal(8, 2),"
                                + " source type=numeric(8,2)); set another value at the source"
                                + " first",
                        "weir rebuild sales.orders",
                        "id=4",
                        "price as numeric(8,2)",
                        "{price=NaN}"));
        assertThat(house.query("select version from sales.orders where id = 1")).isEqualTo("1");
        assertThat(house.lake("items")).isEqualTo(house.sourced("items"));

        house.source.execute("update items set version = 10 where id = 1");
        house.replicas().rebuild("shop", "public.orders", ANNA);
        assertThat(house.once().isVerified()).isFalse();
        assertThat(stop("orders").code()).isEqualTo("SOURCE_VALUE_UNREPRESENTABLE");
        assertThat(house.lake("items")).isEqualTo(house.sourced("items"));
        house.source.execute("update orders set price = 1 where id = 4");
        house.replicas().rebuild("shop", "public.orders", ANNA);
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    /** The slot still begins before the values: what the rebuilt rows cover is not read again. */
    @Test
    void tablesThatAllStoppedForAValueAreRebuilt() {
        for (String table : ReplicaHouse.TABLES) {
            house.source.execute("update " + table + " set price = 'NaN' where id = 4");
        }
        assertThat(house.once().isVerified()).isFalse();
        for (String table : ReplicaHouse.TABLES) {
            assertThat(stop(table).key()).isEqualTo("id=4");
            house.source.execute("update " + table + " set price = 1 where id = 4");
            house.replicas().rebuild("shop", "public." + table, ANNA);
        }
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    /** As a reader sees it that shares nothing with ours. */
    private long rowsWithDefaults() {
        AtomicLong found = new AtomicLong();
        house.iceberg("orders", table -> {
            try (CloseableIterable<Record> rows = IcebergGenerics.read(table).build()) {
                for (Record row : rows) {
                    boolean same = Integer.valueOf(5).equals(row.getField("n"))
                            && "it's".equals(row.getField("t"))
                            && LocalDate.of(2001, 2, 3).equals(row.getField("d"))
                            && Long.valueOf(-7).equals(row.getField("big"));
                    found.addAndGet(same ? 1 : 0);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return found.get();
    }
}
