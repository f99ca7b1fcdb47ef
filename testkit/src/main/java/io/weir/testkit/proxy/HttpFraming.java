package io.weir.testkit.proxy;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** Requests and replies of HTTP/1.1, as far as is needed to see where each ends. */
final class HttpFraming {
    private static final byte[] LINE_END = {'\r', '\n'};
    private static final byte[] HEAD_END = {'\r', '\n', '\r', '\n'};
    private static final long UNTIL_CLOSE = Long.MAX_VALUE;

    /** Of the requests that are not answered yet: a reply to HEAD has no body. */
    private final Queue<String> methods = new ConcurrentLinkedQueue<>();

    private HttpFraming() {}

    static Framing.Pair pair() {
        HttpFraming shared = new HttpFraming();
        return new Framing.Pair(shared.new Up(), shared.new Down());
    }

    /** Collects one message after the other. */
    private abstract static class Messages implements Framing {
        private final ByteQueue queue = new ByteQueue();
        private final ByteArrayOutputStream message = new ByteArrayOutputStream();
        private @Nullable String head;
        private long bodyLeft;
        private boolean chunked;
        private boolean lastChunk;

        /** How many bytes of body follow; negative: chunks. */
        abstract long bodyOf(String head);

        /** What may be passed on before the message is complete. */
        abstract @Nullable Piece early(String head, byte[] bytes);

        abstract Piece complete(String head, byte[] bytes);

        @Override
        public void accept(byte[] buffer, int length, Consumer<Piece> out) {
            queue.add(buffer, length);
            while (step(out)) {
                // Each step takes what it can.
            }
        }

        private boolean step(Consumer<Piece> out) {
            String current = head;
            if (current == null) {
                return takeHead(out);
            }
            if (chunked && bodyLeft == 0) {
                return takeChunkLine(current, out);
            }
            if (bodyLeft > 0) {
                int taken = (int) Math.min(bodyLeft, queue.size());
                message.writeBytes(queue.take(taken));
                bodyLeft -= bodyLeft == UNTIL_CLOSE ? 0 : taken;
                if (bodyLeft > 0 || chunked) {
                    return bodyLeft == 0;
                }
            }
            finish(current, out);
            return true;
        }

        private boolean takeHead(Consumer<Piece> out) {
            int end = queue.indexOf(HEAD_END);
            if (end < 0) {
                return false;
            }
            byte[] bytes = queue.take(end + HEAD_END.length);
            String found = new String(bytes, StandardCharsets.ISO_8859_1);
            Piece early = early(found, bytes);
            if (early == null) {
                message.writeBytes(bytes);
            } else {
                out.accept(early);
                if (early.kind == Piece.Kind.INTERIM) {
                    return true;
                }
            }
            head = found;
            long body = bodyOf(found);
            chunked = body < 0;
            bodyLeft = Math.max(0, body);
            return true;
        }

        /** The size of a chunk, or a line behind the last one. */
        private boolean takeChunkLine(String current, Consumer<Piece> out) {
            int end = queue.indexOf(LINE_END);
            if (end < 0) {
                return false;
            }
            byte[] line = queue.take(end + LINE_END.length);
            message.writeBytes(line);
            if (lastChunk) {
                if (end == 0) {
                    finish(current, out);
                }
                return true;
            }
            String size = new String(line, 0, end, StandardCharsets.ISO_8859_1);
            int extension = size.indexOf(';');
            String digits = extension < 0 ? size : size.substring(0, extension);
            long bytes = Long.parseLong(digits.strip(), 16);
            lastChunk = bytes == 0;
            bodyLeft = lastChunk ? 0 : bytes + LINE_END.length;
            return true;
        }

        private void finish(String current, Consumer<Piece> out) {
            head = null;
            chunked = false;
            lastChunk = false;
            byte[] bytes = message.toByteArray();
            message.reset();
            out.accept(complete(current, bytes));
        }

        @Override
        public void end(Consumer<Piece> out) {
            message.writeBytes(queue.takeAll());
            if (message.size() > 0) {
                out.accept(Piece.plain(message.toByteArray()));
            }
        }
    }

    private final class Up extends Messages {
        @Override
        long bodyOf(String head) {
            return length(head, 0);
        }

        /** A client that asks first sends its body only after an answer. */
        @Override
        @Nullable
        Piece early(String head, byte[] bytes) {
            return header(head, "expect").isEmpty() ? null : Piece.plain(bytes);
        }

        @Override
        Piece complete(String head, byte[] bytes) {
            List<String> line = List.of(head.substring(0, head.indexOf("\r\n")).split(" ", -1));
            methods.add(line.get(0));
            return Piece.request(
                    bytes, List.of(line.get(0) + " " + (line.size() > 1 ? line.get(1) : "")));
        }
    }

    private final class Down extends Messages {
        @Override
        long bodyOf(String head) {
            String method = methods.poll();
            int status = status(head);
            if ("HEAD".equals(method) || status == 204 || status == 304) {
                return 0;
            }
            return length(head, UNTIL_CLOSE);
        }

        @Override
        @Nullable
        Piece early(String head, byte[] bytes) {
            return status(head) < 200 ? Piece.of(Piece.Kind.INTERIM, bytes) : null;
        }

        @Override
        Piece complete(String head, byte[] bytes) {
            return Piece.of(Piece.Kind.END_OF_REPLY, bytes);
        }
    }

    private static int status(String head) {
        return Integer.parseInt(head.substring(9, 12));
    }

    private static long length(String head, long otherwise) {
        if (header(head, "transfer-encoding").endsWith("chunked")) {
            return -1;
        }
        String length = header(head, "content-length");
        return length.isEmpty() ? otherwise : Long.parseLong(length);
    }

    /** The value in lower case; empty if there is none. */
    private static String header(String head, String name) {
        for (String line : head.split("\r\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.substring(0, colon).equalsIgnoreCase(name)) {
                return line.substring(colon + 1).strip().toLowerCase(Locale.ROOT);
            }
        }
        return "";
    }
}
