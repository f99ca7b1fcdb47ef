package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.core.json.Json;
import io.weir.server.route.Route;
import io.weir.server.shape.Field;
import io.weir.server.shape.Shape;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;

/** A client of the API that holds every reply against the shape that its route declares. */
final class Api {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final String base;
    private final @Nullable String token;
    private final List<Route> routes;

    Api(String base, @Nullable String token, List<Route> routes) {
        this.base = base;
        this.token = token;
        this.routes = routes;
    }

    record Answer(int status, JsonNode body, HttpHeaders headers) {
        String code() {
            return body.path("code").asText();
        }

        String text(String field) {
            return body.path(field).asText();
        }

        boolean truth(String field) {
            return body.path(field).asBoolean();
        }

        Answer must(int wanted) {
            assertThat(status).as(body.toString()).isEqualTo(wanted);
            return this;
        }

        Answer ok() {
            return must(200);
        }

        Answer refused(int wanted, String code) {
            must(wanted);
            assertThat(code()).isEqualTo(code);
            assertThat(headers.firstValue("Content-Type")).hasValue("application/problem+json");
            assertThat(text("message")).startsWith("Cannot ");
            assertThat(text("requestId")).isNotEmpty();
            assertThat(body.path("retryable").isBoolean()).isTrue();
            assertThat(body.path("status").asInt()).isEqualTo(status);
            return this;
        }
    }

    Answer post(String path, String body, String... headers) {
        return send("POST", path, body, headers);
    }

    Answer get(String path, String... headers) {
        return send("GET", path, null, headers);
    }

    Answer delete(String path) {
        return send("DELETE", path, null);
    }

    Answer send(String method, String path, @Nullable String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .method(
                        method,
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try {
            HttpResponse<String> response =
                    CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
            String type = response.headers().firstValue("Content-Type").orElse("");
            JsonNode document = type.contains("json")
                    ? Json.parse(response.body())
                    : Json.object().put("text", response.body());
            if (response.statusCode() == 200) {
                checkReply(method, path, document);
            }
            return new Answer(response.statusCode(), document, response.headers());
        } catch (IOException e) {
            throw new IllegalStateException("Cannot call " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }

    private void checkReply(String method, String path, JsonNode document) {
        String bare = path.replaceFirst("\\?.*", "");
        for (Route route : routes) {
            String form = route.path().replaceAll("\\{\\w+}", "[^/]+");
            Shape shape = route.reply();
            if (shape != null && route.method().name().equals(method) && bare.matches(form)) {
                if (route.isList()) {
                    document.forEach(element -> check(shape, element));
                } else {
                    check(shape, document);
                }
            }
        }
    }

    private static void check(Shape shape, JsonNode document) {
        List<String> known = shape.fields().stream().map(Field::name).toList();
        assertThat(document.fieldNames()).toIterable().as(shape.name()).isSubsetOf(known);
        for (Field field : shape.fields()) {
            JsonNode value = document.get(field.name());
            assertThat(value).as(shape.name() + " " + field.name()).isNotNull();
            if (field.required()) {
                assertThat(value.isNull()).as(shape.name() + " " + field.name()).isFalse();
            }
            Shape items = field.items();
            if (items != null) {
                value.forEach(element -> check(items, element));
            }
        }
    }
}
