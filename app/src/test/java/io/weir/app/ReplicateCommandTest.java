package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.app.CommandLineHouse.Output;
import io.weir.core.json.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** What a user of replication types, and what comes back. */
class ReplicateCommandTest {
    @TempDir
    private Path directory;

    private CommandLineHouse house;
    private String file = "";

    @BeforeEach
    void fill() {
        house = new CommandLineHouse(directory);
        for (String table : List.of("orders", "customers")) {
            house.shop.execute(
                    "create table " + table + " (id int primary key, note text)",
                    "alter table " + table + " replica identity full",
                    "insert into " + table + " select n, 'n' || n from generate_series(1, 50) n");
        }
        house.shop.execute("create publication weir_shop for table orders, customers");
        file = house.jobFile("""
                  shop:
                    replicate:
                      source: shop
                      tables: [public.orders, public.customers]
                      into: sales
                      slot: %s
                    every: 1h
                    merge: row-hash
                """.formatted(slot())).toString();
    }

    private String slot() {
        return "cli_" + house.shop.name();
    }

    @AfterEach
    void drop() {
        house.shop.execute("select pg_drop_replication_slot(slot_name) from pg_replication_slots"
                + " where slot_name = '" + slot() + "' and not active");
    }

    @Test
    void onceLoadsMergesAndSaysWhatIsProven() {
        Output first = house.weir("replicate", file, "--once");
        assertThat(first.err()).isEmpty();
        assertThat(first.exitCode()).isZero();
        assertThat(first.out())
                .contains("sales.orders: loaded at 0/")
                .contains("Cut 1 of job shop at 0/")
                .contains(": 2 of 2 tables")
                .containsPattern("sales.customers +RUNNING +[0-9A-F]+/[0-9A-F]+ +0");

        house.shop.execute("update orders set note = 'new' where id = 3");
        Output second = house.weir("replicate", file, "--once", "--json");
        assertThat(second.exitCode()).isZero();
        JsonNode merged = second.out()
                .lines()
                .map(Json::parse)
                .filter(line -> line.path("step").asText().equals("merged"))
                .findFirst()
                .orElseThrow();
        assertThat(merged.path("target").asText()).isEqualTo("sales.orders");
        assertThat(merged.path("updated").asLong()).isEqualTo(1);
        assertThat(merged.path("balances").path("closing").asText()).startsWith("50:");
        assertThat(house.weir("sql", "select note from sales.orders where id = 3", "-f", file)
                        .out())
                .contains("new");
        Output fsck = house.weir("fsck", "--tables", "-f", file);
        assertThat(fsck.exitCode()).as(fsck.out() + fsck.err()).isZero();
    }

    /** The row in the lake is another one than the log says it was: something got lost. */
    @Test
    void aStopSaysWhatToDoAndTheCommandsDoIt() {
        house.weir("replicate", file, "--once");
        // A change that the log of the source does not tell.
        house.shop.execute(
                "alter publication weir_shop set (publish = 'insert')",
                "update orders set note = 'lost' where id = 3",
                "alter publication weir_shop set"
                        + " (publish = 'insert, update, delete, truncate')",
                "update orders set note = 'next' where id = 3",
                "update customers set note = 'fine' where id = 4");
        Output stopped = house.weir("replicate", file, "--once");
        assertThat(stopped.exitCode()).isEqualTo(6);
        assertThat(stopped.err())
                .contains("Cannot verify table sales.orders: it is stopped (MERGE_CHAIN_BROKEN)")
                .contains("id=3")
                .contains("weir rebuild sales.orders");
        assertThat(stopped.out()).contains("1 of 2 tables, missing public.orders");
        assertThat(note("orders", 3)).contains("n3");
        assertThat(note("customers", 4)).contains("fine");

        Output again = house.weir("continue", "sales.orders", "--reason", "look", "-f", file);
        assertThat(again.out()).containsPattern("sales.orders +RUNNING");
        assertThat(house.weir("replicate", file, "--once").exitCode()).isEqualTo(6);

        Output rebuild = house.weir("rebuild", "sales.orders", "--reason", "lost", "-f", file);
        assertThat(rebuild.exitCode()).isZero();
        assertThat(rebuild.out()).containsPattern("sales.orders +LOADING");
        Output healed = house.weir("replicate", file, "--once");
        assertThat(healed.err()).isEmpty();
        assertThat(healed.exitCode()).isZero();
        assertThat(note("orders", 3)).contains("next");
    }

    private String note(String table, int id) {
        return house.weir(
                        "sql", "select note from sales." + table + " where id = " + id, "-f", file)
                .out();
    }

    @Test
    void checkNamesTheStatementThatIsMissing() {
        assertThat(house.weir("check", file).out())
                .contains("public.orders is kept in sales.orders")
                .contains("Nothing speaks against it: weir replicate");
        house.shop.execute("alter table orders replica identity default");
        Output check = house.weir("check", file);
        assertThat(check.exitCode()).isEqualTo(6);
        assertThat(check.out())
                .contains("ALTER TABLE \"public\".\"orders\" REPLICA IDENTITY FULL;");
    }

    @Test
    void aPausedJobRestsUntilItIsResumed() {
        house.weir("replicate", file, "--once");
        assertThat(house.weir("pause", "shop", "-f", file).out()).contains("Job shop is PAUSED");
        Output paused = house.weir("replicate", file, "--once");
        assertThat(paused.exitCode()).isEqualTo(4);
        assertThat(paused.err()).contains("weir resume");
        assertThat(house.weir("resume", "shop", "-f", file).out()).contains("Job shop is RUNNING");
        assertThat(house.weir("replicate", file, "--once").exitCode()).isZero();
        assertThat(house.weir("replicate", file, "--status").out())
                .containsPattern("sales.orders +RUNNING");
    }

    @Test
    void aRolledBackTableMergesTheSameChangesAgain() {
        house.weir("replicate", file, "--once");
        String before = snapshot(house.weir("replicate", file, "--once", "--json"));
        assertThat(before).isEmpty();
        house.shop.execute("update orders set note = 'one' where id = 1");
        String first = snapshot(house.weir("replicate", file, "--once", "--json"));
        JsonNode window = Json.parse(
                        house.weir("replicate", file, "--windows", "--json").out())
                .path("window");
        assertThat(window.path("target").asText()).isEqualTo("sales.orders");
        assertThat(window.path("state").asText()).isEqualTo("PUBLISHED");
        assertThat(window.path("snapshot_id").asText()).isEqualTo(first);
        assertThat(window.path("rows_in").asLong()).isEqualTo(1);
        assertThat(window.path("rows_out").asLong()).isEqualTo(1);
        assertThat(window.at("/balances/opening").asText()).startsWith("50:");
        assertThat(window.path("ended_at").asText())
                .isGreaterThan(window.path("opened_at").asText());
        house.shop.execute("update orders set note = 'two' where id = 1");
        house.weir("replicate", file, "--once", "--json");
        assertThat(house.weir("replicate", file, "--windows").out().lines())
                .hasSize(3)
                .last()
                .asString()
                .matches(
                        "sales.orders +[0-9A-F]+/[0-9A-F]+ +PUBLISHED +1 +1 +1 +50:\\S+ +50:\\S+ .*"
                                + first);
        Output back = house.weir(
                "rollback", "sales.orders", "--to", first, "--reason", "try", "-f", file);
        assertThat(back.err()).isEmpty();
        assertThat(note("orders", 1)).contains("one");
        assertThat(house.weir("replicate", file, "--once").exitCode()).isZero();
        assertThat(note("orders", 1)).contains("two");
    }

    @Test
    void aTimeOrANumberThatIsNoneIsNamed() {
        Output output = house.weir("check", house.jobFile("""
                  shop:
                    replicate: { source: shop, tables: [public.orders], into: sales }
                    initial: from-table
                    as-of: soon
                    cuts: 0
                    lag-max: 60m
                """).toString());
        assertThat(output.exitCode()).isEqualTo(2);
        assertThat(output.err())
                .contains("is \"soon\", must be a position such as 0/16B3748, or a time with its"
                        + " zone such as 2026-11-30T10:00:00Z")
                .contains("is \"0\", must be a number from 1 to 99999")
                .contains("is \"60m\", must be longer than every, which is 3600s");
        assertThat(house.weir("check", house.jobFile("""
                  shop:
                    replicate: { source: shop, tables: [public.orders], into: sales }
                    initial: from-table
                    as-of: 2026-11-30T11:00:00+01:00
                    cuts: 24
                    lag-max: 2h
                """).toString()).err())
                .doesNotContain("as-of", "cuts", "lag-max");
    }

    private static String snapshot(Output output) {
        return output.out()
                .lines()
                .map(Json::parse)
                .filter(line -> line.path("step").asText().equals("merged"))
                .map(line -> line.path("snapshot_id").asText())
                .findFirst()
                .orElse("");
    }
}
