package io.weir.capture.postgresql;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import io.weir.capture.ChangeStream;
import io.weir.capture.StreamEvent;
import io.weir.core.error.WeirException;

import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One run of the engine. Its thread converts a batch and waits until the reader took the one
 * before, so that at most three batches are in memory.
 */
final class DebeziumStream implements ChangeStream {
    private static final Logger LOG = LoggerFactory.getLogger(DebeziumStream.class);
    private static final long OFFER_MILLIS = 100;
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(30);

    /** An event, and for a commit what lets the engine confirm it. */
    private record Entry(StreamEvent event, @Nullable RecordChangeEvent<SourceRecord> end) {}

    private record Mark(long place, RecordChangeEvent<SourceRecord> end) {}

    private final EventReader reader;
    private final Runnable ended;
    private final BlockingQueue<List<Entry>> batches = new LinkedBlockingQueue<>(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private final Deque<Mark> unconfirmed = new ArrayDeque<>();
    private Iterator<Entry> current = List.<Entry>of().iterator();
    private @Nullable DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;
    private volatile @Nullable RecordCommitter<RecordChangeEvent<SourceRecord>> committer;
    private volatile @Nullable Throwable failure;
    private volatile boolean closed;

    private DebeziumStream(EventReader reader, Runnable ended) {
        this.reader = reader;
        this.ended = ended;
    }

    /**
     * Starts the engine in a thread of its own.
     *
     * @param ended is run when the stream is closed
     */
    static ChangeStream start(Properties settings, EventReader reader, Runnable ended) {
        DebeziumStream stream = new DebeziumStream(reader, ended);
        DebeziumEngine<RecordChangeEvent<SourceRecord>> engine = build(settings, stream);
        stream.engine = engine;
        Thread thread = new Thread(engine, "weir-capture");
        thread.setDaemon(true);
        thread.start();
        return stream;
    }

    private static DebeziumEngine<RecordChangeEvent<SourceRecord>> build(
            Properties settings, DebeziumStream stream) {
        try {
            return DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
                    .using(settings)
                    .using(DebeziumStream.class.getClassLoader())
                    .using((success, message, error) -> stream.over(message, error))
                    .notifying(stream::handle)
                    .build();
        } catch (RuntimeException e) {
            throw CaptureErrors.ended(e);
        }
    }

    /** Called by the engine with every batch. */
    private void handle(
            List<RecordChangeEvent<SourceRecord>> records,
            RecordCommitter<RecordChangeEvent<SourceRecord>> by)
            throws InterruptedException {
        committer = by;
        List<Entry> entries = new ArrayList<>(records.size());
        WeirException wrong = null;
        for (RecordChangeEvent<SourceRecord> record : records) {
            try {
                StreamEvent event = reader.read(record.record());
                if (event != null) {
                    boolean commit = event instanceof StreamEvent.Commit;
                    entries.add(new Entry(event, commit ? record : null));
                }
            } catch (WeirException e) {
                wrong = e;
                break;
            }
        }
        // What came before the fault is right and may be confirmed.
        handOver(entries);
        if (wrong != null) {
            failure = wrong;
            throw wrong;
        }
    }

    private void handOver(List<Entry> entries) throws InterruptedException {
        while (!batches.offer(entries, OFFER_MILLIS, TimeUnit.MILLISECONDS)) {
            if (closed) {
                throw new InterruptedException("The stream was closed");
            }
        }
    }

    private void over(@Nullable String message, @Nullable Throwable error) {
        if (failure == null) {
            failure = error != null
                    ? error
                    : new IllegalStateException(message == null ? "it ended" : message);
        }
        over.countDown();
    }

    @Override
    public @Nullable StreamEvent next(Duration patience) {
        while (!current.hasNext()) {
            List<Entry> batch = poll(patience);
            if (batch == null) {
                return null;
            }
            current = batch.iterator();
        }
        Entry entry = current.next();
        if (entry.event() instanceof StreamEvent.Commit commit && entry.end() != null) {
            unconfirmed.add(new Mark(commit.place(), entry.end()));
        }
        return entry.event();
    }

    private @Nullable List<Entry> poll(Duration patience) {
        try {
            long left = patience.toMillis();
            while (true) {
                // Read before the queue: what the engine gave before it ended still counts.
                boolean ending = over.getCount() == 0;
                long wait = ending ? 0 : Math.min(left, OFFER_MILLIS);
                List<Entry> batch = batches.poll(wait, TimeUnit.MILLISECONDS);
                if (batch != null) {
                    return batch;
                }
                if (ending) {
                    throw CaptureErrors.ended(failure);
                }
                left -= wait;
                if (left <= 0) {
                    return null;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CaptureErrors.interrupted(e);
        }
    }

    @Override
    public void confirm(StreamEvent.Commit commit) {
        RecordChangeEvent<SourceRecord> end = null;
        for (Mark mark = unconfirmed.peek();
                mark != null && mark.place() <= commit.place();
                mark = unconfirmed.peek()) {
            end = mark.end();
            unconfirmed.remove();
        }
        RecordCommitter<RecordChangeEvent<SourceRecord>> by = committer;
        if (end == null || by == null || over.getCount() == 0) {
            // An engine that ended confirms nothing; the transactions come again.
            return;
        }
        try {
            by.markProcessed(end);
            by.markBatchFinished();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CaptureErrors.interrupted(e);
        } catch (RuntimeException e) {
            throw CaptureErrors.ended(e);
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            long left = CLOSE_PATIENCE.toMillis();
            while (!stop() && !over.await(OFFER_MILLIS, TimeUnit.MILLISECONDS)) {
                left -= OFFER_MILLIS;
                if (left <= 0) {
                    throw new TimeoutException("it does not start");
                }
            }
            if (!over.await(CLOSE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new TimeoutException("it does not end");
            }
        } catch (IOException | TimeoutException e) {
            LOG.atWarn().addKeyValue("reason", e.toString()).log("Change stream does not end");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended.run();
        }
    }

    /** Whether the engine took the wish: one that is starting, or has ended, does not. */
    private boolean stop() throws IOException {
        try {
            if (engine != null && over.getCount() > 0) {
                engine.close();
            }
            return true;
        } catch (IllegalStateException e) {
            LOG.atDebug().addKeyValue("reason", e.toString()).log("Change stream is not ready");
            return false;
        }
    }
}
