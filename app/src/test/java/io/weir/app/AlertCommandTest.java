package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;

import io.weir.app.CommandLineHouse.Output;
import io.weir.core.json.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** {@code alerts} in a job file, and the options of {@code weir server}. */
class AlertCommandTest {
    private static final String SECRET = "T0/B0/kiebitz";

    @TempDir
    private Path directory;

    private final List<JsonNode> told = new CopyOnWriteArrayList<>();
    private final List<JsonNode> said = new CopyOnWriteArrayList<>();
    private CommandLineHouse house;
    private HttpServer endpoint;
    private String address = "";

    @BeforeEach
    void open() throws IOException {
        house = new CommandLineHouse(directory);
        endpoint = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        endpoint.createContext("/", exchange -> {
            try (exchange) {
                String body = new String(
                        exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                boolean slack = exchange.getRequestURI().getPath().equals("/slack/" + SECRET);
                (slack ? said : told).add(Json.parse(body));
                exchange.sendResponseHeaders(200, -1);
            }
        });
        endpoint.start();
        address = "http://127.0.0.1:" + endpoint.getAddress().getPort();
    }

    @AfterEach
    void close() {
        endpoint.stop(0);
        house.shop.execute("select pg_drop_replication_slot(slot_name) from pg_replication_slots"
                + " where slot_name = '" + slot() + "' and not active");
    }

    private String slot() {
        return "cli_" + house.shop.name();
    }

    private String jobFile(String hosts) throws IOException {
        Files.writeString(directory.resolve("slack-url"), address + "/slack/" + SECRET);
        return house.jobFile("""
                  shop:
                    replicate:
                      source: shop
                      tables: [public.orders]
                      into: sales
                      slot: %s
                alerts:
                  slack: ${file:slack-url}
                  webhook: %s/hook/%s
                  hosts: [%s]
                """.formatted(slot(), address, SECRET, hosts)).toString();
    }

    private void shop() {
        house.shop.execute(
                "create table orders (id int primary key, note text)",
                "alter table orders replica identity full",
                "insert into orders select n, 'n' || n from generate_series(1, 50) n",
                "create publication weir_shop for table orders");
    }

    @Test
    void aStopIsToldWithItsKeyAndTheNextCommandTellsTheRecovery() throws IOException {
        shop();
        String file = jobFile("127.0.0.1");
        Output first = house.weir("replicate", file, "--once");
        assertThat(first.exitCode()).as(first.err()).isZero();
        assertThat(told)
                .extracting(alert -> alert.path("kind").asText())
                .containsExactly("SUMMARY");

        house.shop.execute(
                "alter publication weir_shop set (publish = 'insert')",
                "update orders set note = 'lost' where id = 3",
                "alter publication weir_shop set"
                        + " (publish = 'insert, update, delete, truncate')",
                "update orders set note = 'next' where id = 3");
        Output stopped = house.weir("replicate", file, "--once");
        assertThat(stopped.exitCode()).isEqualTo(6);
        JsonNode stop = told.stream()
                .filter(alert -> alert.path("kind").asText().equals("STOP"))
                .findFirst()
                .orElseThrow();
        assertThat(stop.path("target").asText()).isEqualTo("sales.orders");
        assertThat(stop.path("code").asText()).isEqualTo("MERGE_CHAIN_BROKEN");
        assertThat(stop.path("message").asText())
                .contains("table sales.orders", "(id=3, expected=", "found=");
        assertThat(stop.path("command").asText()).startsWith("weir rebuild sales.orders");

        house.weir("rebuild", "sales.orders", "--reason", "lost", "-f", file);
        Output good = house.weir("replicate", file, "--once");
        assertThat(good.exitCode()).as(good.err()).isZero();
        assertThat(told).extracting(alert -> alert.path("kind").asText()).contains("RECOVERY");
        assertThat(said)
                .extracting(message -> message.path("text").asText())
                .contains(
                        "Table stopped: sales.orders (MERGE_CHAIN_BROKEN)",
                        "Recovered: sales.orders");
        dropSlot();
        Output lost = house.weir("replicate", file, "--once");
        assertThat(lost.err()).contains("CAPTURE_SLOT_MISSING");
        assertThat(told("SLOT_LOST")).singleElement().satisfies(alert -> {
            assertThat(alert.path("code").asText()).isEqualTo("CAPTURE_SLOT_MISSING");
            assertThat(alert.path("message").asText()).contains("slot=" + slot());
        });
        for (Output output : List.of(first, stopped, good, lost)) {
            assertThat(output.out() + output.err()).doesNotContain(SECRET);
        }
    }

    private List<JsonNode> told(String kind) {
        return told.stream()
                .filter(alert -> alert.path("kind").asText().equals(kind))
                .toList();
    }

    /** The server sees the end of a stream a moment later. */
    private void dropSlot() {
        String active = "select count(*) from pg_replication_slots where active and slot_name = '"
                + slot() + "'";
        while (!house.shop.text(active).equals("0")) {
            Thread.onSpinWait();
        }
        house.shop.execute("select pg_drop_replication_slot('" + slot() + "')");
    }

    @Test
    void aLoadThatFailsIsToldByItsCommand() throws IOException {
        house.shop.execute(
                "create table bad (id int primary key, n numeric(5, 2))",
                "insert into bad values (1, 'NaN')");
        String file = house.jobFile("""
                  bad:
                    load: { source: shop, table: public.bad, into: sales.bad }
                    publish: replace
                alerts:
                  webhook: %s/hook/%s
                  hosts: [127.0.0.1]
                """.formatted(address, SECRET)).toString();
        Output failed = house.weir("load", file);
        assertThat(failed.exitCode()).isNotZero();
        assertThat(told("LOAD_FAILED")).singleElement().satisfies(alert -> {
            assertThat(alert.path("job").asText()).isEqualTo("bad");
            assertThat(alert.path("target").asText()).isEqualTo("sales.bad");
            assertThat(alert.path("code").asText()).isEqualTo("SOURCE_VALUE_UNREPRESENTABLE");
        });
        house.weir("load", file);
        assertThat(told("LOAD_FAILED")).as("the same again").hasSize(1);
    }

    @Test
    void anAddressThatIsNotPublicNeedsItsHostNamedAndKeepsNothingBack() throws IOException {
        shop();
        Output output = house.weir("replicate", jobFile("elsewhere"), "--once");

        assertThat(output.exitCode()).as(output.err()).isZero();
        assertThat(told).isEmpty();
        assertThat(output.out() + output.err()).doesNotContain(SECRET);
    }

    @Test
    void wrongAddressesEndTheCommandWithoutSayingThem() {
        Output server =
                house.weir("server", "--port", "0", "--alerts-slack", "ftp://host/" + SECRET);

        assertThat(server.exitCode()).isEqualTo(2);
        assertThat(server.err())
                .contains("Cannot tell alerts: the address is no http or https address")
                .doesNotContain(SECRET);
        Output empty = house.weir("replicate", house.jobFile("""
                  shop:
                    replicate: { source: shop, tables: [public.orders], into: sales }
                alerts: { hosts: [x] }
                """).toString());
        assertThat(empty.exitCode()).isEqualTo(2);
        assertThat(empty.err()).contains("names neither slack nor webhook");
    }
}
