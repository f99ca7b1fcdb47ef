package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.app.CommandLineHouse.Output;
import io.weir.core.json.Json;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** What a user types, and what comes back. */
class LoadCommandTest {
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

    @Test
    void loadsAndPrintsTheCertificate() {
        Output load = house.weir("load", house.jobFile().toString(), "--business-key", "monday");

        assertThat(load.err()).isEmpty();
        assertThat(load.exitCode()).isZero();
        assertThat(load.out())
                .contains("SUCCESS: what was read is what is published")
                .contains("same-snapshot")
                .containsPattern("sum\\(amount\\) +625625 +equal +equal +PASS")
                .contains("weir sql \"select * from sales.orders limit 10\"");
    }

    @Test
    void runsShowCertificateAndSqlTellOfTheRun() {
        String file = house.jobFile().toString();
        String run = house.weir("load", file, "--business-key", "monday").run();

        assertThat(house.weir("runs", "-f", file).out())
                .containsPattern(run + " +orders +monday +SUCCESS +1,000");
        assertThat(house.weir("show", run, "-f", file).out())
                .contains("RUN_SUCCEEDED")
                .contains("VALIDATE_RUN");
        JsonNode certificate =
                Json.parse(house.weir("certificate", run, "--json", "-f", file).out());
        assertThat(certificate.path("conclusion").asText()).isEqualTo("verified");
        assertThat(certificate.path("source").path("rows").asLong()).isEqualTo(1000);
        assertThat(certificate.path("balances").path("read").asText())
                .startsWith("1000:")
                .isEqualTo(certificate.path("balances").path("published").asText());
        assertThat(house.weir("sql", "select sum(amount) as total from sales.orders", "-f", file)
                        .out())
                .contains("625625.00")
                .contains("1 row");
        assertThat(house.weir("sql", "select count(*) as n from sales.orders", "--json", "-f", file)
                        .out())
                .isEqualTo("{\"n\":\"1000\"}\n");
    }

    @Test
    void jsonEndsWithTheCertificate() {
        Output load = house.weir("load", house.jobFile().toString(), "--json");

        List<String> lines = load.out().lines().toList();
        assertThat(Json.parse(lines.get(0)).path("step").asText()).isEqualTo("planned");
        assertThat(Json.parse(lines.get(lines.size() - 1))
                        .path("certificate")
                        .path("state")
                        .asText())
                .isEqualTo("SUCCESS");
    }

    @Test
    void checkExplainsAndChangesNothing() {
        Output check = house.weir("check", house.jobFile().toString());

        assertThat(check.exitCode()).isZero();
        assertThat(check.out())
                .contains("sales.orders will be created")
                .containsPattern("amount +numeric\\(12,2\\) +decimal\\(12, 2\\) +no +fail")
                .containsPattern("(?i)0000 +copy .*orders")
                .contains("same-snapshot")
                .contains("one fast-forward of main")
                .contains("Nothing speaks against it");
        assertThat(directory.resolve("lake")).doesNotExist();
        assertThat(house.weir("runs", "--help").out())
                .contains("weir replicate JOB.YAML --windows");
        assertThat(house.weir("runs", "-f", directory.resolve("job.yaml").toString())
                        .out())
                .contains("No runs.");
    }

    @Test
    void checkRefusesATypeByItsName() {
        house.shop.execute("alter table orders add column span interval");

        Output check = house.weir("check", house.jobFile().toString());

        assertThat(check.exitCode()).isEqualTo(2);
        assertThat(check.out()).contains("span").contains("interval");
        assertThat(check.err()).contains("SOURCE_TYPE_UNSUPPORTED");
    }

    @Test
    void excludesAColumnThatTheJobLeavesOut() {
        house.shop.execute("alter table orders add column span interval");
        String job = CommandLineHouse.job(
                "orders", "public.orders", "sales.orders", ", exclude: [span]");

        Output load = house.weir("load", house.jobFile(job).toString());

        assertThat(load.exitCode()).isZero();
    }

    @Test
    void countsWhatAPolicyChanged() {
        house.shop.execute(
                "alter table orders add column due date",
                "update orders set due = 'infinity' where id <= 3");
        String job = CommandLineHouse.job(
                "orders", "public.orders", "sales.orders", ", policies: {due: clamp}");

        Output load = house.weir("load", house.jobFile(job).toString());

        assertThat(load.exitCode()).isZero();
        assertThat(load.out()).containsPattern("policy +due: 3 values changed");
    }
}
