package io.weir.server.alert;

import io.weir.core.error.WeirException;
import io.weir.ledger.alert.Alert;
import io.weir.ledger.alert.AlertBooks;
import io.weir.ledger.alert.AlertBooks.Channel;
import io.weir.ledger.alert.AlertBooks.Due;
import io.weir.server.alert.AlertSink.RefusedException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Tells people of replication. It follows the ledger in a thread of its own; nothing waits for it,
 * and what it could not tell is told later, by any process that tells. No transaction is open while
 * somebody answers.
 */
public final class AlertTeller implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int ALERTS_MAX = 1_000;
    private static final long CLOSE_SECONDS = 15;
    private static final Logger LOG = LoggerFactory.getLogger(AlertTeller.class);

    private final AlertBooks books;
    private final Map<Channel, AlertSink> sinks;
    private final Set<String> jobs;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(task -> {
                Thread made = new Thread(task, "weir-alerts");
                made.setDaemon(true);
                return made;
            });

    private @Nullable ScheduledFuture<?> loop;

    /**
     * Tells only when it is asked to.
     *
     * @param jobs of which it tells; empty: all
     */
    public AlertTeller(AlertBooks books, Map<Channel, AlertSink> sinks, Set<String> jobs) {
        this.books = books;
        this.sinks = new EnumMap<>(Channel.class);
        this.sinks.putAll(sinks);
        this.jobs = Set.copyOf(jobs);
    }

    /** Tells what is due, again and again; what happens from now on is told. */
    public AlertTeller started() {
        try {
            sinks.keySet().forEach(books::open);
        } catch (WeirException e) {
            LOG.atWarn().addKeyValue("code", e.code()).log("Cannot tell alerts: {}", e.text());
        }
        loop = thread.scheduleWithFixedDelay(
                this::tellGuarded, 0, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        return this;
    }

    /**
     * Tells what is due on each channel, until nothing is or something is not taken.
     *
     * @return how many alerts were taken
     */
    public int tellDue() {
        int told = 0;
        for (Map.Entry<Channel, AlertSink> sink : sinks.entrySet()) {
            told += tellDue(sink.getKey(), sink.getValue());
        }
        return told;
    }

    private int tellDue(Channel channel, AlertSink sink) {
        int told = 0;
        for (int i = 0; i < ALERTS_MAX; i++) {
            Optional<Due> due = books.next(channel, jobs);
            if (due.isEmpty()) {
                return told;
            }
            try {
                sink.take(document(channel, due.get().alert()));
                told++;
            } catch (RefusedException e) {
                LOG.atError()
                        .addKeyValue("channel", channel)
                        .addKeyValue("alert", AlertDocument.line(due.get().alert()))
                        .log("Alert passed over: {}", e.getMessage());
            } catch (IOException e) {
                books.postpone(due.get());
                LOG.atWarn()
                        .addKeyValue("channel", channel)
                        .addKeyValue("job", due.get().alert().job())
                        .log("Cannot tell an alert: {}; told again later", e.getMessage());
                return told;
            }
            books.told(due.get());
        }
        return told;
    }

    private static String document(Channel channel, Alert alert) {
        return channel == Channel.SLACK ? SlackMessage.line(alert) : AlertDocument.line(alert);
    }

    private void tellGuarded() {
        try {
            tellDue();
        } catch (WeirException e) {
            LOG.atWarn().addKeyValue("code", e.code()).log("Cannot tell alerts: {}", e.text());
        } catch (RuntimeException e) {
            // A bug in one turn must not end the loop for the life of the process.
            LOG.atError().setCause(e).log("Cannot tell alerts");
        }
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
            if (thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                tellGuarded();
            } else {
                LOG.atWarn().log("Some alerts are told by the next process");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sinks.values().forEach(AlertSink::close);
        }
    }
}
