package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.app.CommandLineHouse.Output;
import io.weir.core.ledger.CreateRun;
import io.weir.core.publish.PublishMode;
import io.weir.core.run.RecoveryMode;
import io.weir.ledger.PostgresLedger;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;

/**
 * Each kind of bad input: the message names the thing, the reason and what to do, the exit code
 * follows from the kind, nothing is half-published, and the next good run is not in the way.
 */
class BadInputTest {
    @TempDir
    Path directory;

    private CommandLineHouse house;

    @BeforeEach
    void fill() {
        house = new CommandLineHouse(directory);
        house.shop.execute(
                "create table orders (id bigint primary key, amount numeric(12, 2) not null)",
                "insert into orders select n, n * 1.25 from generate_series(1, 1000) as n");
    }

    private Output load(Path file) {
        return house.weir("load", file.toString(), "--business-key", "monday");
    }

    private void assertRefused(Output output, int exitCode, String code, String... parts) {
        assertThat(output.err()).contains("Error: Cannot ").contains("Hint: ").contains(code);
        assertThat(output.err()).contains(parts);
        assertThat(output.exitCode()).isEqualTo(exitCode);
    }

    private void assertNextRunIsGood() {
        Output good = load(house.jobFile());
        assertThat(good.err()).isEmpty();
        assertThat(good.exitCode()).isZero();
        assertThat(good.out()).contains("SUCCESS: what was read is what is published");
    }

    @Test
    void unknownKeyIsNamedWithLineAndSuggestion() {
        Path file = house.write("job.yaml", """
                        lake: { warehouse: ./lake }
                        sources:
                          shop: { url: "jdbc:postgresql://localhost/shop", user: weir }
                        jobs:
                          orders:
                            load: { source: shop, tabel: public.orders, into: sales.orders }
                            publish: replace
                        """);

        Output output = load(file);

        assertRefused(
                output,
                2,
                "CONFIG_INVALID",
                file + ":6:27: Unknown key \"tabel\" in jobs.orders.load: did you mean \"table\"?",
                "jobs.orders.load.table is missing");
    }

    @Test
    void everyProblemOfAFileIsReportedAtOnce() {
        Path file = house.write("job.yaml", """
                        lake: { warehouse: ./lake }
                        sources:
                          shop: { url: "jdbc:postgresql://localhost/shop", user: weir }
                        jobs:
                          orders:
                            load: { source: shpo, table: o, into: sales.orders, chunk-size: 12 }
                            publish: overwrite
                        """);

        assertRefused(
                load(file),
                2,
                "CONFIG_INVALID",
                "3 problems",
                "jobs.orders.load.source is \"shpo\", must be one of the sources: shop",
                "jobs.orders.load.chunk-size is \"12\", must be a size such as 128MB",
                "jobs.orders.publish is \"overwrite\", must be one of append, replace");
    }

    @Test
    void urlWithAPasswordBeforeTheHostIsRefusedWithoutShowingIt() {
        Path file = house.jobFile(
                CommandLineHouse.job("orders", "public.orders", "sales.orders", ""),
                "jdbc:postgresql://weir:geheim@localhost:5432/shop",
                "weir",
                "x");

        Output output = load(file);

        assertRefused(output, 2, "CONFIG_INVALID", "source shop");
        assertThat(output.err() + output.out()).doesNotContain("geheim");
    }

    @Test
    void missingFileAndMissingJobAreNamed() {
        assertRefused(load(directory.resolve("none.yaml")), 3, "CONFIG_NOT_FOUND", "none.yaml");
        assertRefused(
                house.weir("load", house.jobFile().toString(), "--job", "ordres"),
                3,
                "JOB_NOT_FOUND",
                "ordres",
                "the jobs that load are orders");
    }

    @Test
    void missingTableIsNamed() {
        String job = CommandLineHouse.job("orders", "public.ordres", "sales.orders", "");

        assertRefused(load(house.jobFile(job)), 3, "SOURCE_TABLE_NOT_FOUND", "ordres", "orders");
        assertNextRunIsGood();
    }

    @Test
    void missingColumnIsNamed() {
        String job = CommandLineHouse.job(
                "orders", "public.orders", "sales.orders", ", exclude: [amuont]");

        assertRefused(load(house.jobFile(job)), 3, "SOURCE_COLUMN_NOT_FOUND", "amuont", "amount");
        assertNextRunIsGood();
    }

    @Test
    void missingPrivilegeIsNamedWithTheGrant() {
        house.shop.execute("create role reader_" + house.shop.name() + " login password 'x'");

        Output output = load(house.jobFile(
                CommandLineHouse.job("orders", "public.orders", "sales.orders", ""),
                house.shop.url(),
                "reader_" + house.shop.name(),
                "x"));

        assertRefused(output, 6, "SOURCE_PRIVILEGE_MISSING", "orders", "GRANT SELECT ON");
        assertNextRunIsGood();
    }

    @Test
    void unreachableHostIsNamed() {
        Output output = load(house.jobFile(
                CommandLineHouse.job("orders", "public.orders", "sales.orders", ""),
                "jdbc:postgresql://127.0.0.1:1/shop",
                "weir",
                "x"));

        assertRefused(output, 5, "SOURCE_UNREACHABLE", "host=127.0.0.1, port=1");
        assertNextRunIsGood();
    }

    @Test
    void targetWithAnotherSchemaIsRefusedWithEveryDifference() {
        assertThat(load(house.jobFile()).exitCode()).isZero();
        house.shop.execute(
                "alter table orders alter column amount type numeric(14, 4)",
                "alter table orders add column note text");

        Output output = load(house.jobFile());

        assertRefused(output, 2, "TARGET_SCHEMA_MISMATCH", "sales.orders", "amount", "note");
        assertThat(rows()).isEqualTo("1000");
    }

    @Test
    void unrepresentableValueIsRefusedWithItsRow() {
        house.shop.execute(
                "alter table orders add column due date",
                "update orders set due = '44000-01-01' where id = 77");

        Output output = load(house.jobFile());

        assertRefused(output, 6, "SOURCE_VALUE_UNREPRESENTABLE", "due", "44000-01-01", "id=77");
        house.shop.execute("update orders set due = null");
        assertNextRunIsGood();
    }

    @Test
    void secondRunOfTheSameBusinessKeyIsRefused() {
        Path file = house.jobFile();
        String active;
        try (PostgresLedger ledger = PostgresLedger.open(
                house.books.url(), house.books.user(), house.books.password())) {
            active = ledger.createRun(new CreateRun(
                            UUID.randomUUID().toString(),
                            "orders",
                            "monday",
                            "shop",
                            "public.orders",
                            "sales.orders",
                            PublishMode.REPLACE,
                            "file:///nowhere",
                            true,
                            Duration.ofMinutes(5),
                            Duration.ofHours(6),
                            RecoveryMode.REISSUE,
                            null))
                    .id()
                    .toString();
        }

        assertRefused(load(file), 4, "DUPLICATE_ACTIVE_RUN", "orders", "monday", active);
        assertThat(house.weir("load", file.toString(), "--business-key", "tuesday")
                        .exitCode())
                .isZero();
    }

    @Test
    void fullDiskFailsTheRunAndLeavesRoom() throws Exception {
        Path small = Files.createDirectory(directory.resolve("lake"));
        assumeTrue(
                mount("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", small.toString()),
                "a small file system can be mounted by root only");
        try {
            house.shop.execute("create table noise (id bigint primary key, noise text)", """
                    insert into noise
                    select n, (select string_agg(md5(n::text || k), '')
                        from generate_series(1, 30) as k)
                    from generate_series(1, 20000) as n
                    """);
            String job = CommandLineHouse.job("noise", "public.noise", "sales.noise", "");

            Output output = load(house.jobFile(job));

            assertRefused(output, 6, "DISK_FULL", small.toString());
            assertNextRunIsGood();
        } finally {
            mount("umount", small.toString());
        }
    }

    private static boolean mount(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    private String rows() {
        return house.weir(
                        "sql",
                        "select count(*) as n from sales.orders",
                        "--json",
                        "-f",
                        directory.resolve("job.yaml").toString())
                .out()
                .replaceAll("\\D", "");
    }

    @Test
    void badRunIdsOptionsAndQueriesAreRefused() {
        String file = house.jobFile().toString();
        assertThat(load(house.jobFile()).exitCode()).isZero();

        assertRefused(house.weir("show", "xyz", "-f", file), 3, "RUN_NOT_FOUND", "xyz");
        assertRefused(
                house.weir("certificate", UUID.randomUUID().toString(), "-f", file),
                3,
                "RUN_NOT_FOUND",
                "Cannot find run");
        assertRefused(
                house.weir("sql", "drop table sales.orders", "-f", file),
                2,
                "QUERY_INVALID",
                "query");
        Output option = house.weir("load", file, "--buisness-key", "x");
        assertThat(option.exitCode()).isEqualTo(2);
        assertThat(option.err()).contains("--buisness-key").contains("--business-key");
    }
}
