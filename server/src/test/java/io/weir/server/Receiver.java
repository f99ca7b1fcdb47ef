package io.weir.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;

import io.weir.core.json.Json;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** A receiver of a flow: keeps what it is called with and answers as it is told. */
final class Receiver implements AutoCloseable {
    final List<Call> calls = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private volatile int status = 202;
    private volatile Consumer<Call> before = call -> {};

    /** One call. */
    record Call(String path, String runId, String dispatchId, JsonNode body) {}

    Receiver() {
        try {
            server = HttpServer.create(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                String text = new String(
                        exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                Call call = new Call(
                        exchange.getRequestURI().getPath(),
                        exchange.getRequestHeaders().getFirst("X-Run-Id"),
                        exchange.getRequestHeaders().getFirst("X-Dispatch-Id"),
                        Json.parse(text));
                calls.add(call);
                before.accept(call);
                if (status / 100 == 3) {
                    exchange.getResponseHeaders().add("Location", "/elsewhere");
                }
                exchange.sendResponseHeaders(status, -1);
            }
        });
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
    }

    Receiver answering(int code) {
        status = code;
        return this;
    }

    /** What is done before the answer. */
    void before(Consumer<Call> action) {
        before = action;
    }

    List<Call> of(String run) {
        return calls.stream().filter(call -> call.runId().equals(run)).toList();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }
}
