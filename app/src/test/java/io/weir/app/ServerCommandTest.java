package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.core.json.Json;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The server as a process, with tokens made on the command line. */
@Timeout(300)
class ServerCommandTest {
    private static final Pattern SERVING = Pattern.compile("Serving on (https?://\\S+)");
    private static final int TERMINATED = 143;
    private static final String RUN = "0b7c1c5e-3c1d-4d3a-9a62-0c6f2d1d7e11";

    @TempDir
    Path directory;

    private CommandLineHouse house;
    private Path jobs;
    private Path log;

    @BeforeEach
    void write() {
        house = new CommandLineHouse(directory);
        jobs = house.jobFile();
        log = directory.resolve("server.log");
    }

    private Process start(String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                // The program's own, not the one of the tests.
                "-Dlogback.configurationFile=logback.xml",
                "-cp",
                System.getProperty("java.class.path"),
                Weir.class.getName(),
                "server",
                "-f",
                jobs.toString(),
                "--port",
                "0"));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(log.toFile());
        builder.environment().put("WEIR_LOG", "JSON");
        return builder.start();
    }

    private static String address(BufferedReader lines) throws IOException {
        String line = lines.readLine();
        while (line != null) {
            Matcher matcher = SERVING.matcher(line);
            if (matcher.find()) {
                return matcher.group(1);
            }
            line = lines.readLine();
        }
        throw new IllegalStateException("The server ended before it served");
    }

    private static HttpResponse<String> get(HttpClient client, String address, String token)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                .header("Authorization", "Bearer " + token)
                .header("X-Request-Id", "seen-1")
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void servesUntilItIsStoppedAndWritesOneLineForEachCall() throws Exception {
        String token = house.weir(
                        "token", "create", "me", "--role", "viewer", "-f", jobs.toString())
                .out()
                .strip();
        Process server = start();
        try (BufferedReader lines = server.inputReader()) {
            String address = address(lines);
            assertThat(address).startsWith("http://127.0.0.1:");
            HttpClient client = HttpClient.newHttpClient();
            assertThat(get(client, address + "/v1/runs", token).body()).isEqualTo("[]");
            assertThat(get(client, address + "/v1/runs/" + RUN, token).statusCode())
                    .isEqualTo(404);

            assertThat(house.weir("token", "list", "-f", jobs.toString()).out())
                    .contains("viewer  me  until")
                    .doesNotContain(token);
            String id = token.split("_", -1)[2];
            assertThat(house.weir("token", "revoke", id, "-f", jobs.toString()).exitCode())
                    .isZero();
            assertThat(get(client, address + "/v1/runs", token).statusCode()).isEqualTo(403);
        } finally {
            server.destroy();
        }
        assertThat(server.waitFor()).isEqualTo(TERMINATED);
        List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
        assertThat(lines).noneMatch(line -> line.contains(token));
        assertThat(lines).anySatisfy(line -> {
            var entry = Json.parse(line);
            assertThat(entry.path("message").asText()).isEqualTo("Answered");
            assertThat(entry.at("/mdc/requestId").asText()).isEqualTo("seen-1");
            assertThat(entry.path("kvpList").toString()).contains("/v1/runs", "200");
        });
        assertThat(lines).anySatisfy(line -> {
            var entry = Json.parse(line);
            assertThat(entry.path("message").asText()).startsWith("Cannot find run");
            assertThat(entry.at("/mdc/runId").asText()).isEqualTo(RUN);
        });
    }

    @Test
    void tellsTheLineageOfRunsThatOthersLoad() throws Exception {
        house.shop.execute(
                "create table orders (id bigint primary key, amount numeric(12, 2) not null)",
                "insert into orders select n, n from generate_series(1, 7) as n");
        Path told = directory.resolve("lineage.jsonl");
        Process server = start("--lineage", told.getFileName().toString());
        try (BufferedReader lines = server.inputReader()) {
            assertThat(address(lines)).isNotEmpty();
            CommandLineHouse.Output load = house.weir("load", jobs.toString());
            assertThat(load.exitCode()).as(load.err()).isZero();

            await().atMost(Duration.ofMinutes(2))
                    .until(() -> Files.exists(told) && Files.readAllLines(told).size() == 2);
            assertThat(Files.readAllLines(told))
                    .map(Json::parse)
                    .extracting(event -> event.path("eventType").asText() + " "
                            + event.at("/run/runId").asText())
                    .containsExactly("START " + load.run(), "COMPLETE " + load.run());
        } finally {
            server.destroy();
        }
        assertThat(server.waitFor()).isEqualTo(TERMINATED);
    }

    @Test
    void refusesToServeOthersInPlainText() {
        CommandLineHouse.Output output =
                house.weir("server", "-f", jobs.toString(), "--host", "0.0.0.0");
        assertThat(output.exitCode()).isEqualTo(2);
        assertThat(output.err()).contains("SERVER_INSECURE", "--certificate".substring(2));
    }

    @Test
    void refusesAReceiverThatMustNotBeCalled() {
        CommandLineHouse.Output output = house.weir(
                "server", "-f", jobs.toString(), "--port", "0", "--receiver", "file:///etc/passwd");
        assertThat(output.exitCode()).isEqualTo(2);
        assertThat(output.err()).contains("RECEIVER_NOT_ALLOWED");
    }

    @Test
    void refusesTokensWithoutEndOrRole() {
        String file = jobs.toString();
        assertThat(house.weir("token", "create", "x", "--role", "root", "-f", file)
                        .err())
                .contains("no such role");
        assertThat(house.weir(
                                "token", "create", "x", "--role", "admin", "--days", "366", "-f",
                                file)
                        .exitCode())
                .isEqualTo(2);
        assertThat(house.weir("token", "revoke", "nobody", "-f", file).exitCode())
                .isEqualTo(3);
    }
}
