package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.app.config.JobFileReader;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.RunFilter;
import io.weir.core.run.Partition;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.core.run.WorkerSign;
import io.weir.flow.load.Cancellation;
import io.weir.flow.load.LoadFlow;
import io.weir.flow.load.LoadListener;
import io.weir.flow.load.PartitionProgress;
import io.weir.source.Source;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/** A worker that has no way to the ledger's database, only a server and a token. */
@Timeout(300)
class ServedLedgerTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int ROWS = 60_000;

    @TempDir
    Path directory;

    private final List<Process> processes = new ArrayList<>();
    private CommandLineHouse house;
    private Path jobs;
    private Path elsewhere;
    private Path token;
    private String server;

    @BeforeEach
    void serve() throws IOException {
        house = new CommandLineHouse(directory);
        house.shop.execute(
                "create table orders (id bigint primary key, amount numeric(12, 2))",
                "insert into orders select n, n from generate_series(1, " + ROWS + ") as n");
        String job = CommandLineHouse.job(
                "orders",
                "public.orders",
                "sales.orders",
                ", partition-size: 64KB, chunk-size: 64KB");
        jobs = house.jobFile(job);
        elsewhere = house.write("elsewhere.yaml", """
                ledger: { url: "jdbc:postgresql://127.0.0.1:1/none", user: nobody }
                lake: { warehouse: ./lake, catalog: { url: "%s", user: %s, password: %s } }
                sources:
                  shop: { url: "%s", user: %s, password: "%s" }
                jobs:
                %s""".formatted(
                        house.books.url(),
                        house.books.user(),
                        house.books.password(),
                        house.shop.url(),
                        house.shop.user(),
                        house.shop.password(),
                        job));
        token = token("worker");
        server = startServer("0");
    }

    private String startServer(String port) throws IOException {
        BufferedReader lines = start("server", "-f", jobs.toString(), "--port", port);
        return awaited(lines, "Serving on ").replaceFirst(".*Serving on ", "");
    }

    /** Kills the server, which is the first process, and starts another in its place. */
    private void replaceServer() {
        processes.get(0).destroyForcibly();
        try {
            processes.get(0).waitFor();
            assertThat(startServer(server.substring(server.lastIndexOf(':') + 1)))
                    .isEqualTo(server);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Path token(String role) throws IOException {
        String text = house.weir("token", "create", role, "--role", role, "-f", jobs.toString())
                .out();
        return Files.writeString(directory.resolve(role + ".token"), text);
    }

    @AfterEach
    void end() throws InterruptedException {
        for (Process process : processes) {
            process.destroyForcibly();
            process.waitFor();
        }
    }

    private BufferedReader start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Weir.class.getName()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--home", directory.resolve("home").toString()));
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(directory.resolve(arguments[0] + ".err").toFile())
                .start();
        processes.add(process);
        return process.inputReader();
    }

    private static String awaited(BufferedReader lines, String text) throws IOException {
        String line = lines.readLine();
        while (line != null && !line.contains(text)) {
            line = lines.readLine();
        }
        return String.valueOf(line);
    }

    private void startWorker() {
        try {
            BufferedReader lines = start(
                    "worker",
                    elsewhere.toString(),
                    "--ledger",
                    server,
                    "--token-file",
                    token.toString());
            assertThat(awaited(lines, "is ready")).contains("sources: shop");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** The load of the job, with the ledger's database, and something to do once it is planned. */
    private RunDetail load(Composition here, Consumer<Run> planned) {
        var read = JobFileReader.read(jobs);
        LoadFlow flow = new LoadFlow(
                here.ledger(),
                here.ledger(),
                here.catalog(),
                here.engine(),
                here.loadSettings(1),
                UUID::randomUUID,
                new Cancellation());
        Source shop = here.source("shop");
        return flow.load(shop, read.select("orders"), "monday", new LoadListener() {
                    @Override
                    public void planned(Run run, List<PartitionProgress> partitions) {
                        planned.accept(run);
                    }
                })
                .get(0);
    }

    private Composition here() {
        return Composition.of(directory.resolve("here"), JobFileReader.read(jobs));
    }

    private static void awaitHelp(Composition here, RunId id) {
        await().atMost(PATIENCE).until(() -> here.ledger().detail(id).holders().size() == 2);
    }

    /** The name of the process that is not this one. */
    private static String helper(Composition here) {
        return here.ledger().workers().stream()
                .map(WorkerSign::name)
                .filter(name -> !name.equals(ProcessName.get()))
                .findFirst()
                .orElse("");
    }

    private void assertPublishedAndClean() {
        CommandLineHouse.Output rows = house.weir(
                "sql", "select count(*) as n from sales.orders", "--json", "-f", jobs.toString());
        assertThat(rows.out()).isEqualTo("{\"n\":\"" + ROWS + "\"}\n");
        CommandLineHouse.Output fsck = house.weir("fsck", "--tables", "-f", jobs.toString());
        assertThat(fsck.exitCode()).as(fsck.out() + fsck.err()).isZero();
    }

    @Test
    void aWorkerOverHttpSharesALoadOfACoordinatorWithTheDatabase() {
        try (Composition here = here()) {
            RunDetail done = load(here, run -> {
                startWorker();
                awaitHelp(here, run.id());
            });

            assertThat(done.run().state()).isEqualTo(RunState.SUCCESS);
            assertThat(helper(here)).isNotEmpty();
        }
        assertPublishedAndClean();
    }

    @Test
    void aWorkerOverHttpReadsAuditsAndPublishesAloneWhenTheCoordinatorDies() throws IOException {
        try (Composition here = here()) {
            assertThatThrownBy(() -> load(here, run -> {
                        startWorker();
                        awaitHelp(here, run.id());
                        throw new Killed();
                    }))
                    .isInstanceOf(Killed.class);
            RunId id =
                    here.ledger().runs(new RunFilter("orders", false, 1)).get(0).id();

            await().atMost(PATIENCE)
                    .until(() -> here.ledger().detail(id).run().state() == RunState.SUCCESS);

            assertThat(here.ledger().detail(id).partitions())
                    .hasSizeGreaterThan(2)
                    .extracting(Partition::worker)
                    .allSatisfy(worker -> assertThat(worker).startsWith(helper(here) + "/"));
        }
        assertPublishedAndClean();
    }

    @Test
    void aWorkerOutlivesTheServerThatItWorksThrough() {
        try (Composition here = here()) {
            assertThatThrownBy(() -> load(here, run -> {
                        startWorker();
                        awaitHelp(here, run.id());
                        replaceServer();
                        throw new Killed();
                    }))
                    .isInstanceOf(Killed.class);
            RunId id =
                    here.ledger().runs(new RunFilter("orders", false, 1)).get(0).id();

            await().atMost(PATIENCE)
                    .until(() -> here.ledger().detail(id).run().state() == RunState.SUCCESS);
            assertThat(here.ledger().detail(id).partitions())
                    .extracting(Partition::worker)
                    .allSatisfy(worker -> assertThat(worker).startsWith(helper(here) + "/"));
        }
        assertPublishedAndClean();
    }

    @Test
    void aWorkerWaitsForAServerThatIsNotUpYet() throws Exception {
        processes.get(0).destroyForcibly();
        processes.get(0).waitFor();
        BufferedReader lines = start(
                "worker",
                elsewhere.toString(),
                "--ledger",
                server,
                "--token-file",
                token.toString());
        Path errors = directory.resolve("worker.err");
        await().atMost(PATIENCE)
                .until(() -> Files.readString(errors).contains("LEDGER_UNREACHABLE"));
        assertThat(processes.get(1).isAlive()).isTrue();

        assertThat(startServer(server.substring(server.lastIndexOf(':') + 1))).isEqualTo(server);

        assertThat(awaited(lines, "is ready")).contains("sources: shop");
    }

    @Test
    void aJobFileMayNameTheServer() throws IOException {
        String text = Files.readString(elsewhere);
        Path named = house.write(
                "named.yaml",
                text.replaceFirst(
                        "ledger: .*",
                        "ledger: { url: \"" + server + "\", token: \"\\${file:worker.token}\" }"));
        CommandLineHouse.Output load = house.weir("load", named.toString());
        assertThat(load.exitCode()).as(load.err()).isZero();
        String run = load.run();
        assertThat(house.weir("runs", "-f", named.toString()).out())
                .containsPattern(run + " +orders .*SUCCESS");
        CommandLineHouse.Output resolved = house.weir("resolve", run, "-f", named.toString());
        assertThat(resolved.exitCode()).as(resolved.err()).isZero();
        assertThat(resolved.out()).contains("what was read is what is published");
        assertThat(house.weir("clean", "--succeeded-days", "0", "-f", named.toString())
                        .out())
                .contains("1 runs were cleaned up after.");
        assertThat(house.weir(
                                "sql",
                                "select count(*) as n from sales.orders",
                                "--json",
                                "-f",
                                named.toString())
                        .out())
                .isEqualTo("{\"n\":\"" + ROWS + "\"}\n");
        for (String command : List.of("fsck", "server")) {
            CommandLineHouse.Output refused = house.weir(command, "-f", named.toString());
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.err())
                    .contains("Cannot open the database of the ledger: ")
                    .contains("through a server");
        }
        assertThat(weir(new String[] {"--ledger", server, "--token-file", token.toString()}, "fsck")
                        .err())
                .contains("Cannot open the database of the ledger: ");
        Path told = house.write("told.yaml", Files.readString(named) + "lineage: x.jsonl\n");
        assertThat(house.weir("load", told.toString()).err())
                .contains("lineage is told by the server");
        assertPublishedAndClean();
    }

    @Test
    void peopleLookAndActThroughTheServer() throws IOException {
        String[] over = {"--ledger", server, "--token-file", token.toString()};
        CommandLineHouse.Output load = weir(over, "load", elsewhere.toString());
        assertThat(load.exitCode()).as(load.err()).isZero();
        String run = load.run();

        assertThat(weir(over, "runs").out()).containsPattern(run + " +orders .*SUCCESS");
        assertThat(weir(over, "show", run).out()).contains("RUN_SUCCEEDED");
        assertThat(weir(over, "certificate", run).out()).contains("what was read is what is");
        assertThat(weir(over, "explain", run).exitCode()).isZero();

        CommandLineHouse.Output refused = weir(over, "cancel", run, "--reason", "late");
        assertThat(refused.err()).contains("FORBIDDEN", "operator:act");
        String[] operator = {
            "--ledger", server, "--token-file", token("operator").toString()
        };
        CommandLineHouse.Output late = weir(operator, "cancel", run, "--reason", "late");
        assertThat(late.exitCode()).isEqualTo(4);
        assertThat(late.err()).contains("RUN_STATE_MISMATCH");
        assertThat(weir(operator, "resend", run, "--reason", "x").err())
                .contains("RUN_STATE_MISMATCH");
        assertPublishedAndClean();
    }

    private CommandLineHouse.Output weir(String[] over, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of(over));
        return house.weir(all.toArray(String[]::new));
    }

    @Test
    void whatCannotBeUsedIsSaidBeforeAnythingIsDone() {
        String[] named = {"--ledger", "ftp://books", "--token-file", token.toString()};
        assertThat(weir(named, "runs").err()).contains("CONFIG_INVALID", "neither with http://");
        String[] missing = {
            "--ledger", server, "--token-file", directory.resolve("x").toString()
        };
        assertThat(weir(missing, "runs").err()).contains("SECRET_NOT_FOUND");
        String[] useless = {"--token-file", token.toString()};
        assertThat(weir(useless, "runs").err()).contains("CONFIG_INVALID", "--ledger");
        Path wrong = house.write("wrong.token", "weir_worker_x_y\n");
        String[] unknown = {"--ledger", server, "--token-file", wrong.toString()};
        assertThat(weir(unknown, "runs").err()).contains("FORBIDDEN").doesNotContain("worker_x_y");
        String[] away = {"--ledger", "http://127.0.0.1:1", "--token-file", token.toString()};
        assertThat(weir(away, "runs").err()).contains("LEDGER_UNREACHABLE");
        String[] over = {"--ledger", server, "--token-file", token.toString()};
        assertThat(weir(over, "load", jobs.toString()).err())
                .contains("CONFIG_INVALID", "lake.catalog");
    }
}
