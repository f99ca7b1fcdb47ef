package io.weir.server.route;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.client.wire.ErrorNames;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.ErrorKind;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** An error as a document: the fields of RFC 9457 and those of the older design side by side. */
public final class Problem {
    public static final String TYPE = "application/problem+json";

    private static final Map<ErrorCode, Integer> STATUS = Map.of(
            ErrorCode.UNAUTHENTICATED, 401,
            ErrorCode.FORBIDDEN, 403,
            ErrorCode.METHOD_NOT_ALLOWED, 405,
            ErrorCode.PAYLOAD_TOO_LARGE, 413);

    private static final int UNAVAILABLE = 503;
    private static final int WAIT_SECONDS_MAX = 10;

    private Problem() {}

    public static int status(ErrorCode code) {
        return STATUS.getOrDefault(code, code.kind().httpStatus());
    }

    public static String name(ErrorCode code) {
        return ErrorNames.name(code);
    }

    /** The whole reply. */
    public static Reply of(WeirException error, String path, String requestId) {
        ErrorCode code = error.code();
        int status = status(code);
        // What broke inside is for our journal; the message may hold more than callers should see.
        boolean bug = code.kind() == ErrorKind.BUG;
        String message = bug ? "Cannot answer: a fault of Weir itself" : error.text();
        ObjectNode body = Json.object()
                .put("type", "/docs/errors#" + name(code).toLowerCase(Locale.ROOT))
                .put("title", code.meaning())
                .put("status", status)
                .put("detail", message)
                .put("instance", path)
                .put("code", name(code))
                .put("message", message)
                .put("requestId", requestId)
                .put("retryable", code.kind() == ErrorKind.TRANSIENT || bug)
                .put("hint", error.hint());
        if (!error.details().isEmpty()) {
            body.set("details", details(error.details()));
        }
        Reply reply = new Reply(status, TYPE, Json.line(body), Map.of());
        if (status == UNAVAILABLE) {
            return reply.with("Retry-After", Integer.toString(secondsToWait(requestId)));
        }
        return code == ErrorCode.UNAUTHENTICATED ? reply.with("WWW-Authenticate", "Bearer") : reply;
    }

    /** Spread, so that those who were turned away together do not come back together. */
    private static int secondsToWait(String requestId) {
        return 1 + Math.floorMod(requestId.hashCode(), WAIT_SECONDS_MAX);
    }

    private static ObjectNode details(Map<String, Object> details) {
        ObjectNode node = Json.object();
        details.forEach((name, value) -> {
            if (value instanceof List<?> list) {
                ArrayNode array = node.putArray(name);
                list.forEach(element -> array.add(String.valueOf(element)));
            } else if (value instanceof Integer number) {
                node.put(name, number);
            } else {
                node.put(name, String.valueOf(value));
            }
        });
        return node;
    }
}
