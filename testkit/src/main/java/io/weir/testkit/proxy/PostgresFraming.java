package io.weir.testkit.proxy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The messages of PostgreSQL, version 3. A request is a Query, a function call, or the messages of
 * an extended query up to their Sync; each is answered by one ReadyForQuery. The data of a COPY
 * belong to the request that began it.
 */
final class PostgresFraming {
    private static final int SSL_REQUEST = 80_877_103;
    private static final int GSS_REQUEST = 80_877_104;
    private static final int HEADER = 5;

    /** Answers of one byte that were asked for before the connection speaks in messages. */
    private final AtomicInteger singleBytes = new AtomicInteger();

    private PostgresFraming() {}

    static Framing.Pair pair() {
        PostgresFraming shared = new PostgresFraming();
        return new Framing.Pair(shared.new Up(), shared.new Down());
    }

    private final class Up implements Framing {
        private final ByteQueue queue = new ByteQueue();
        private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
        private final List<String> statements = new ArrayList<>();
        private final Map<String, String> prepared = new HashMap<>();
        private final Map<String, String> portals = new HashMap<>();
        private boolean started;

        @Override
        public void accept(byte[] buffer, int length, Consumer<Piece> out) {
            queue.add(buffer, length);
            while (!started && queue.size() >= 2 * Integer.BYTES) {
                int size = queue.intAt(0);
                if (queue.size() < size) {
                    return;
                }
                int code = queue.intAt(Integer.BYTES);
                started = code != SSL_REQUEST && code != GSS_REQUEST;
                if (!started) {
                    singleBytes.incrementAndGet();
                }
                out.accept(Piece.plain(queue.take(size)));
            }
            while (started && queue.size() >= HEADER && queue.size() > queue.intAt(1)) {
                message(queue.take(1 + queue.intAt(1)), out);
            }
        }

        private void message(byte[] message, Consumer<Piece> out) {
            switch (message[0]) {
                case 'Q' -> {
                    pending.writeBytes(message);
                    for (String sql : text(message, HEADER).split(";", -1)) {
                        if (!sql.isBlank()) {
                            statements.add(sql.strip());
                        }
                    }
                    complete(out);
                }
                case 'F' -> {
                    pending.writeBytes(message);
                    statements.add("function call");
                    complete(out);
                }
                case 'S' -> {
                    pending.writeBytes(message);
                    complete(out);
                }
                case 'P', 'B', 'E', 'D', 'C' -> {
                    pending.writeBytes(message);
                    note(message);
                }
                case 'H' -> {
                    // The client waits for what was answered so far.
                    pending.writeBytes(message);
                    out.accept(Piece.plain(takePending()));
                }
                default -> out.accept(Piece.plain(message));
            }
        }

        private void note(byte[] message) {
            String first = text(message, HEADER);
            int second = HEADER + first.getBytes(StandardCharsets.UTF_8).length + 1;
            switch (message[0]) {
                case 'P' -> prepared.put(first, text(message, second).strip());
                case 'B' ->
                    portals.put(
                            first, prepared.getOrDefault(text(message, second), "not prepared"));
                case 'E' -> statements.add(portals.getOrDefault(first, "not bound"));
                default -> {
                    // Describe and Close run nothing.
                }
            }
        }

        private void complete(Consumer<Piece> out) {
            List<String> ran = statements.isEmpty() ? List.of("sync") : List.copyOf(statements);
            statements.clear();
            out.accept(Piece.request(takePending(), ran));
        }

        private byte[] takePending() {
            byte[] bytes = pending.toByteArray();
            pending.reset();
            return bytes;
        }

        @Override
        public void end(Consumer<Piece> out) {
            pending.writeBytes(queue.takeAll());
            if (pending.size() > 0) {
                out.accept(Piece.plain(takePending()));
            }
        }
    }

    private final class Down implements Framing {
        private final ByteQueue queue = new ByteQueue();
        private final ByteArrayOutputStream run = new ByteArrayOutputStream();
        private boolean ready;
        private boolean opaque;

        @Override
        public void accept(byte[] buffer, int length, Consumer<Piece> out) {
            queue.add(buffer, length);
            while (singleBytes.get() > 0 && queue.size() > 0) {
                singleBytes.decrementAndGet();
                byte[] answer = queue.take(1);
                opaque = answer[0] == 'S' || answer[0] == 'G';
                out.accept(Piece.plain(answer));
            }
            if (opaque) {
                end(out);
                return;
            }
            while (queue.size() >= HEADER && queue.size() > queue.intAt(1)) {
                byte[] message = queue.take(1 + queue.intAt(1));
                switch (message[0]) {
                    case 'Z' -> {
                        run.writeBytes(message);
                        byte[] bytes = takeRun();
                        out.accept(Piece.of(
                                ready ? Piece.Kind.END_OF_REPLY : Piece.Kind.END_OF_LOGIN, bytes));
                        ready = true;
                    }
                    case 'G', 'W' -> {
                        flush(out);
                        out.accept(Piece.of(Piece.Kind.INTERIM, message));
                    }
                    default -> run.writeBytes(message);
                }
            }
            flush(out);
        }

        private void flush(Consumer<Piece> out) {
            if (run.size() > 0) {
                out.accept(Piece.plain(takeRun()));
            }
        }

        private byte[] takeRun() {
            byte[] bytes = run.toByteArray();
            run.reset();
            return bytes;
        }

        @Override
        public void end(Consumer<Piece> out) {
            run.writeBytes(queue.takeAll());
            flush(out);
        }
    }

    /** Up to the next zero byte. */
    private static String text(byte[] message, int from) {
        int end = from;
        while (end < message.length && message[end] != 0) {
            end++;
        }
        return new String(Arrays.copyOfRange(message, from, end), StandardCharsets.UTF_8);
    }
}
