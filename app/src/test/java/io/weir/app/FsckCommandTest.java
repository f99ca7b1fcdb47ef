package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.app.CommandLineHouse.Output;
import io.weir.core.json.Json;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

class FsckCommandTest {
    @TempDir
    Path directory;

    private CommandLineHouse house;
    private String file;

    @BeforeEach
    void load() {
        house = new CommandLineHouse(directory);
        house.shop.execute(
                "create table orders (id bigint primary key)",
                "insert into orders select n from generate_series(1, 1000) as n");
        file = house.jobFile().toString();
        assertThat(house.weir("load", file, "--business-key", "monday").exitCode())
                .isZero();
    }

    @Test
    void aCleanHouseEndsWithZero() {
        Output output = house.weir("fsck", "--tables", "-f", file);

        assertThat(output.err()).isEmpty();
        assertThat(output.exitCode()).isZero();
        assertThat(output.out())
                .contains("I1            ok\n")
                .contains("FOREIGN_WRITE ok\n")
                .endsWith("invariants hold.\n");
        JsonNode json = Json.parse(house.weir("fsck", "--json", "-f", file).out());
        assertThat(json.path("ok").asBoolean()).isTrue();
        assertThat(ids(json)).contains("I1", "I24", "S11").doesNotContain("FOREIGN_WRITE");
    }

    @Test
    void aBrokenLedgerIsAFault() {
        house.books.execute("update weir.chunk set bytes = bytes + 1");

        Output output = house.weir("fsck", "-f", file);
        Output json = house.weir("fsck", "--json", "-f", file);

        assertThat(output.exitCode()).isEqualTo(70);
        assertThat(output.out())
                .containsPattern("I5 +1 violation: A chunk counts once.*\n    run_id=[0-9a-f-]+ "
                        + "partition_id=0000 epoch=1 violation=its chunks add up to 1 chunks")
                .containsPattern("I24 +1 violation.*\n.*column=bytes")
                .contains("I6            ok\n")
                .contains("2 of ");
        assertThat(json.exitCode()).isEqualTo(70);
        JsonNode broken = Json.parse(json.out()).path("invariants").path(4);
        assertThat(broken.path("id").asText()).isEqualTo("I5");
        assertThat(broken.path("ok").asBoolean()).isFalse();
        assertThat(broken.path("violations").asInt()).isEqualTo(1);
        assertThat(broken.path("rows").path(0).asText()).contains("partition_id=0000");
    }

    @Test
    void onlyTenViolationsAreShown() {
        house.books.execute("insert into weir.metric"
                + " select run_id, stage, subject, name || n, expected, actual, verdict"
                + " from weir.metric, generate_series(1, 12) as n"
                + " where stage = 'SOURCE' and name = 'row_count'");

        assertThat(house.weir("fsck", "-f", file).out())
                .contains("I24           12 violations")
                .contains("row=metric/SOURCE/run/row_count6 violation=no event made it")
                .contains("    and 2 more; --json shows them\n");
    }

    @Test
    void aDamagedTableIsNoFaultOfTheLedger() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("lake"))) {
            Path data = files.filter(path -> path.toString().endsWith(".parquet"))
                    .findFirst()
                    .orElseThrow();
            Files.delete(data);
        }

        assertThat(house.weir("fsck", "-f", file).exitCode()).isZero();
        Output output = house.weir("fsck", "--tables", "-f", file);
        assertThat(output.exitCode()).isEqualTo(6);
        assertThat(output.out())
                .contains("FILE_MISSING  1 violation: ")
                .contains("    table=sales.orders file=file://" + directory.resolve("lake"))
                .contains("1 of ");
    }

    private static List<String> ids(JsonNode json) {
        List<String> ids = new ArrayList<>();
        json.path("invariants").forEach(finding -> ids.add(finding.path("id").asText()));
        return ids;
    }
}
