package io.weir.testkit.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Bytes of no protocol: both ends are held by the test. */
@Timeout(60)
@SuppressWarnings("NullAway.Init")
class LineFaultTest {
    private final BlockingQueue<Socket> accepted = new LinkedBlockingQueue<>();
    private ServerSocket listener;
    private FaultProxy proxy;

    @BeforeEach
    void start() throws IOException {
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        proxy = FaultProxy.start(Protocol.OPAQUE, "127.0.0.1", listener.getLocalPort());
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    accepted.add(listener.accept());
                }
            } catch (IOException e) {
                // The test has ended.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        listener.close();
    }

    private final class Ends implements AutoCloseable {
        final Socket client;
        final Socket server;

        Ends() throws IOException, InterruptedException {
            client = new Socket(proxy.host(), proxy.port());
            server = accepted.take();
        }

        void send(Socket from, String text) throws IOException {
            from.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        }

        String receive(Socket at, int count) throws IOException {
            return new String(at.getInputStream().readNBytes(count), StandardCharsets.US_ASCII);
        }

        @Override
        public void close() throws IOException {
            client.close();
            server.close();
        }
    }

    @Test
    void passesBytesAndTheirEndBothWays() throws Exception {
        try (Ends ends = new Ends()) {
            ends.send(ends.client, "hello");
            assertThat(ends.receive(ends.server, 5)).isEqualTo("hello");
            ends.client.shutdownOutput();
            assertThat(ends.server.getInputStream().read()).isNegative();
            ends.send(ends.server, "still");
            assertThat(ends.receive(ends.client, 5)).isEqualTo("still");
            ends.server.close();
            assertThat(ends.client.getInputStream().read()).isNegative();
        }
        assertThat(proxy.requests()).isZero();
    }

    @Test
    void cutsAtTheVeryByte() throws Exception {
        try (Ends ends = new Ends()) {
            ends.send(ends.client, "12");
            assertThat(ends.receive(ends.server, 2)).isEqualTo("12");
            proxy.cutAfterBytes(Direction.UP, 5);
            ends.send(ends.client, "abc");
            ends.send(ends.client, "defgh");
            assertThat(ends.receive(ends.server, 100)).isEqualTo("abcde");
            assertThat(ends.client.getInputStream().read()).isNegative();
        }
        try (Ends ends = new Ends()) {
            ends.send(ends.server, "x".repeat(100));
            assertThat(ends.receive(ends.client, 100)).hasSize(100);
        }
    }

    @Test
    void resetsAndCloses() throws Exception {
        try (Ends ends = new Ends()) {
            proxy.cutAll(Ending.RESET);
            assertThatThrownBy(() -> ends.client.getInputStream().read())
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
            assertThatThrownBy(() -> ends.server.getInputStream().read())
                    .isInstanceOf(SocketException.class);
        }
        try (Ends ends = new Ends()) {
            proxy.cutAll(Ending.CLOSE);
            assertThat(ends.client.getInputStream().read()).isNegative();
            assertThat(ends.server.getInputStream().read()).isNegative();
        }
        proxy.cutBy(Ending.RESET);
        proxy.cutAfterBytes(Direction.UP, 0);
        try (Ends ends = new Ends()) {
            ends.send(ends.client, "x");
            assertThatThrownBy(() -> ends.client.getInputStream().read())
                    .isInstanceOf(SocketException.class);
        }
    }

    @Test
    void refusesUntilItPassesAgain() throws Exception {
        try (Ends before = new Ends()) {
            proxy.refuse();
            assertThatThrownBy(() -> new Socket(proxy.host(), proxy.port()))
                    .isInstanceOf(ConnectException.class);
            before.send(before.client, "go");
            assertThat(before.receive(before.server, 2)).isEqualTo("go");
            proxy.pass();
            try (Ends after = new Ends()) {
                after.send(after.client, "on");
                assertThat(after.receive(after.server, 2)).isEqualTo("on");
            }
        }
    }

    @Test
    void aBlackHoleOfOneDirectionLetsTheOtherPass() throws Exception {
        try (Ends ends = new Ends()) {
            proxy.blackHole(Direction.DOWN);
            ends.send(ends.client, "question");
            assertThat(ends.receive(ends.server, 8)).isEqualTo("question");
            ends.send(ends.server, "answer");
            ends.client.setSoTimeout(100);
            assertThatThrownBy(() -> ends.client.getInputStream().read())
                    .isInstanceOf(SocketTimeoutException.class);
            proxy.pass();
            ends.send(ends.server, "late");
            assertThatThrownBy(() -> ends.client.getInputStream().read())
                    .isInstanceOf(SocketTimeoutException.class);
            try (Ends fresh = new Ends()) {
                fresh.send(fresh.server, "fine");
                assertThat(fresh.receive(fresh.client, 4)).isEqualTo("fine");
            }
        }
    }

    @Test
    void aSlowCloseIsLearnedLate() throws Exception {
        try (Ends ends = new Ends()) {
            proxy.slowClose(Duration.ofHours(1));
            ends.client.close();
            ends.server.setSoTimeout(100);
            assertThatThrownBy(() -> ends.server.getInputStream().read())
                    .isInstanceOf(SocketTimeoutException.class);
            proxy.pass();
            ends.server.setSoTimeout(0);
            assertThat(ends.server.getInputStream().read()).isNegative();
        }
    }

    @Test
    void aServerThatIsNotThereEndsTheConnection() throws Exception {
        listener.close();
        try (Socket client = new Socket(proxy.host(), proxy.port())) {
            assertThat(client.getInputStream().read()).isNegative();
        }
    }
}
