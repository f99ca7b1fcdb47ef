package io.weir.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;

import io.weir.core.json.Json;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands between a client and a server of the ledger and keeps what was asked and answered. */
final class Recorder implements AutoCloseable {
    final List<Exchange> exchanges = new CopyOnWriteArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpServer server;

    /** One call that was answered with 200. */
    record Exchange(String call, JsonNode request, JsonNode reply) {
        ObjectNode document() {
            ObjectNode document = Json.object();
            document.set("request", request);
            document.set("reply", reply);
            return document;
        }
    }

    Recorder(int port) {
        try {
            server = HttpServer.create(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", exchange -> {
            try (exchange) {
                byte[] body = exchange.getRequestBody().readAllBytes();
                String path = exchange.getRequestURI().getPath();
                HttpRequest request = HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + port + path))
                        .header(
                                "Authorization",
                                exchange.getRequestHeaders().getFirst("Authorization"))
                        .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                        .build();
                HttpResponse<String> reply =
                        client.send(request, HttpResponse.BodyHandlers.ofString());
                if (reply.statusCode() == 200) {
                    exchanges.add(new Exchange(
                            path.substring(path.lastIndexOf('/') + 1),
                            Json.parse(new String(body, StandardCharsets.UTF_8)),
                            Json.parse(reply.body())));
                }
                byte[] answer = reply.body().getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders()
                        .add(
                                "Content-Type",
                                reply.headers().firstValue("Content-Type").orElse(""));
                exchange.sendResponseHeaders(reply.statusCode(), answer.length);
                exchange.getResponseBody().write(answer);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
