package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.app.CommandLineHouse.Output;
import io.weir.core.json.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** {@code lineage} in a job file, and {@code weir server --lineage}. */
class LineageCommandTest {
    private static final String TABLES = """
              shop:
                load:
                  source: shop
                  tables:
                    public.orders: { into: sales.orders }
                    public.customers: { into: sales.customers }
                publish: replace
            lineage: lineage.jsonl
            """;

    @TempDir
    Path directory;

    @Test
    void aLoadOfTwoTablesIsTwoRunsOfOneCut() throws IOException {
        CommandLineHouse house = new CommandLineHouse(directory);
        house.shop.execute(
                "create table orders (id bigint primary key, amount numeric(12, 2) not null)",
                "insert into orders select n, n from generate_series(1, 1000) as n",
                "create table customers (id bigint primary key, name text)",
                "insert into customers select n, 'c' from generate_series(1, 10) as n");

        Output load = house.weir("load", house.jobFile(TABLES).toString(), "--json");

        assertThat(load.exitCode()).as(load.err()).isZero();
        List<JsonNode> events = Files.readAllLines(directory.resolve("lineage.jsonl")).stream()
                .map(Json::parse)
                .toList();
        assertThat(events).hasSize(4);
        for (String table : List.of("orders", "customers")) {
            List<JsonNode> ofTable = events.stream()
                    .filter(event -> event.at("/outputs/0/name").asText().equals("sales." + table))
                    .toList();
            assertThat(ofTable)
                    .extracting(event -> event.path("eventType").asText())
                    .containsExactly("START", "COMPLETE");
            JsonNode certificate = load.out()
                    .lines()
                    .map(Json::parse)
                    .map(line -> line.path("certificate"))
                    .filter(found -> found.path("run")
                            .asText()
                            .equals(ofTable.get(1).at("/run/runId").asText()))
                    .findFirst()
                    .orElseThrow();
            long rows = table.equals("orders") ? 1000 : 10;
            JsonNode statistics = ofTable.get(1).at("/outputs/0/outputFacets/outputStatistics");
            assertThat(statistics.path("rowCount").asLong()).isEqualTo(rows);
            assertThat(statistics.path("size").asLong()).isPositive();
            assertThat(statistics.path("fileCount").asLong()).isEqualTo(1);
            assertThat(ofTable.get(1).at("/inputs/0/namespace").asText()).isEqualTo("shop");
            assertThat(ofTable.get(1).at("/inputs/0/name").asText()).isEqualTo("public." + table);
            assertThat(ofTable.get(1)
                            .at("/inputs/0/facets/schema/fields/0/name")
                            .asText())
                    .isEqualTo("id");
            assertThat(certificate.path("state").asText()).isEqualTo("SUCCESS");
        }
        assertThat(events.stream()
                        .map(event -> event.at("/run/facets/parent/run/runId").asText())
                        .distinct())
                .hasSize(1)
                .doesNotContain("");
        assertThat(events.get(0).at("/run/facets/parent/job/name").asText()).isEqualTo("shop");
    }

    @Test
    void anAddressThatIsNoneEndsTheCommandBeforeItBegins() {
        CommandLineHouse house = new CommandLineHouse(directory);
        String file = house.jobFile(TABLES.replace("lineage.jsonl", "nowhere/lineage.jsonl"))
                .toString();

        Output load = house.weir("load", file);
        Output server = house.weir("server", "--port", "0", "--lineage", "ftp://host/x");

        assertThat(load.exitCode()).isEqualTo(2);
        assertThat(load.err())
                .contains("Cannot tell lineage: there is no such directory (path=")
                .contains("CONFIG_INVALID");
        assertThat(server.exitCode()).isEqualTo(2);
        assertThat(server.err()).contains("no http or https address");
    }
}
