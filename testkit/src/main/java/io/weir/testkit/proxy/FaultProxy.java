package io.weir.testkit.proxy;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Stands between a client and a server on loopback and passes everything on, until it is told
 * otherwise. What happens at a request is asked for before the request comes; what the line is like
 * holds until {@link #pass}. Nothing is left to chance: delays come from a seed, and requests are
 * counted, so that a test can run a script once and then once for each of its requests.
 *
 * <pre>{@code
 * for (int k = 1; k <= n; k++) {
 *     proxy.startOver();
 *     proxy.at(k, Fault.CUT_AFTER);
 *     …
 * }
 * }</pre>
 *
 * Any thread may call any method.
 */
public final class FaultProxy implements AutoCloseable {
    private final Protocol protocol;
    private volatile InetSocketAddress target;
    private final int port;
    private final Line line = new Line();
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final List<Rule> rules = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();
    private @Nullable Listener listener;
    private int accepted;
    private boolean closed;

    private FaultProxy(Protocol protocol, InetSocketAddress target) throws IOException {
        this.protocol = protocol;
        this.target = target;
        this.port = listen(0);
    }

    /** Listens on a free port of loopback; the server need not run yet. */
    public static FaultProxy start(Protocol protocol, String host, int port) {
        try {
            return new FaultProxy(protocol, new InetSocketAddress(host, port));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start a proxy", e);
        }
    }

    public String host() {
        return "127.0.0.1";
    }

    public int port() {
        return port;
    }

    /** New connections lead to another place: a server that was started again has a new port. */
    public void lead(String toHost, int toPort) {
        target = new InetSocketAddress(toHost, toPort);
    }

    /** How many requests came since the start, or since {@link #startOver}. */
    public synchronized int requests() {
        return requests.size();
    }

    /** The requests that came, in their order. */
    public synchronized List<Request> seen() {
        return List.copyOf(requests);
    }

    /** Counts requests and connections from 1 again and drops what was asked for at requests. */
    public synchronized void startOver() {
        requests.clear();
        rules.clear();
        accepted = 0;
    }

    /** At the request that {@link #requests} counts as the k-th. */
    public void at(int k, Fault fault) {
        at(request -> request.number() == k, fault);
    }

    /** At the next request that fits; once. */
    public synchronized void at(Predicate<Request> which, Fault fault) {
        if (fault == Fault.DUPLICATE && protocol != Protocol.HTTP) {
            throw new IllegalArgumentException("Only a request of HTTP can be duplicated");
        }
        rules.add(new Rule(which, fault, null));
    }

    /** At the next COMMIT, sent by itself or together with other statements. */
    public void onCommit(Fault fault) {
        at(Request::isCommit, fault);
    }

    /** Runs something once, when the next request that fits has come and before it goes on. */
    public synchronized void before(Predicate<Request> which, Runnable action) {
        rules.add(new Rule(which, null, action));
    }

    /** A healthy line from now on. A connection that lost bytes in a black hole stays lost. */
    public void pass() {
        line.mend();
        synchronized (this) {
            if (listener == null && !closed) {
                try {
                    listen(port);
                } catch (IOException e) {
                    throw new UncheckedIOException("Cannot listen again (port=" + port + ")", e);
                }
            }
        }
    }

    /** Every request, every reply and every byte is late. */
    public void delay(Latency latency) {
        line.setLatency(latency);
    }

    /**
     * The delays of requests and replies since {@link #delay} was called last: by connection, first
     * those of requests, then those of replies.
     */
    public List<Duration> delays() {
        return line.delays();
    }

    /** Bytes are taken and go nowhere, and nobody learns that the other side closed. */
    public void blackHole(Direction... directions) {
        for (Direction direction : directions) {
            line.blackHole(direction);
        }
    }

    /** Cuts the connection whose byte is the first after so many of one direction; once. */
    public void cutAfterBytes(Direction direction, long bytes) {
        line.cutAfterBytes(direction, bytes);
    }

    /** When one side closes, the other one learns of it so much later. */
    public void slowClose(Duration delay) {
        line.setClosingDelay(delay);
    }

    /** How connections end that are cut at a request or a byte; {@link Ending#CLOSE} at first. */
    public void cutBy(Ending ending) {
        line.setEnding(ending);
    }

    /** New connections are refused. Those that there are go on. */
    public void refuse() {
        Listener open;
        synchronized (this) {
            open = listener;
            listener = null;
        }
        if (open != null) {
            open.close();
        }
    }

    /** Ends all connections now. */
    public void cutAll(Ending ending) {
        connections.forEach(connection -> connection.cut(ending));
    }

    /** The number of connections that are open. */
    public int connections() {
        return connections.size();
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        refuse();
        cutAll(Ending.CLOSE);
        line.changed();
    }

    private synchronized int listen(int wanted) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted), 50);
        int bound = socket.getLocalPort();
        Thread thread = new Thread(() -> accept(socket), "fault-proxy-" + bound);
        thread.setDaemon(true);
        thread.start();
        listener = new Listener(socket, thread);
        return bound;
    }

    private void accept(ServerSocket socket) {
        try {
            while (true) {
                Socket client = socket.accept();
                client.setTcpNoDelay(true);
                open(client);
            }
        } catch (IOException e) {
            // Nobody is let in any more.
        }
    }

    private synchronized void open(Socket client) throws IOException {
        if (closed) {
            client.close();
            return;
        }
        Connection connection = new Connection(this, line, ++accepted, client, protocol);
        connections.add(connection);
        connection.start(target);
    }

    void ended(Connection connection) {
        connections.remove(connection);
    }

    /** Counts a request and says what happens to it. */
    @Nullable
    Fault arrived(int connection, List<String> statements) {
        List<Rule> met = new ArrayList<>();
        synchronized (this) {
            Request request = new Request(requests.size() + 1, connection, statements);
            requests.add(request);
            for (Iterator<Rule> i = rules.iterator(); i.hasNext(); ) {
                Rule rule = i.next();
                boolean second = rule.fault != null && met.stream().anyMatch(m -> m.fault != null);
                if (!second && rule.which.test(request)) {
                    met.add(rule);
                    i.remove();
                }
            }
        }
        Fault fault = null;
        for (Rule rule : met) {
            if (rule.action != null) {
                rule.action.run();
            }
            fault = rule.fault == null ? fault : rule.fault;
        }
        return fault;
    }

    /** Sends a request by a connection of its own and waits for the answer. */
    void deliver(byte[] request) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(target);
            Framing.Pair framing = protocol.framing();
            framing.up().accept(request, request.length, piece -> {});
            socket.getOutputStream().write(request);
            byte[] buffer = new byte[1 << 12];
            boolean[] answered = {false};
            while (!answered[0]) {
                int read = socket.getInputStream().read(buffer);
                if (read < 0) {
                    return;
                }
                framing.down()
                        .accept(
                                buffer,
                                read,
                                piece -> answered[0] |= piece.kind == Piece.Kind.END_OF_REPLY);
            }
        }
    }

    private record Listener(ServerSocket socket, Thread thread) {
        /** A thread that still waits in accept keeps the port open. */
        void close() {
            try {
                socket.close();
                thread.join();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static final class Rule {
        private final Predicate<Request> which;
        private final @Nullable Fault fault;
        private final @Nullable Runnable action;

        Rule(Predicate<Request> which, @Nullable Fault fault, @Nullable Runnable action) {
            this.which = which;
            this.fault = fault;
            this.action = action;
        }
    }
}
