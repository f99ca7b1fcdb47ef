package io.weir.client;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.client.wire.ErrorNames;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

import javax.net.ssl.SSLContext;

/** Sends documents and brings replies or the error that the server named. */
final class LedgerLine {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final int OK = 200;

    /** What stands between may say so when the server does not answer. */
    private static final Set<Integer> AWAY = Set.of(429, 502, 503, 504);

    private final LedgerAddress address;
    private final String token;
    private final Duration timeout;
    private final HttpClient client;

    LedgerLine(LedgerAddress address, String token, Duration timeout, @Nullable SSLContext trust) {
        this.address = address;
        this.token = token;
        this.timeout = timeout;
        // Redirects are not followed: the token is for this server alone.
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_TIMEOUT)
                .followRedirects(HttpClient.Redirect.NEVER);
        this.client =
                trust == null ? builder.build() : builder.sslContext(trust).build();
    }

    /**
     * Posts a document.
     *
     * @param runId to find the call again in the journal of the server; empty if there is none
     * @throws WeirException as the server said; {@link ErrorCode#LEDGER_UNREACHABLE} without a
     *     reply, {@link ErrorCode#LEDGER_INVALID} if what answers is no server of ours
     */
    JsonNode post(String path, JsonNode document, String runId) {
        HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.ofString(Json.line(document));
        return answered(send(path, request -> request.POST(body), runId));
    }

    /** The same without a document. */
    JsonNode get(String path, String runId) {
        return answered(send(path, HttpRequest.Builder::GET, runId));
    }

    private JsonNode answered(HttpResponse<String> response) {
        JsonNode reply = parsed(response);
        if (response.statusCode() == OK && reply != null && reply.isContainerNode()) {
            return reply;
        }
        String name = reply == null ? "" : reply.path("code").asText();
        Optional<ErrorCode> code = ErrorNames.code(name);
        if (reply != null && code.isPresent()) {
            throw named(code.get(), reply);
        }
        throw AWAY.contains(response.statusCode())
                ? unreachable("status=" + response.statusCode(), null)
                : stranger(response.statusCode(), name);
    }

    private HttpResponse<String> send(
            String path, UnaryOperator<HttpRequest.Builder> method, String runId) {
        HttpRequest.Builder request = method.apply(HttpRequest.newBuilder(address.of(path))
                .timeout(timeout)
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json"));
        if (!runId.isEmpty()) {
            request.header("X-Run-Id", runId);
        }
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw isDistrust(e) ? untrusted(e) : unreachable(reason(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WeirException(
                    ErrorCode.INTERRUPTED, "Cannot ask the ledger: the thread is to stop", e);
        }
    }

    private static String reason(IOException error) {
        String message = error.getMessage();
        String kind = error.getClass().getSimpleName();
        return message == null ? kind : kind + ": " + message;
    }

    private static @Nullable JsonNode parsed(HttpResponse<String> response) {
        try {
            return Json.parse(response.body());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static WeirException named(ErrorCode code, JsonNode problem) {
        String message = problem.path("message").asText(code.meaning());
        JsonNode facts = problem.path("details");
        if (facts.isObject() && !facts.isEmpty()) {
            return WeirException.of(code, message, details(facts));
        }
        return new WeirException(code, message, problem.path("hint").asText(code.hint()), null);
    }

    private static Map<String, Object> details(JsonNode facts) {
        Map<String, Object> details = new LinkedHashMap<>();
        facts.properties().forEach(entry -> {
            JsonNode fact = entry.getValue();
            details.put(entry.getKey(), fact.isInt() ? (Object) fact.intValue() : fact.asText());
        });
        return details;
    }

    private WeirException unreachable(String reason, @Nullable Throwable cause) {
        return new WeirException(
                ErrorCode.LEDGER_UNREACHABLE,
                "Cannot reach the ledger server " + address + ": it does not answer (" + reason
                        + ")",
                "Check the address and that weir server runs, then run again.",
                cause);
    }

    /** Other errors of TLS are those of a line that broke. */
    private static boolean isDistrust(Throwable error) {
        for (Throwable at = error; at != null; at = at.getCause()) {
            if (at instanceof CertificateException) {
                return true;
            }
        }
        return false;
    }

    /** To wait would not help, and to go on would show the token to anybody. */
    private WeirException untrusted(IOException cause) {
        return new WeirException(
                ErrorCode.LEDGER_INVALID,
                "Cannot trust the ledger server " + address + ": no secure connection to it ("
                        + reason(cause) + ")",
                "Name the certificate of its authority with --ledger-ca, or mend its certificate.",
                cause);
    }

    private WeirException stranger(int status, String code) {
        String named = code.isEmpty() ? "" : ", code=" + code;
        return new WeirException(
                ErrorCode.LEDGER_INVALID,
                "Cannot use the ledger server " + address + ": its reply is not one that this"
                        + " version knows (status=" + status + named + ")",
                "Check that the address is that of a weir server of this version.",
                null);
    }
}
