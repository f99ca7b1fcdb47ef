package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ledger.embedded.EmbeddedServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A password that is nowhere else in the world goes in through the job file, and must not come out:
 * not on the terminal, not in a log, the ledger, a certificate or the arguments of a process, when
 * things go well and when they do not. The command runs as a process of its own.
 */
class SecretsTest {
    private static final String CANARY = "kanarienvogel-4711-Zilpzalp";
    private static final String READER = "canary_reader";
    private static final int LOOKS_MAX = 3_000;

    @TempDir
    static Path directory;

    private static EmbeddedServer shop;
    /** A server without clients stops after a minute. */
    private static Connection client;

    @BeforeAll
    static void startShop() throws SQLException {
        shop = EmbeddedServer.attach(directory.resolve("shop"), Map.of());
        shop.createDatabase("shop");
        client = DriverManager.getConnection(shop.url("shop"), shop.user(), shop.password());
        try (Statement statement = client.createStatement()) {
            statement.execute("create table orders (id bigint primary key, note text)");
            statement.execute("insert into orders select n, 'n' from generate_series(1, 500) n");
            statement.execute("create role " + READER + " login password '" + CANARY + "'");
            statement.execute("grant select on orders to " + READER);
        }
    }

    @AfterAll
    static void stop() throws SQLException {
        client.close();
        EmbeddedServer.stop(directory.resolve("home/pg"));
        EmbeddedServer.stop(directory.resolve("shop"));
    }

    @Test
    void secretNeverComesOut() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), CANARY + "\n");
        Path file = jobFile("${file:" + secret.getFileName() + "}", "public.orders");

        String good = weir(0, "load", file.toString());
        String run = good.replaceAll("(?s).*CERTIFICATE (\\S+).*", "$1");
        String show = weir(0, "show", run);
        assertThat(show).contains("RUN_SUCCEEDED").endsWith("shows what it proves.\n");
        String all = good
                + show
                + weir(0, "check", file.toString())
                + weir(0, "show", run, "--json")
                + weir(0, "certificate", run, "--json")
                + weir(3, "load", jobFile(CANARY, "public.nothing").toString());
        Files.delete(file);
        Files.delete(secret);

        assertThat(all).doesNotContain(CANARY);
        assertThat(all).contains("SUCCESS").contains("SOURCE_TABLE_NOT_FOUND");
        assertThat(filesWith(directory.resolve("home"))).isEmpty();
        assertThat(filesWith(directory.resolve("lake"))).isEmpty();
    }

    @Test
    void wrongPasswordIsRefusedWithoutShowingIt() throws Exception {
        Path file = jobFile(CANARY + "-wrong", "public.orders");

        String output = weir(6, "load", file.toString());

        assertThat(output)
                .contains("SOURCE_AUTHENTICATION_FAILED")
                .contains("shop")
                .contains(READER)
                .doesNotContain(CANARY);
    }

    @Test
    void unresolvedReferenceIsNamed() throws Exception {
        Path file = jobFile("${env:WEIR_NO_SUCH_VARIABLE}", "public.orders");

        assertThat(weir(3, "load", file.toString()))
                .contains("SECRET_NOT_FOUND")
                .contains("${env:WEIR_NO_SUCH_VARIABLE}");
    }

    private Path jobFile(String password, String table) throws IOException {
        return Files.writeString(directory.resolve("job.yaml"), """
                ledger: embedded
                lake: { warehouse: ./lake }
                sources:
                  shop: { url: "%s", user: %s, password: "%s" }
                jobs:
                  orders:
                    load: { source: shop, table: %s, into: sales.orders }
                    publish: replace
                """.formatted(
                        shop.url("shop"), READER, password, table));
    }

    /** Runs the command as a user would; returns everything it printed. */
    private String weir(int exitCode, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add("io.weir.app.Weir");
        command.addAll(List.of(arguments));
        command.addAll(List.of("--home", directory.resolve("home").toString()));
        Path printed = directory.resolve("printed");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        List<String> seen = new ArrayList<>();
        int looks = 0;
        while (!process.waitFor(50, TimeUnit.MILLISECONDS)) {
            ProcessHandle.allProcesses()
                    .flatMap(handle -> handle.info().commandLine().stream())
                    .filter(line -> line.contains(CANARY))
                    .forEach(seen::add);
            assertThat(++looks).as("looks at a command that does not end").isLessThan(LOOKS_MAX);
        }
        assertThat(seen).isEmpty();
        String output = Files.readString(printed);
        assertThat(process.exitValue()).as(output).isEqualTo(exitCode);
        return output;
    }

    private static List<Path> filesWith(Path root) throws IOException {
        byte[] canary = CANARY.getBytes(StandardCharsets.UTF_8);
        List<Path> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                if (bytes.contains(new String(canary, StandardCharsets.ISO_8859_1))) {
                    found.add(file);
                }
            }
        }
        return found;
    }
}
