package io.weir.table;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between a catalog and its database and knows the one statement that moves a table. It can
 * let something else happen right before that statement arrives, or lose the reply to it.
 */
final class CatalogProxy implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CatalogProxy.class);
    private static final String COMMIT = "UPDATE iceberg_tables SET metadata_location";

    private final ServerSocket listener;
    private final String host;
    private final int port;
    private final Queue<Runnable> beforeCommit = new ConcurrentLinkedQueue<>();
    private final AtomicInteger repliesToLose = new AtomicInteger();
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final AtomicInteger commits = new AtomicInteger();

    CatalogProxy(String host, int port) throws IOException {
        this.host = host;
        this.port = port;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start("accept", this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** How often the statement was sent. */
    int commits() {
        return commits.get();
    }

    /** Runs something once, between the moment the next commit is sent and its arrival. */
    void beforeNextCommit(Runnable action) {
        beforeCommit.add(action);
    }

    /** Lets the next commit happen and cuts the connection instead of passing the reply on. */
    void loseNextReply() {
        repliesToLose.set(1);
    }

    /** Cuts every connection. */
    void cut() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            Socket server = new Socket(host, port);
            sockets.add(client);
            sockets.add(server);
            Pair pair = new Pair(client, server);
            start("up", pair::up);
            start("down", pair::down);
        }
    }

    private static void start(String name, Pump pump) {
        Thread thread = new Thread(() -> run(pump), "catalog-proxy-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void run(Pump pump) {
        try {
            pump.run();
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("Connection cut, which is what this class is for");
        }
    }

    private interface Pump {
        void run() throws IOException;
    }

    private final class Pair {
        private final Socket client;
        private final Socket server;
        private volatile boolean losing;

        Pair(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void up() throws IOException {
            try (client;
                    server) {
                InputStream in = client.getInputStream();
                OutputStream out = server.getOutputStream();
                byte[] buffer = new byte[1 << 16];
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    if (new String(buffer, 0, n, StandardCharsets.ISO_8859_1).contains(COMMIT)) {
                        commits.incrementAndGet();
                        losing = repliesToLose.getAndSet(0) > 0;
                        for (Runnable r = beforeCommit.poll(); r != null; r = beforeCommit.poll()) {
                            r.run();
                        }
                    }
                    out.write(buffer, 0, n);
                }
            }
        }

        void down() throws IOException {
            try (client;
                    server) {
                InputStream in = server.getInputStream();
                OutputStream out = client.getOutputStream();
                byte[] buffer = new byte[1 << 16];
                for (int n = in.read(buffer); n >= 0 && !losing; n = in.read(buffer)) {
                    out.write(buffer, 0, n);
                }
            }
        }
    }
}
