package io.weir.testkit.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** However the network cuts the bytes, the requests are the same and no byte changes. */
class FramingTest {
    private static final class Conversation {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final List<String> requests = new ArrayList<>();
        private int replies;
        private int interims;

        void read(Framing framing, byte[] sent, int step) {
            for (int from = 0; from < sent.length; from += step) {
                byte[] read = Arrays.copyOfRange(sent, from, Math.min(sent.length, from + step));
                framing.accept(read, read.length, this::take);
            }
            framing.end(this::take);
            assertThat(bytes.toByteArray()).isEqualTo(sent);
        }

        private void take(Piece piece) {
            bytes.writeBytes(piece.bytes);
            switch (piece.kind) {
                case REQUEST -> requests.add(String.join("; ", piece.statements));
                case END_OF_REPLY -> replies++;
                case INTERIM -> interims++;
                case PLAIN, END_OF_LOGIN -> assertThat(piece.statements).isEmpty();
            }
        }
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static byte[] http(String... lines) {
        return String.join("\r\n", lines).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] message(char type, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(5 + bytes.length)
                .put((byte) type)
                .putInt(4 + bytes.length)
                .put(bytes)
                .array();
    }

    private static byte[] startup(int code, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(8 + bytes.length)
                .putInt(8 + bytes.length)
                .putInt(code)
                .put(bytes)
                .array();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7, 64, 100_000})
    void findsTheRequestsOfPostgres(int step) {
        Framing.Pair framing = Protocol.POSTGRESQL.framing();
        byte[] sent = joined(
                startup(80_877_103, ""),
                startup(196_608, "user\0me\0\0"),
                message('p', "secret\0"),
                message('Q', "begin; select 'é'\0"),
                message('P', "s1\0insert into t values ($1)\0\0\0"),
                message('B', "\0s1\0" + "\0\0\0\0\0\0"),
                message('E', "\0\0\0\0\0"),
                message('S', ""),
                message('B', "p\0s1\0" + "\0\0\0\0\0\0"),
                message('E', "p\0\0\0\0\0"),
                message('H', ""),
                message('P', "\0COMMIT\0\0\0"),
                message('B', "\0\0" + "\0\0\0\0\0\0"),
                message('E', "\0\0\0\0\0"),
                message('S', ""),
                message('Q', "copy t from stdin\0"),
                message('d', "Q data that looks like a query\0".repeat(50)),
                message('c', ""),
                message('S', ""),
                message('F', "xx"),
                message('X', ""),
                "rest".getBytes(StandardCharsets.UTF_8));
        Conversation up = new Conversation();
        up.read(framing.up(), sent, step);
        assertThat(up.requests)
                .containsExactly(
                        "begin; select 'é'",
                        "insert into t values ($1)",
                        "insert into t values ($1); COMMIT",
                        "copy t from stdin",
                        "sync",
                        "function call");

        Conversation down = new Conversation();
        down.read(
                framing.down(),
                joined(
                        "N".getBytes(StandardCharsets.UTF_8),
                        message('R', "\0\0\0\0"),
                        message('Z', "I"),
                        message('D', "row".repeat(1_000)),
                        message('C', "SELECT 1\0"),
                        message('Z', "I"),
                        message('G', "\0\0\0"),
                        message('C', "COPY 1\0"),
                        message('Z', "I")),
                step);
        assertThat(down.replies).isEqualTo(2);
        assertThat(down.interims).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7, 64, 100_000})
    void findsTheRequestsOfHttp(int step) {
        Framing.Pair framing = Protocol.HTTP.framing();
        Conversation up = new Conversation();
        up.read(
                framing.up(),
                joined(
                        http("GET /a HTTP/1.1", "Host: x", "", ""),
                        http("POST /b HTTP/1.1", "content-LENGTH: 24", "", ""),
                        http("GET /no HTTP/1.1", "", "{};\n"),
                        http("POST /c HTTP/1.1", "Transfer-Encoding: chunked", "", ""),
                        http("5", "hello", "b;x=1", " world\r\n\r\n!", "0", "Etag: 1", "", ""),
                        http("HEAD /d HTTP/1.1", "Expect: 100-continue", "", ""),
                        http("GET /cut HTT")),
                step);
        assertThat(up.requests).containsExactly("GET /a", "POST /b", "POST /c", "HEAD /d");

        Conversation down = new Conversation();
        down.read(
                framing.down(),
                joined(
                        http("HTTP/1.1 200 OK", "Content-Length: 2", "", "ok"),
                        http("HTTP/1.1 100 Continue", "", ""),
                        http("HTTP/1.1 204 None", "", ""),
                        http("HTTP/1.1 200 OK", "Transfer-Encoding: gzip, chunked", "", ""),
                        http("2", "hi", "0", "", ""),
                        http("HTTP/1.1 200 OK", "Content-Length: 99", "", ""),
                        http("HTTP/1.1 200 OK", "", "until the end")),
                step);
        assertThat(down.replies).isEqualTo(4);
        assertThat(down.interims).isEqualTo(1);
    }
}
