package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testkit.proxy.FaultProxy;
import io.weir.testkit.proxy.Protocol;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;

/** A worker is a process of its own: it waits for its servers, and can be stopped meanwhile. */
@Timeout(300)
class WorkerCommandTest {
    private static final int TERMINATED = 143;

    @TempDir
    Path directory;

    private CommandLineHouse house;
    private FaultProxy line;

    @BeforeEach
    void refuse() {
        house = new CommandLineHouse(directory);
        line = FaultProxy.start(Protocol.POSTGRESQL, house.books.host(), house.books.port());
        line.refuse();
    }

    @AfterEach
    void close() {
        line.close();
    }

    private Process start() throws IOException {
        String url =
                "jdbc:postgresql://" + line.host() + ":" + line.port() + "/" + house.books.name();
        Path jobs = house.write("job.yaml", """
                ledger: { url: "%s", user: %s, password: %s }
                lake: { warehouse: ./lake }
                sources:
                  shop: { url: "%s", user: %s, password: "%s" }
                jobs:
                %s""".formatted(
                        url,
                        house.books.user(),
                        house.books.password(),
                        house.shop.url(),
                        house.shop.user(),
                        house.shop.password(),
                        CommandLineHouse.job("orders", "public.orders", "sales.orders", "")));
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--add-opens=java.base/java.nio=ALL-UNNAMED",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Weir.class.getName(),
                        "worker",
                        jobs.toString(),
                        "--home",
                        directory.resolve("home").toString())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
    }

    /** The next line with a text; empty if the process ends before. */
    private static String await(BufferedReader lines, String text) throws IOException {
        String line = lines.readLine();
        while (line != null && !line.contains(text)) {
            line = lines.readLine();
        }
        return line == null ? "" : line;
    }

    @Test
    void waitsForALedgerThatIsNotThereYet() throws Exception {
        Process worker = start();
        try (BufferedReader lines = worker.inputReader()) {
            assertThat(await(lines, "Waiting")).contains("open the ledger", "LEDGER_UNREACHABLE");

            line.pass();

            assertThat(await(lines, "is ready")).contains("sources: shop");
        } finally {
            worker.destroy();
        }
        assertThat(worker.waitFor()).isEqualTo(TERMINATED);
    }

    @Test
    void canBeStoppedWhileItWaits() throws Exception {
        Process worker = start();
        try (BufferedReader lines = worker.inputReader()) {
            assertThat(await(lines, "Waiting")).contains("open the ledger");

            worker.toHandle().destroy();

            assertThat(worker.waitFor()).isEqualTo(TERMINATED);
            assertThat(await(lines, "is ready")).isEmpty();
        }
    }
}
