package io.weir.app.command;

import io.weir.core.row.Balance;
import io.weir.ingest.CommitInfo;
import io.weir.ingest.SerializationError;
import io.weir.ingest.StreamingConnection;
import io.weir.ingest.StreamingException;
import io.weir.ingest.record.RecordStream;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Moves records of a stream through a connection, and commits by rows and by time. */
final class RecordPump {
    private final StreamingConnection connection;
    private final RejectFile rejects;
    private final boolean numbered;
    private final long commitRows;
    private final Object lock = new Object();

    private Balance committed = Balance.ZERO;
    private long read;
    private long skipped;
    private long bytes;
    private long open;
    private long transactions;
    private boolean began;
    private @Nullable StreamingException failure;

    /**
     * Prepares.
     *
     * @param numbered whether each commit says how many records were read so far
     */
    RecordPump(
            StreamingConnection connection, RejectFile rejects, boolean numbered, long commitRows) {
        this.connection = connection;
        this.rejects = rejects;
        this.numbered = numbered;
        this.commitRows = commitRows;
    }

    /**
     * Moves all records.
     *
     * @param done so many were committed before and are left out
     * @param everySeconds when to commit at the latest; 0 for never
     * @param progress runs every two seconds
     */
    void run(RecordStream stream, long done, long everySeconds, Runnable progress)
            throws IOException, StreamingException {
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(action -> {
            Thread thread = new Thread(action, "weir-ingest-clock");
            thread.setDaemon(true);
            return thread;
        });
        List<Future<?>> ticks = new ArrayList<>();
        try {
            if (everySeconds > 0) {
                ticks.add(clock.scheduleAtFixedRate(
                        this::commitByTime, everySeconds, everySeconds, TimeUnit.SECONDS));
            }
            ticks.add(clock.scheduleAtFixedRate(progress, 2, 2, TimeUnit.SECONDS));
            while (stream.next()) {
                synchronized (lock) {
                    take(stream, done);
                }
            }
            synchronized (lock) {
                requireSound();
                commit();
            }
        } finally {
            ticks.forEach(tick -> tick.cancel(false));
            clock.shutdownNow();
        }
    }

    /** What a commit by time met; a later call would only say that no transaction is open. */
    private void requireSound() throws StreamingException {
        if (failure != null) {
            throw failure;
        }
    }

    private void take(RecordStream stream, long done) throws StreamingException {
        requireSound();
        read++;
        if (read <= done) {
            skipped++;
            return;
        }
        if (!began) {
            connection.beginTransaction();
            began = true;
        }
        try {
            connection.write(stream.bytes(), stream.offset(), stream.length());
            open++;
            bytes += stream.length();
        } catch (SerializationError e) {
            rejects.add(e.record(), stream.line());
        }
        if (open >= commitRows) {
            commit();
        }
    }

    private void commit() throws StreamingException {
        if (!began) {
            return;
        }
        rejects.flush();
        CommitInfo info =
                numbered ? connection.commitTransaction(read) : connection.commitTransaction();
        committed = committed.plus(info.balance());
        transactions++;
        open = 0;
        began = false;
    }

    private void commitByTime() {
        synchronized (lock) {
            try {
                commit();
            } catch (StreamingException e) {
                failure = e;
            }
        }
    }

    Balance committed() {
        return committed;
    }

    long read() {
        return read;
    }

    long skipped() {
        return skipped;
    }

    long bytes() {
        return bytes;
    }

    long transactions() {
        return transactions;
    }
}
