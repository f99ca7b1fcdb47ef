package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

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

class IngestCommandTest {
    @TempDir
    Path directory;

    private CommandLineHouse house;
    private String file;

    @BeforeEach
    void open() {
        house = new CommandLineHouse(directory);
        file = house.jobFile().toString();
    }

    private Output ingest(String records, String... options) {
        List<String> arguments = new ArrayList<>(List.of(
                "ingest",
                "-f",
                file,
                "--table",
                "testing.alerts",
                "--input",
                house.write("records.csv", records).toString(),
                "--rejects",
                directory.resolve("rejected.jsonl").toString()));
        arguments.addAll(List.of(options));
        return house.weir(arguments.toArray(String[]::new));
    }

    private Output create(String records, String... options) {
        List<String> all = new ArrayList<>(List.of(
                "--create", "id int, msg string, continent string", "--partition-by", "continent"));
        all.addAll(List.of(options));
        return ingest(records, all.toArray(String[]::new));
    }

    private String count() {
        return house.weir("sql", "select count(*) from testing.alerts", "-f", file)
                .out();
    }

    @Test
    void recordsBecomeRowsThatFsckMeasuresAgain() {
        Output output = create("1,a,Asia\n2,b,Europe\n3,\"c,d\",Asia\n", "--commit-rows", "2");

        assertThat(output.err()).isEmpty();
        assertThat(output.exitCode()).isZero();
        assertThat(output.out())
                .contains("3 rows in 2 transactions into testing.alerts, balance 3:");
        assertThat(house.weir(
                                "sql",
                                "select id, msg from testing.alerts where continent = 'Asia'"
                                        + " order by id",
                                "-f",
                                file)
                        .out())
                .containsPattern("1 +a\\s+3 +c,d");
        assertThat(house.weir("fsck", "--tables", "-f", file).exitCode()).isZero();
    }

    @Test
    void aRejectedRecordIsKeptWithItsPlace() throws IOException {
        Output output = create("1,a,Asia\nx,b,Asia\n3,c,Asia\n", "--json");

        assertThat(output.exitCode()).isEqualTo(2);
        var json = Json.parse(output.out());
        assertThat(json.path("rows").asLong()).isEqualTo(2);
        assertThat(json.path("rejected").asLong()).isEqualTo(1);
        var rejected = Json.parse(Files.readString(directory.resolve("rejected.jsonl")));
        assertThat(rejected.path("line").asLong()).isEqualTo(2);
        assertThat(rejected.path("column").asText()).isEqualTo("id");
        assertThat(rejected.path("value").asText()).isEqualTo("x");
        assertThat(rejected.path("reason").asText()).isEqualTo("not a whole number");
        assertThat(rejected.path("text").asText()).isEqualTo("x,b,Asia");
    }

    @Test
    void rejectedRecordsGoBesideTheInputAndKeepTheirBytes() throws IOException {
        create("1,a,Asia\n");
        Path input = directory.resolve("more.csv");
        Files.write(input, new byte[] {'2', ',', (byte) 0xff, ',', 'x', '\n'});

        Output output = house.weir(
                "ingest", "-f", file, "--table", "testing.alerts", "--input", input.toString());

        Path rejects = directory.resolve("more.csv.rejected.jsonl");
        assertThat(output.exitCode()).isEqualTo(2);
        assertThat(output.err()).contains("A record was rejected; such records go to " + rejects);
        assertThat(output.out())
                .contains("0 rows in 1 transaction into", "1 record rejected, see " + rejects);
        var rejected = Json.parse(Files.readString(rejects));
        assertThat(rejected.path("reason").asText()).contains("UTF-8");
        assertThat(rejected.path("base64").asText()).isEqualTo("Miz/LHg=");
    }

    @Test
    void aNamedStreamGoesOnWhereItsLastCommitEnded() {
        create("1,a,Asia\n2,b,Asia\n", "--source", "file-1");

        Output again = ingest("1,a,Asia\n2,b,Asia\n3,c,Asia\n", "--source", "file-1");

        assertThat(again.out())
                .contains("1 row in 1 transaction into", "2 records committed before.");
        assertThat(count()).contains("3");
    }

    @Test
    void onePartitionForAllRows() {
        create("0,z,Asia\n");

        Output output = ingest("1,a\n2,b\n", "--partition", "continent=Africa");

        assertThat(output.exitCode()).isZero();
        assertThat(house.weir(
                                "sql",
                                "select count(*) from testing.alerts where continent = 'Africa'",
                                "-f",
                                file)
                        .out())
                .contains("2");
        assertThat(ingest("1,a\n", "--partition", "country=x").err())
                .contains("--partition does not say continent");
    }

    @Test
    void badOptionsAreNamed() {
        assertThat(ingest("1,a,Asia\n").err()).contains("testing.alerts", "Hint: ");
        assertThat(ingest("1,a\n", "--format", "regex").err()).contains("it has no regex");
        assertThat(ingest("1,a\n", "--commit-every", "soon").err()).contains("time=soon");
        assertThat(ingest("1,a\n", "--create", "id").err()).contains("no column begins at \"id\"");
        assertThat(ingest("1,a\n", "--create", "id blob").exitCode()).isEqualTo(2);
    }

    @Test
    void fsckSeesAnIngestedFileThatIsGone() throws IOException {
        create("1,a,Asia\n");
        try (Stream<Path> files = Files.walk(directory.resolve("lake"))) {
            Files.delete(files.filter(path -> path.toString().endsWith(".parquet"))
                    .findFirst()
                    .orElseThrow());
        }

        Output output = house.weir("fsck", "--tables", "-f", file);

        assertThat(output.exitCode()).isEqualTo(6);
        assertThat(output.out()).contains("FILE_MISSING  1 violation", "table=testing.alerts");
    }

    @Test
    void fsckSeesThatAnIngestedFileHoldsOtherRows() throws IOException {
        create("1,a,Asia\n", "--commit-rows", "1");
        ingest("2,b,Asia\n");
        List<Path> data;
        try (Stream<Path> files = Files.walk(directory.resolve("lake"))) {
            data = files.filter(path -> path.toString().endsWith(".parquet")).toList();
        }
        Files.copy(data.get(0), data.get(1), java.nio.file.StandardCopyOption.REPLACE_EXISTING);

        Output output = house.weir("fsck", "--tables", "-f", file);

        assertThat(output.exitCode()).isEqualTo(6);
        assertThat(output.out()).contains("commit_says=1:", "table_says=2:");
    }
}
