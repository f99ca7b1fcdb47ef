package io.weir.server.lineage;

import io.weir.core.error.WeirException;
import io.weir.ledger.PostgresLedger;
import io.weir.ledger.lineage.LineageBooks;
import io.weir.ledger.lineage.Untold;
import io.weir.ledger.lineage.Untold.Mark;
import io.weir.ledger.outside.OutsideLedger;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Tells of the start and the end of every run, each at least once and in this order. It follows the
 * ledger in a thread of its own; nothing waits for it, and what it could not tell is told later, by
 * any process that tells. No transaction is open while somebody answers.
 */
public final class LineageTeller implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int RUNS_MAX = 1_000;
    private static final long CLOSE_SECONDS = 15;
    private static final Logger LOG = LoggerFactory.getLogger(LineageTeller.class);

    private final PostgresLedger own;
    private final OutsideLedger outside;
    private final LineageBooks books;
    private final LineageSink sink;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(task -> {
                Thread made = new Thread(task, "weir-lineage");
                made.setDaemon(true);
                return made;
            });

    private @Nullable ScheduledFuture<?> loop;

    private LineageTeller(PostgresLedger own, OutsideLedger outside, LineageSink sink) {
        this.own = own;
        this.outside = outside;
        this.books = own.lineage();
        this.sink = sink;
    }

    /** Tells only when it is asked to. */
    public static LineageTeller of(PostgresLedger own, OutsideLedger outside, LineageSink sink) {
        return new LineageTeller(own, outside, sink);
    }

    /** Tells what is due, again and again. */
    public LineageTeller started() {
        loop = thread.scheduleWithFixedDelay(
                this::tellGuarded, 0, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        return this;
    }

    /**
     * Tells what is due, until nothing is or something is not taken.
     *
     * @return how many events were taken
     */
    public int tellDue() {
        int told = 0;
        for (int i = 0; i < RUNS_MAX; i++) {
            Optional<Untold> due = books.next();
            if (due.isEmpty()) {
                return told;
            }
            try {
                told += tell(due.get());
            } catch (IOException e) {
                books.postpone(due.get().runId());
                LOG.atWarn()
                        .addKeyValue("runId", due.get().runId())
                        .log("Cannot tell lineage: {}; told again later", reason(e));
                return told;
            }
        }
        return told;
    }

    private int tell(Untold due) throws IOException {
        LineageRun run = switch (due.books()) {
            case OWN -> LineageRun.of(own.detail(due.runId()));
            case OUTSIDE -> LineageRun.of(outside.detail(due.runId()));
        };
        int told = 0;
        Mark start = due.start();
        if (start != null) {
            sink.take(LineageEvent.start(run, start.at()));
            books.told(due.runId(), start, false);
            told++;
        }
        Mark end = due.end();
        // The run is read after the marks: without one of them its end is told in the next turn.
        if (end != null) {
            sink.take(LineageEvent.end(run, end.at()));
            books.told(due.runId(), end, true);
            told++;
        }
        return told;
    }

    private void tellGuarded() {
        try {
            tellDue();
        } catch (WeirException e) {
            LOG.atWarn().addKeyValue("code", e.code()).log("Cannot tell lineage: {}", e.text());
        } catch (RuntimeException e) {
            // A bug in one turn must not end the loop for the life of the process.
            LOG.atError().setCause(e).log("Cannot tell lineage");
        }
    }

    private static String reason(IOException error) {
        String message = error.getMessage();
        return message == null ? error.getClass().getSimpleName() : message;
    }

    /** Tells what is due once more and ends. */
    @Override
    public void close() {
        ScheduledFuture<?> running = loop;
        if (running != null) {
            running.cancel(false);
        }
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.atWarn().log("The lineage of some runs is told by the next process");
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        tellGuarded();
    }
}
