package io.weir.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** What becomes of replies that are not answers. */
class HttpLedgerErrorsTest {
    private final CountDownLatch ended = new CountDownLatch(1);
    private HttpServer server;
    private volatile int status = 200;
    private volatile String body = "";
    private volatile String authorization = "";
    private volatile String path = "";
    private volatile boolean silent;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        authorization = exchange.getRequestHeaders().getFirst("Authorization");
        path = exchange.getRequestURI().toString();
        if (silent) {
            try {
                ended.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        if (status == 302) {
            exchange.getResponseHeaders().add("Location", "/elsewhere");
        }
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @AfterEach
    void stop() {
        ended.countDown();
        server.stop(0);
    }

    private HttpLedger ledger(Duration timeout) {
        String base = "http://127.0.0.1:" + server.getAddress().getPort() + "/below/";
        return HttpLedger.of(LedgerAddress.parse(base), "secret-4711", timeout);
    }

    private void fails(ErrorCode code, Consumer<WeirException> more) {
        assertThatThrownBy(() -> ledger(Duration.ofSeconds(30)).sweep())
                .isInstanceOfSatisfying(WeirException.class, e -> {
                    assertThat(e.code()).isEqualTo(code);
                    assertThat(e.text()).startsWith("Cannot ").doesNotContain("4711");
                    more.accept(e);
                });
    }

    @Test
    void callsCarryTheTokenAndGoBelowTheAddress() {
        body = "{\"answer\":{\"ran\":true,\"actions\":[],\"holdersRemoved\":1,"
                + "\"workersRemoved\":0}}";
        assertThat(ledger(Duration.ofSeconds(30)).sweep().holdersRemoved()).isEqualTo(1);
        assertThat(authorization).isEqualTo("Bearer secret-4711");
        assertThat(path).isEqualTo("/below/v1/ledger/sweep");
    }

    @Test
    void theErrorThatTheServerNamesIsThrownAgain() {
        status = 409;
        body = "{\"code\":\"CLAIM_MISMATCH\",\"message\":\"Cannot report: lost\",\"hint\":\"Go.\"}";
        fails(ErrorCode.CLAIM_MISMATCH, e -> {
            assertThat(e.text()).isEqualTo("Cannot report: lost");
            assertThat(e.hint()).isEqualTo("Go.");
        });
        status = 403;
        body = "{\"code\":\"FORBIDDEN\",\"message\":\"Cannot do\",\"details\":{\"scope\":\"x\"}}";
        fails(ErrorCode.FORBIDDEN, e -> assertThat(e.details()).containsEntry("scope", "x"));
        status = 503;
        body = "{\"code\":\"DATABASE_UNAVAILABLE\",\"message\":\"Cannot ask\"}";
        fails(ErrorCode.LEDGER_UNREACHABLE, e -> assertThat(e.text()).isEqualTo("Cannot ask"));
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 502, 503, 504})
    void whatStandsBetweenAndSaysComeBackIsAnAbsence(int said) {
        status = said;
        body = "<html>busy</html>";
        fails(ErrorCode.LEDGER_UNREACHABLE, e -> assertThat(e.text()).contains("status=" + said));
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 204, 302, 404, 500})
    void whatIsNoServerOfOursIsNotWaitedFor(int said) {
        status = said;
        body = said == 204 ? "" : "<html>hello</html>";
        fails(ErrorCode.LEDGER_INVALID, e -> assertThat(e.text()).contains("status=" + said));
        assertThat(path).doesNotContain("elsewhere");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{}", "{\"answer\":null}", "{\"answer\":{\"ran\":1}}", "{\"answer\":[]}"})
    void anAnswerOfAnotherFormIsNoAnswer(String document) {
        body = document;
        fails(ErrorCode.LEDGER_INVALID, e -> assertThat(e.text()).contains("answer to sweep"));
    }

    @Test
    void aCodeOfAnotherVersionIsNamed() {
        status = 409;
        body = "{\"code\":\"NEVER_HEARD\",\"message\":\"Cannot\"}";
        fails(ErrorCode.LEDGER_INVALID, e -> assertThat(e.text()).contains("code=NEVER_HEARD"));
    }

    @Test
    void silenceAndAClosedPortAreAbsences() {
        silent = true;
        assertThatThrownBy(() -> ledger(Duration.ofMillis(50)).sweep())
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.LEDGER_UNREACHABLE));
        ended.countDown();
        server.stop(0);
        fails(ErrorCode.LEDGER_UNREACHABLE, e -> assertThat(e.text()).contains("ConnectException"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "books:8080",
                "ftp://books",
                "http://",
                "http://a b",
                "http://me:geheim@books",
                "http://books?x=1",
                "http://books#x"
            })
    void addressesOfAnotherFormAreRefused(String text) {
        assertThatThrownBy(() -> LedgerAddress.parse(text))
                .isInstanceOfSatisfying(WeirException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID);
                    assertThat(e.text()).doesNotContain("geheim");
                });
    }
}
