package io.weir.flow.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.Operator;
import io.weir.flow.changelog.LogStep;
import io.weir.ledger.replica.Stop;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;

/** Transactions that change rows of a table and then add columns to it. */
class ColumnInTransactionTest {
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

    /** As one transaction, while others commit after its first statement. */
    private void together(String first, String... others) throws SQLException {
        try (Connection writer = house.source.connect();
                Statement statement = writer.createStatement()) {
            writer.setAutoCommit(false);
            statement.execute(first);
            house.source.execute("update items set version = version + 1 where id = 1");
            for (String other : others) {
                statement.execute(other);
            }
            writer.commit();
        }
    }

    /** Its first changes lie in the log before and behind what others committed meanwhile. */
    @Test
    void whatATransactionDidBeforeItAddedColumnsFlowsThrough() throws SQLException {
        together(
                "update orders set version = 7 where id = 1",
                "delete from orders where id = 3",
                "update orders set version = 8 where id = 1",
                "insert into orders (id, version) values (500, 1)",
                "alter table orders add column note text default 'old', add column raw bytea"
                        + " not null default '\\x00ff', add column n int",
                "update orders set note = 'new', n = 4 where id in (1, 2)",
                "update orders set n = 5 where id = 500");
        house.source.execute("update orders set note = null where id between 4 and 9");
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.query("select string_agg(version || note || coalesce(n, 0), ' ' order by"
                        + " id) from sales.orders where id in (1, 2, 10, 500)"))
                .isEqualTo("8new4 0new4 0old0 1old5");
        assertThat(house.different()).isEmpty();
        house.source.execute("update orders set version = version + 1");
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    /** A row that lacks a column is older than the column only before the first that has it. */
    @Test
    void aColumnThatComesAndGoesInOneTransactionStopsItsTable() throws SQLException {
        together(
                "update orders set version = 7 where id = 1",
                "alter table orders add column note text default 'old'",
                "update orders set note = 'new' where id = 2",
                "alter table orders rename column note to other",
                "update orders set version = 8 where id = 2",
                "alter table orders rename column other to note");
        assertThat(house.once().isVerified()).isFalse();
        assertThat(stop("orders").message()).contains("column note is gone");
        assertThat(house.query("select sum(version) from sales.orders")).isEqualTo("0");
        house.replicas().rebuild("shop", "public.orders", ANNA);
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }

    @Test
    void aNewColumnThatIsDroppedLaterStopsItsTable() throws SQLException {
        addsAColumn();
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
        house.source.execute(
                "alter table orders drop column note",
                "update orders set version = 9 where id = 1");
        assertThat(house.once().isVerified()).isFalse();
        assertThat(stop("orders").message()).contains("column note is gone");
        assertThat(house.query("select version from sales.orders where id = 1")).isEqualTo("7");
    }

    private void addsAColumn() throws SQLException {
        together(
                "update orders set version = 7 where id = 1",
                "alter table orders add column note text default 'old'",
                "update orders set note = 'new' where id = 2");
    }

    private void diesAt(LogStep last) {
        ReplicateListener dying = new ReplicateListener() {
            @Override
            public void step(LogStep step) {
                if (step == last && house.replica("orders").generation() == 2) {
                    throw new WeirException(ErrorCode.LEDGER_UNREACHABLE, "Cannot tell the books");
                }
            }
        };
        assertThatThrownBy(() -> house.once(house.job(), dying)).isInstanceOf(WeirException.class);
        house.endLeases();
        house.awaitFreeSlot();
    }

    /** What is in the log comes once more, and with it rows that lack the column. */
    @Test
    void aProcessThatEndsAfterItKeptSuchATransactionLeavesTheRestToTheNext() throws SQLException {
        addsAColumn();
        diesAt(LogStep.APPENDED);
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.query("select version from sales.orders where id = 1")).isEqualTo("7");
        assertThat(house.different()).isEmpty();
    }

    @Test
    void aProcessThatEndsBeforeItKeptSuchATransactionStopsTheTable() throws SQLException {
        addsAColumn();
        diesAt(LogStep.WRITTEN);
        assertThat(house.once().isVerified()).isFalse();
        assertThat(stop("orders").message()).contains("column note is gone");
        assertThat(stop("orders").command()).isEqualTo("weir rebuild sales.orders");
        house.replicas().rebuild("shop", "public.orders", ANNA);
        assertThat(house.once().isVerified()).isTrue();
        assertThat(house.different()).isEmpty();
    }
}
