package io.weir.testkit.proxy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A proxy under remote control, for tests whose faults are asked for by another process: {@code
 * POST} to {@link #url} a command, such as {@code cut-after 3}. Answers 200 with a text, or 400
 * with the reason.
 *
 * <ul>
 *   <li>{@code requests} answers their number; {@code seen} one line for each, with its number, its
 *       connection and its text
 *   <li>{@code pass}, {@code start-over}, {@code refuse}
 *   <li>{@code cut-all close|reset}, {@code cut-by close|reset}
 *   <li>{@code cut-before K}, {@code cut-after K}, {@code duplicate K}
 *   <li>{@code commit before|after}
 *   <li>{@code delay LEAST_MS JITTER_MS BYTES_PER_SECOND SEED}, {@code slow-close MS}
 *   <li>{@code black-hole up|down}, {@code cut-after-bytes up|down N}
 * </ul>
 */
public final class FaultControl implements AutoCloseable {
    private final FaultProxy proxy;
    private final HttpServer server;
    private final Map<String, Function<List<String>, String>> commands;

    private FaultControl(FaultProxy proxy, HttpServer server) {
        this.proxy = proxy;
        this.server = server;
        this.commands = Map.ofEntries(
                Map.entry("requests", words -> Integer.toString(proxy.requests())),
                Map.entry("seen", words -> seen()),
                Map.entry("pass", words -> done(proxy::pass)),
                Map.entry("start-over", words -> done(proxy::startOver)),
                Map.entry("refuse", words -> done(proxy::refuse)),
                Map.entry("cut-all", words -> done(() -> proxy.cutAll(ending(words)))),
                Map.entry("cut-by", words -> done(() -> proxy.cutBy(ending(words)))),
                Map.entry("cut-before", words -> at(words, Fault.CUT_BEFORE)),
                Map.entry("cut-after", words -> at(words, Fault.CUT_AFTER)),
                Map.entry("duplicate", words -> at(words, Fault.DUPLICATE)),
                Map.entry("commit", words -> commit(words)),
                Map.entry("delay", words -> done(() -> proxy.delay(latency(words)))),
                Map.entry("slow-close", words -> done(() -> proxy.slowClose(millis(words, 1)))),
                Map.entry("black-hole", words -> done(() -> proxy.blackHole(direction(words)))),
                Map.entry("cut-after-bytes", words -> cutAfterBytes(words)));
    }

    /** Listens on a free port of loopback. */
    public static FaultControl start(FaultProxy proxy) {
        try {
            HttpServer server = HttpServer.create(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            FaultControl control = new FaultControl(proxy, server);
            server.createContext("/", control::answer);
            server.start();
            return control;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start the control of a proxy", e);
        }
    }

    public String url() {
        return "http://" + proxy.host() + ":" + server.getAddress().getPort() + "/";
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String command =
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        int status = 200;
        String text;
        try {
            text = run(command);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            status = 400;
            text = "Cannot run " + command.strip() + ": " + e.getMessage();
        }
        byte[] body = (text + "\n").getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /**
     * Runs one command.
     *
     * @throws IllegalArgumentException if there is no such command
     */
    String run(String command) {
        List<String> words = List.of(command.strip().split(" +", -1));
        Function<List<String>, String> known = commands.get(words.get(0));
        if (known == null) {
            throw new IllegalArgumentException("there is no such command");
        }
        return known.apply(words);
    }

    private static String done(Runnable action) {
        action.run();
        return "ok";
    }

    private String seen() {
        return proxy.seen().stream()
                .map(request ->
                        request.number() + " " + request.connection() + " " + request.text())
                .collect(Collectors.joining("\n"));
    }

    private String at(List<String> words, Fault fault) {
        proxy.at(Integer.parseInt(words.get(1)), fault);
        return "ok";
    }

    private String commit(List<String> words) {
        proxy.onCommit(Fault.valueOf("CUT_" + upper(words, 1)));
        return "ok";
    }

    private String cutAfterBytes(List<String> words) {
        proxy.cutAfterBytes(direction(words), Long.parseLong(words.get(2)));
        return "ok";
    }

    private static Latency latency(List<String> words) {
        return new Latency(
                millis(words, 1),
                millis(words, 2),
                Long.parseLong(words.get(3)),
                Long.parseLong(words.get(4)));
    }

    private static Duration millis(List<String> words, int index) {
        return Duration.ofMillis(Long.parseLong(words.get(index)));
    }

    private static Direction direction(List<String> words) {
        return Direction.valueOf(upper(words, 1));
    }

    private static Ending ending(List<String> words) {
        return Ending.valueOf(upper(words, 1));
    }

    private static String upper(List<String> words, int index) {
        return words.get(index).toUpperCase(Locale.ROOT);
    }
}
