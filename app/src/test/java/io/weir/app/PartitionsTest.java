package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.weir.app.CommandLineHouse.Output;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** Partitioned targets, as a person meets them. */
class PartitionsTest {
    private static final String JOB = """
              visits:
                load: { source: shop, table: public.visits, into: sales.visits }
                partition-by: %s
                publish: %s
            """;

    @TempDir
    Path directory;

    private CommandLineHouse house;

    @BeforeEach
    void open() {
        house = new CommandLineHouse(directory);
        house.shop.execute("create table visits (id bigint primary key, at timestamptz)", """
                insert into visits
                select n, timestamptz '2026-11-29 00:00+00' + n * interval '1 hour'
                from generate_series(0, 99) as n
                """);
    }

    private Output load(Path file, String key) {
        return house.weir("load", file.toString(), "--business-key", key);
    }

    @Test
    void loadsADayAndReplacesIt() {
        Path file = house.jobFile(JOB.formatted("[day(at), bucket(4, id)]", "replace-partitions"));

        Output check = house.weir("check", file.toString(), "--business-key", "2026-11-30");
        assertThat(check.err()).isEmpty();
        assertThat(check.out())
                .contains("partition-by day(at), bucket(4, id): rows of one file have equal values")
                .contains("replace-partitions: staged on a branch")
                .contains("take the place of those where day(at) is 2026-11-30; only such are read")
                .contains("\"at\" >= timestamptz '2026-11-30 00:00:00+00'");

        Output first = load(file, "2026-11-30");
        assertThat(first.err()).isEmpty();
        assertThat(first.out()).contains("misplaced_rows").contains("SUCCESS");
        assertThat(load(file, "2026-12-01").exitCode()).isZero();
        house.shop.execute("delete from visits where id in (24, 48)");
        assertThat(load(file, "2026-11-30").exitCode()).isZero();

        Output rows = house.weir(
                "sql",
                "select count(*) as n, min(id) as least, max(id) as most from sales.visits",
                "-f",
                file.toString(),
                "--json");
        assertThat(rows.out()).contains("\"n\":\"47\"", "\"least\":\"25\"", "\"most\":\"71\"");
    }

    @Test
    void aKeyOfAnotherFormIsRefusedByCheckAndLoad() throws Exception {
        Path file = house.jobFile(JOB.formatted("day(at)", "replace-partitions"));

        for (String command : new String[] {"check", "load"}) {
            Output output = house.weir(command, file.toString(), "--business-key", "november");
            assertThat(output.exitCode()).as(command).isEqualTo(2);
            assertThat(output.err())
                    .contains("CONFIG_INVALID")
                    .contains("business key november")
                    .contains("field=day(at)")
                    .contains("type=timestamptz")
                    .contains("Hint: Give --business-key as a day such as 2026-11-29.");
        }
        Output json =
                house.weir("check", file.toString(), "--business-key", "2026-11-29", "--json");
        JsonNode check = new ObjectMapper().readTree(json.out());
        assertThat(check.path("ok").asBoolean()).isTrue();
        assertThat(check.path("partition_by").asText()).isEqualTo("day(at)");
        assertThat(check.path("partition_key").asText()).isEqualTo("2026-11-29");
        assertThat(check.path("target_action").asText()).isEqualTo("create");
    }

    @Test
    void whatCannotBeReadIsNamedWithItsPlace() {
        assertProblem("[week(at)]", "append", "has an unknown transform \"week\", must be one of");
        assertProblem("[bucket(id)]", "append", "needs a number: bucket(16, id)");
        assertProblem("[]", "replace-partitions", "partition-by must name at least one field");
        assertProblem(
                "[bucket(16, id), day(at)]",
                "replace-partitions",
                "begins with bucket(16, id), of which a business key cannot name a value");
        Path missing = house.jobFile("""
                  visits:
                    load: { source: shop, table: public.visits, into: sales.visits }
                    publish: replace-partitions
                """);
        assertThat(load(missing, "2026-11-29").err())
                .contains("jobs.visits.publish is replace-partitions, which needs partition-by");
    }

    private void assertProblem(String partitionBy, String publish, String problem) {
        Path file = house.jobFile(JOB.formatted(partitionBy, publish));
        Output output = load(file, "2026-11-29");
        assertThat(output.exitCode()).isEqualTo(2);
        assertThat(output.err()).contains(file + ":").contains("jobs.visits.partition-by");
        assertThat(output.err()).contains(problem);
    }

    @Test
    void whatTheColumnsCannotDoIsRefused() {
        Path file = house.jobFile(JOB.formatted("[hour(id), nowhere]", "append"));

        Output output = load(file, "2026-11-29");

        assertThat(output.exitCode()).isEqualTo(2);
        assertThat(output.err())
                .contains("Cannot partition table sales.visits")
                .contains("a column of type long cannot be partitioned by hour(id)")
                .contains("there is no column nowhere");
    }
}
