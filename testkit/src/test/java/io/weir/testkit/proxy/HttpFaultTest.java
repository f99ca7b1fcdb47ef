package io.weir.testkit.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The server and the client of the JDK, with the proxy in between. */
@Timeout(60)
@SuppressWarnings("NullAway.Init")
class HttpFaultTest {
    private final List<String> received = new CopyOnWriteArrayList<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private HttpServer server;
    private FaultProxy proxy;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        proxy = FaultProxy.start(Protocol.HTTP, "127.0.0.1", server.getAddress().getPort());
    }

    @AfterEach
    void stop() {
        proxy.close();
        server.stop(0);
    }

    /** Answers the number of the request, in chunks. */
    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        received.add(new String(body, StandardCharsets.UTF_8));
        try (exchange) {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody()
                    .write(("answer " + received.size()).getBytes(StandardCharsets.UTF_8));
        }
    }

    private String post(BodyPublisher body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://" + proxy.host() + ":" + proxy.port() + "/x"))
                .POST(body)
                .build();
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
        return response.body();
    }

    private String post(String body) throws IOException, InterruptedException {
        return post(BodyPublishers.ofString(body));
    }

    @Test
    void countsRequestsOfOneConnection() throws Exception {
        assertThat(post("a")).isEqualTo("answer 1");
        byte[] streamed = "b".repeat(100_000).getBytes(StandardCharsets.UTF_8);
        assertThat(post(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(streamed))))
                .isEqualTo("answer 2");
        assertThat(proxy.seen())
                .containsExactly(
                        new Request(1, 1, List.of("POST /x")),
                        new Request(2, 1, List.of("POST /x")));
        assertThat(received.get(1)).hasSize(100_000);
    }

    @Test
    void aRequestCutBeforeNeverArrives() throws Exception {
        proxy.at(2, Fault.CUT_BEFORE);
        post("a");
        assertThatThrownBy(() -> post("b")).isInstanceOf(IOException.class);
        assertThat(post("c")).isEqualTo("answer 2");
        assertThat(received).containsExactly("a", "c");
    }

    @Test
    void aRequestCutAfterWasServed() throws Exception {
        proxy.at(2, Fault.CUT_AFTER);
        post("a");
        assertThatThrownBy(() -> post("b")).isInstanceOf(IOException.class);
        assertThat(received).containsExactly("a", "b");
        assertThat(post("c")).isEqualTo("answer 3");
    }

    @Test
    void aDuplicateIsServedTwiceAndAnsweredOnce() throws Exception {
        proxy.at(1, Fault.DUPLICATE);
        assertThat(post("a")).isEqualTo("answer 2");
        assertThat(post("b")).isEqualTo("answer 3");
        assertThat(received).containsExactly("a", "a", "b");
        assertThat(proxy.requests()).isEqualTo(2);
    }

    @Test
    void canBeControlledByHttpItself() throws Exception {
        try (FaultControl control = FaultControl.start(proxy)) {
            assertThat(command(control, "cut-after 2")).isEqualTo("200 ok");
            assertThat(post("a")).isEqualTo("answer 1");
            assertThat(command(control, "requests")).isEqualTo("200 1");
            assertThatThrownBy(() -> post("b")).isInstanceOf(IOException.class);
            assertThat(command(control, "seen")).isEqualTo("200 1 1 POST /x\n2 1 POST /x");
            assertThat(command(control, "fly"))
                    .isEqualTo("400 Cannot run fly: there is no such" + " command");
            assertThat(command(control, "black-hole sideways")).startsWith("400 Cannot run");
            assertThat(command(control, "cut-after")).startsWith("400 Cannot run");
        }
    }

    private String command(FaultControl control, String command)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(control.url()))
                .POST(BodyPublishers.ofString(command))
                .build();
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        return response.statusCode() + " " + response.body().strip();
    }

    @Test
    void everyCommandIsUnderstood() {
        try (FaultControl control = FaultControl.start(proxy)) {
            for (String command : List.of(
                    "requests",
                    "pass",
                    "start-over",
                    "refuse",
                    "cut-all reset",
                    "cut-by close",
                    "cut-before 1",
                    "cut-after 1",
                    "duplicate 1",
                    "commit before",
                    "commit after",
                    "delay 1 2 0 7",
                    "slow-close 5",
                    "black-hole down",
                    "cut-after-bytes up 100")) {
                assertThat(control.run(command)).isIn("ok", "0");
            }
        }
    }
}
