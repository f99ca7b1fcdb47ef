package io.weir.flow.changelog;

import io.weir.capture.ChangeStream;
import io.weir.capture.StreamEvent;
import io.weir.core.error.WeirException;
import io.weir.engine.Engine;
import io.weir.engine.WrittenFile;
import io.weir.table.LogPosition;
import io.weir.table.LogTable;
import io.weir.table.StagedFile;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Keeps the change logs of a stream: each change is in its log once, whatever ends this process.
 * Whole transactions only; each log is committed with its own position, and the source may forget
 * only what all logs have. What comes again after an end is dropped table by table. For one thread.
 */
public final class ChangeLogs implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMillis(100);
    private static final String FILE_SCHEME = "file://";

    private final ChangeStream stream;
    private final Engine engine;
    private final LogSettings settings;
    private final InstantSource clock;
    private final Runnable check;
    private final Consumer<LogStep> listener;
    private final BufferAllocator allocator = new RootAllocator();
    private final Map<String, Log> logs = new LinkedHashMap<>();
    private String transaction = "";
    private boolean inside;
    private LogPosition confirmed = LogPosition.NONE;
    private LogPosition kept = LogPosition.NONE;
    private StreamEvent.@Nullable Commit last;
    private @Nullable Instant oldest;

    private static final class Log {
        final LogTable table;
        final LogBuffer buffer;
        final long epoch;
        LogPosition position;
        LogPosition next;

        Log(LogTable table, LogBuffer buffer) {
            this.table = table;
            this.buffer = buffer;
            this.epoch = table.claim();
            // After the claim: nobody moves it any more.
            this.position = table.position();
            this.next = position;
        }
    }

    /**
     * Claims the logs.
     *
     * @param tables the log of each table of the stream, by qualified name
     * @param check is run before each commit; throws if the source no longer tells every change
     * @param listener is told every step
     * @throws io.weir.core.error.WeirException as {@link LogTable#claim}
     */
    public ChangeLogs(
            ChangeStream stream,
            Map<String, LogTable> tables,
            Engine engine,
            LogSettings settings,
            InstantSource clock,
            Runnable check,
            Consumer<LogStep> listener) {
        this.stream = stream;
        this.engine = engine;
        this.settings = settings;
        this.clock = clock;
        this.check = check;
        this.listener = listener;
        int number = 0;
        for (Map.Entry<String, LogTable> entry : tables.entrySet()) {
            Path file = settings.buffers().resolve("log-" + number++ + ".arrow");
            LogBuffer buffer = new LogBuffer(entry.getValue(), allocator, file);
            logs.put(entry.getKey(), new Log(entry.getValue(), buffer));
        }
    }

    /**
     * Reads and commits until it is told to stop, then commits what is read in whole.
     *
     * @param stop is asked between transactions and while nothing comes
     * @throws io.weir.core.error.WeirException as {@link ChangeStream#next}, {@link
     *     Engine#write}, {@link LogTable#append} and the check; then nothing more is done
     */
    public void run(BooleanSupplier stop) {
        while (true) {
            StreamEvent event = next();
            if (event != null) {
                take(event);
            }
            if (inside) {
                continue;
            }
            boolean stopping = stop.getAsBoolean();
            if (stopping || isDue()) {
                commit();
            }
            if (stopping) {
                return;
            }
        }
    }

    /** An error of one table keeps no transaction before it from being kept. */
    private @Nullable StreamEvent next() {
        try {
            return stream.next(PATIENCE);
        } catch (WeirException e) {
            if (e.details().containsKey(ChangeStream.TABLE)) {
                logs.values().forEach(log -> log.buffer.forgetOpen());
                commit();
            }
            throw e;
        }
    }

    /** The place of the last transaction that every log has; 0 if none was committed yet. */
    public long confirmedPlace() {
        return confirmed.place();
    }

    /** Up to where every log holds every change; to be asked by the thread that runs. */
    public LogPosition kept() {
        return kept;
    }

    private void take(StreamEvent event) {
        if (event instanceof StreamEvent.Begin begin) {
            transaction = begin.transaction();
            inside = true;
        } else if (event instanceof StreamEvent.Change change) {
            Log log = logs.get(change.table());
            if (log == null) {
                throw new IllegalStateException("No change log for " + change.table());
            }
            log.buffer.add(transaction, change);
        } else if (event instanceof StreamEvent.Commit commit) {
            end(commit);
        }
    }

    private void end(StreamEvent.Commit commit) {
        inside = false;
        last = commit;
        if (oldest == null) {
            oldest = clock.instant();
        }
        for (Log log : logs.values()) {
            if (commit.place() > log.position.place()) {
                if (log.buffer.isOpen()) {
                    log.next = new LogPosition(commit.place(), commit.position().text());
                }
                log.buffer.commit(commit.place());
            } else if (log.buffer.isOpen()) {
                // It comes again. Nothing newer came before it, so the buffer has nothing else.
                log.buffer.clear();
            }
        }
        listener.accept(LogStep.READ);
    }

    private boolean isDue() {
        if (oldest == null) {
            return false;
        }
        long rows = logs.values().stream()
                .mapToLong(log -> log.buffer.committedRows())
                .sum();
        return rows >= settings.rowsMax()
                || !clock.instant().isBefore(oldest.plus(settings.ageMax()));
    }

    private void commit() {
        StreamEvent.Commit to = last;
        if (to == null) {
            return;
        }
        check.run();
        for (Log log : logs.values()) {
            if (log.buffer.committedRows() > 0) {
                append(log);
            }
        }
        kept = new LogPosition(to.place(), to.position().text());
        listener.accept(LogStep.KEPT);
        stream.confirm(to);
        confirmed = kept;
        last = null;
        oldest = null;
        listener.accept(LogStep.CONFIRMED);
    }

    private void append(Log log) {
        String location = log.table.fileLocation(log.epoch, log.next.place());
        WrittenFile file;
        try (ArrowReader rows = log.buffer.read()) {
            file = engine.write(
                    rows, log.table.schema(), Path.of(location.substring(FILE_SCHEME.length())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        listener.accept(LogStep.WRITTEN);
        log.table.append(log.epoch, log.position, log.next, staged(location, file));
        log.position = log.next;
        log.buffer.clear();
        listener.accept(LogStep.APPENDED);
    }

    private static StagedFile staged(String location, WrittenFile file) {
        return new StagedFile(
                location,
                file.rows(),
                file.bytes(),
                new StagedFile.ColumnMetrics(
                        file.columnSizes(),
                        file.valueCounts(),
                        file.nullCounts(),
                        file.lowerBounds(),
                        file.upperBounds()),
                file.splitOffsets());
    }

    /** Forgets what is not committed; the stream stays open and belongs to the caller. */
    @Override
    public void close() {
        logs.values().forEach(log -> log.buffer.close());
        allocator.close();
    }
}
