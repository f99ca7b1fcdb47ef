package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.json.Json;
import io.weir.server.access.Role;
import io.weir.server.http.Front;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Requests that nobody who means well sends. */
class HardeningTest extends ApiTest {
    @Test
    void aBodyThatIsTooLargeIsRefused() {
        String body = "{\"jobKey\":\"" + "A".repeat(Front.BODY_MAX) + "\"}";
        api.post("/v1/runs", body).refused(413, "PAYLOAD_TOO_LARGE");
    }

    /** Without an announced length, so that only counting helps. */
    @Test
    void aBodyOfUnknownLengthIsBoundedToo() throws IOException {
        String token = house.token(Role.WORKER);
        byte[] part =
                ("1000\r\n" + "A".repeat(0x1000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write(("POST /v1/runs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token
                                    + "\r\nTransfer-Encoding: chunked\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i <= Front.BODY_MAX / 0x1000; i++) {
                socket.getOutputStream().write(part);
            }
            socket.getOutputStream().flush();
            byte[] status = socket.getInputStream().readNBytes(12);
            assertThat(new String(status, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 413");
        }
    }

    @Test
    void aDeepBodyIsRefused() {
        String deep = "{\"parameters\":" + "{\"a\":".repeat(5000) + "1" + "}".repeat(5000) + "}";
        api.post("/v1/runs", deep).refused(422, "REQUEST_INVALID");
        api.post("/v1/runs", "[".repeat(100_000)).refused(422, "REQUEST_INVALID");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "null",
                "\"x\"",
                "{} {}",
                "{\"a\":1,\"a\":2}",
                "{'a':1}",
                "{\"jobKey\":NaN}",
                "{\"jobKey\":\"\\u0000\"}",
                "\u0000"
            })
    void whatIsNoUsableJsonIsRefused(String body) {
        api.post("/v1/runs", body).refused(422, "REQUEST_INVALID");
    }

    /** A number that would take hours to multiply out. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1e999999999",
                "1E-999999999",
                "123456789012345678901234567890" + "123456789012345678901234567890123456789",
                "0x10",
                "1_000",
                "+5"
            })
    void numbersAreBounded(String number) {
        Flow flow = new Flow(api);
        String manifest = Json.line(Flow.manifest(3));
        flow.register(Flow.manifest(3).put("sourceCount", number)).refused(422, "REQUEST_INVALID");
        String raw = manifest.replace("\"sourceCount\":\"3\"", "\"sourceCount\":" + number);
        api.post("/v1/runs/" + flow.run + "/manifest", raw).refused(422, "REQUEST_INVALID");
        assertThat(flow.state()).isEqualTo("CREATED");
    }

    @Test
    void aMetricOfAHugeExponentIsNotMultipliedOut() {
        Flow flow = new Flow(api).validating();
        Api.Answer answer =
                flow.metric("STAGING", "N", "1e999999999", "1", "PASS").ok();
        assertThat(answer.body().path("failCount").asInt()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/runs/..%2f..%2fetc",
                "/v1/runs/%2e%2e/x",
                "/v1/..;/tokens",
                "/v1/runs/x%00",
                "/etc/passwd",
                "/v1/runs/{runId}"
            })
    void pathsLeadNowhereElse(String path) throws IOException {
        String token = house.token(Role.WORKER);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                                    + "Authorization: Bearer " + token + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).containsPattern("^HTTP/1.1 4\\d\\d ");
            assertThat(answer).doesNotContain("at io.", "Exception", "Jetty", "root:");
        }
    }

    /** Texts reach SQL as parameters only: a quote is a quote. */
    @Test
    void sqlInTextsIsText() {
        Flow flow = new Flow(api);
        String evil = "'; drop table weir.outside_run; --";
        flow.call(
                        "fail",
                        Json.object()
                                .put("expectedStatus", "CREATED")
                                .put("failStatus", "FAILED_MANIFEST")
                                .put("errorStage", "S")
                                .put("errorCode", "C")
                                .put("message", evil))
                .ok();
        assertThat(flow.detail().text("errorMessage")).isEqualTo(evil);
        api.get("/v1/runs?jobKey=" + "A%27%20or%201%3D1").refused(422, "REQUEST_INVALID");
        operator.get("/v1/audit?subject=run/%27%20or%201%3D1").refused(422, "REQUEST_INVALID");
    }

    @Test
    void unknownPathsAndMethodsHaveTheSameForm() {
        api.get("/v1/nothing").refused(404, "NOT_FOUND");
        api.send("DELETE", "/v1/runs", null).refused(405, "METHOD_NOT_ALLOWED");
        api.send("PUT", "/v1/runs", "{}").refused(405, "METHOD_NOT_ALLOWED");
    }

    @Test
    void aRequestIdIsPassedOnIfItIsPlain() {
        assertThat(api.get("/v1/runs", "X-Request-Id", "abc-1.x_2")
                        .ok()
                        .headers()
                        .firstValue("X-Request-Id"))
                .hasValue("abc-1.x_2");
        Api.Answer answer = api.get("/v1/nothing", "X-Request-Id", "<script>");
        assertThat(answer.text("requestId")).matches("[0-9a-f-]{36}");
        assertThat(answer.headers().firstValue("X-Request-Id")).hasValue(answer.text("requestId"));
        assertThat(answer.headers().firstValue("Server")).isEmpty();
    }
}
