package io.weir.testkit.proxy;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;

/** One client and its server: two threads, one for each direction. */
final class Connection {
    private static final int BUFFER_BYTES = 1 << 16;

    private final FaultProxy proxy;
    private final Line line;
    private final int number;
    private final Socket client;
    private final Socket server = new Socket();
    private final Framing.Pair framing;
    private final Map<Direction, Pace> paces = new EnumMap<>(Direction.class);
    private final AtomicBoolean halfClosed = new AtomicBoolean();
    private int requests;
    private int replies;
    private boolean replying;
    private boolean over;
    /** The reply, counted on this connection, that the client will not see; 0: none. */
    private volatile int swallowed;

    Connection(FaultProxy proxy, Line line, int number, Socket client, Protocol protocol) {
        this.proxy = proxy;
        this.line = line;
        this.number = number;
        this.client = client;
        this.framing = protocol.framing();
        for (Direction direction : Direction.values()) {
            paces.put(direction, new Pace(direction));
        }
    }

    void start(InetSocketAddress target) {
        thread("up", () -> {
                    server.connect(target);
                    thread("down", () -> pump(Direction.DOWN)).start();
                    pump(Direction.UP);
                })
                .start();
    }

    private interface Work {
        void run() throws IOException;
    }

    private Thread thread(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    boolean ended = false;
                    try {
                        work.run();
                        ended = true;
                    } catch (IOException e) {
                        // A connection that breaks is what this is for.
                    } finally {
                        if (!ended) {
                            cut(Ending.CLOSE);
                        }
                    }
                },
                "fault-proxy-" + number + "-" + name);
        thread.setDaemon(true);
        return thread;
    }

    private void pump(Direction direction) throws IOException {
        boolean up = direction == Direction.UP;
        Socket from = up ? client : server;
        Framing pieces = up ? framing.up() : framing.down();
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            for (int n = from.getInputStream().read(buffer);
                    n >= 0;
                    n = from.getInputStream().read(buffer)) {
                pieces.accept(buffer, n, piece -> forward(direction, piece));
            }
            pieces.end(piece -> forward(direction, piece));
        } catch (CutException e) {
            cut(line.ending());
            return;
        } catch (BrokenException e) {
            throw e.cause;
        }
        endOf(direction);
    }

    /** Passes the end of one direction on; the connection ends with the second. */
    private void endOf(Direction direction) throws IOException {
        if (isLost(direction)) {
            return;
        }
        pause(line.closingDelay());
        if (halfClosed.getAndSet(true)) {
            cut(Ending.CLOSE);
        } else {
            (direction == Direction.UP ? server : client).shutdownOutput();
        }
    }

    private void forward(Direction direction, Piece piece) {
        try {
            if (direction == Direction.UP) {
                up(piece);
            } else {
                down(piece);
            }
        } catch (IOException e) {
            throw new BrokenException(e);
        }
    }

    private void up(Piece piece) throws IOException {
        if (piece.kind != Piece.Kind.REQUEST) {
            write(Direction.UP, piece.bytes);
            return;
        }
        if (swallowed > 0) {
            // Sent ahead of a reply that will not come.
            return;
        }
        requests++;
        @Nullable Fault fault = proxy.arrived(number, piece.statements);
        if (fault == Fault.CUT_BEFORE) {
            awaitReplies(requests - 1);
            throw new CutException();
        }
        if (fault == Fault.CUT_AFTER) {
            swallowed = requests;
        }
        if (fault == Fault.BLACK_HOLE) {
            paces.values().forEach(pace -> pace.lost = true);
        }
        if (fault == Fault.DUPLICATE) {
            proxy.deliver(piece.bytes);
        }
        pace(Direction.UP).late();
        write(Direction.UP, piece.bytes);
    }

    private void down(Piece piece) throws IOException {
        boolean swallowing = swallowed == replies + 1;
        if (!swallowing || piece.kind == Piece.Kind.INTERIM) {
            if (!replying) {
                pace(Direction.DOWN).late();
            }
            write(Direction.DOWN, piece.bytes);
        }
        replying = piece.kind != Piece.Kind.END_OF_REPLY && piece.kind != Piece.Kind.END_OF_LOGIN;
        if (piece.kind == Piece.Kind.END_OF_REPLY) {
            replied();
            if (swallowing) {
                throw new CutException();
            }
        }
    }

    private synchronized void replied() {
        replies++;
        notifyAll();
    }

    /** What was sent before is answered, however far ahead the client is. */
    private synchronized void awaitReplies(int count) throws IOException {
        try {
            while (replies < count && !over) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while a reply was awaited");
        }
    }

    private Pace pace(Direction direction) {
        Pace pace = paces.get(direction);
        if (pace == null) {
            throw new IllegalStateException("No pace " + direction);
        }
        return pace;
    }

    private void write(Direction direction, byte[] bytes) throws IOException {
        if (isLost(direction)) {
            return;
        }
        pause(line.latency().transfer(bytes.length));
        int allowed = line.allowed(direction, bytes.length);
        (direction == Direction.UP ? server : client).getOutputStream().write(bytes, 0, allowed);
        if (allowed < bytes.length) {
            throw new CutException();
        }
    }

    /** A stream that misses bytes can never be mended; its end gets lost like any byte. */
    private boolean isLost(Direction direction) {
        Pace pace = pace(direction);
        if (line.isBlackHole(direction)) {
            pace.lost = true;
        }
        return pace.lost;
    }

    private void pause(Duration time) throws IOException {
        try {
            line.pause(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while a byte was late");
        }
    }

    void cut(Ending ending) {
        synchronized (this) {
            over = true;
            notifyAll();
        }
        for (Socket socket : new Socket[] {client, server}) {
            try {
                ending.end(socket);
            } catch (IOException e) {
                // It was gone before.
            }
        }
        proxy.ended(this);
    }

    /** One direction: how late the next piece is, and whether bytes got lost. */
    private final class Pace {
        private final Direction direction;
        private Latency latency = Latency.NONE;
        private SplittableRandom random = new SplittableRandom(0);
        private volatile boolean lost;

        Pace(Direction direction) {
            this.direction = direction;
        }

        void late() throws IOException {
            Latency now = line.latency();
            if (now.equals(Latency.NONE)) {
                return;
            }
            if (!now.equals(latency)) {
                latency = now;
                random = now.randomOf(number, direction);
            }
            Duration delay = now.draw(random);
            line.noteDelay(number, direction, delay);
            pause(delay);
        }
    }

    /** Here the connection ends on purpose. */
    private static final class CutException extends RuntimeException {
        CutException() {
            super("cut", null, false, false);
        }
    }

    private static final class BrokenException extends RuntimeException {
        private final IOException cause;

        BrokenException(IOException cause) {
            super(cause);
            this.cause = cause;
        }
    }
}
