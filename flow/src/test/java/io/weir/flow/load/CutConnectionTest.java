package io.weir.flow.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.RunFilter;
import io.weir.core.publish.PublishMode;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.testkit.postgresql.TestDatabase;
import io.weir.testkit.postgresql.TestPostgres;
import io.weir.testkit.proxy.Fault;
import io.weir.testkit.proxy.FaultProxy;
import io.weir.testkit.proxy.Protocol;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A load whose connection to the ledger or to the catalog is cut at one of its requests. A few
 * requests are drawn from a seed; {@code -Dweir.everyStatement=true} cuts at each of them.
 */
class CutConnectionTest {
    private static final LoadJob ORDERS = LoadHouse.job("orders", PublishMode.APPEND);
    private static final int ROWS = 40;
    private static final int DRAWN = 4;
    private static final long SEED = 20_261_130;

    /** What a command may say instead of succeeding. */
    private static final Set<ErrorCode> CLEAR = Set.of(
            ErrorCode.LEDGER_UNREACHABLE,
            ErrorCode.CATALOG_UNREACHABLE,
            ErrorCode.TABLE_COMMIT_UNKNOWN);

    @TempDir
    Path directory;

    private final TestDatabase books = TestPostgres.shared().createDatabase();
    private final FaultProxy ledgerLine =
            FaultProxy.start(Protocol.POSTGRESQL, books.host(), books.port());
    private final FaultProxy catalogLine =
            FaultProxy.start(Protocol.POSTGRESQL, books.host(), books.port());
    private LoadHouse house;

    @BeforeEach
    void open() {
        house = new LoadHouse(
                directory,
                directory.resolve("lake"),
                books,
                LoadHouse.through(ledgerLine, books),
                LoadHouse.through(catalogLine, books));
        house.shop.execute(
                "create table orders (id bigint primary key, amount numeric(12, 2))",
                "insert into orders select n, n from generate_series(1, " + ROWS + ") as n");
    }

    @AfterEach
    void close() {
        house.close();
        ledgerLine.close();
        catalogLine.close();
    }

    // F11 F23 F35
    @Test
    void anyReplyOfTheLedgerMayBeLost() {
        cutAtSome(ledgerLine, Fault.CUT_AFTER);
    }

    // F12 F22
    @Test
    void anyRequestToTheLedgerMayBeLost() {
        cutAtSome(ledgerLine, Fault.CUT_BEFORE);
    }

    // F39
    @Test
    void anyReplyOfTheCatalogMayBeLost() {
        cutAtSome(catalogLine, Fault.CUT_AFTER);
    }

    // F40
    @Test
    void anyRequestToTheCatalogMayBeLost() {
        cutAtSome(catalogLine, Fault.CUT_BEFORE);
    }

    private void cutAtSome(FaultProxy line, Fault fault) {
        house.load(ORDERS, "first of all");
        line.startOver();
        house.load(ORDERS, "to be counted");
        int requests = line.requests();
        assertThat(requests).isGreaterThan(20);
        for (int k : drawn(requests, fault)) {
            line.startOver();
            line.at(k, fault);
            loadTwice(fault + " " + k + " of " + requests);
        }
    }

    private static List<Integer> drawn(int requests, Fault fault) {
        IntStream all = IntStream.rangeClosed(1, requests);
        if (Boolean.getBoolean("weir.everyStatement")) {
            return all.boxed().toList();
        }
        int part = requests / DRAWN;
        int offset = new SplittableRandom(SEED + fault.name().hashCode()).nextInt(1, part);
        return all.filter(k -> k % part == offset).boxed().toList();
    }

    /** The command may fail, but then says why; the same command again always does its work. */
    private void loadTwice(String cut) {
        try {
            assertThat(house.load(ORDERS, cut).run().state()).as(cut).isEqualTo(RunState.SUCCESS);
        } catch (WeirException e) {
            assertThat(e.code()).as(cut + ": " + e.text()).isIn(CLEAR);
        }
        assertExact(cut);
        house.endLeases();

        assertThat(house.load(ORDERS, cut).run().state()).as(cut).isEqualTo(RunState.SUCCESS);

        assertExact(cut);
        assertThat(house.ledger.runs(new RunFilter("orders", true, 10)))
                .as(cut)
                .isEqualTo(List.of());
    }

    /** Every run that says so is in the table once, and nothing else is. */
    private void assertExact(String cut) {
        long published = house.ledger.runs(new RunFilter("orders", false, 1_000)).stream()
                .map(Run::state)
                .filter(state -> state == RunState.SUCCESS || state == RunState.PUBLISHED)
                .count();
        assertThat(house.rows("sales.orders")).as(cut).isEqualTo(Long.toString(published * ROWS));
    }
}
