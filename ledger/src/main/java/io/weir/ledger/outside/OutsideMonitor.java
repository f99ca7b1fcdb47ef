package io.weir.ledger.outside;

import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.outside.OutsideReplies.Alert;
import io.weir.ledger.outside.OutsideReplies.Detail;
import io.weir.ledger.outside.OutsideReplies.Summary;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reading outside runs; nothing here changes a row. */
final class OutsideMonitor {
    /** How far back a run counts as recent. */
    static final Duration RECENT = Duration.ofHours(24);

    private static final int ALERTS_MAX = 200;

    private final OutsideTransactions transactions;
    private final OutsideSettings settings;
    private final OutsideRuns runs;

    OutsideMonitor(OutsideTransactions transactions, OutsideSettings settings, OutsideRuns runs) {
        this.transactions = transactions;
        this.settings = settings;
        this.runs = runs;
    }

    Optional<OutsideRun> find(RunId id) {
        return transactions.run("read run " + id, books -> books.findRun(id));
    }

    Detail detail(RunId id) {
        return transactions.run("read run " + id, books -> {
            Turn turn = new Turn(books, settings, Actor.loop("reader"));
            return new Detail(
                    turn.findRun(id), books.partitions(id), books.dispatches(id), books.now());
        });
    }

    List<OutsideRun> list(RunQuery query) {
        return transactions.run("list runs", books -> books.runs(query));
    }

    List<OutsideMetric> metrics(RunId id) {
        return transactions.run("read the metrics of run " + id, books -> {
            new Turn(books, settings, Actor.loop("reader")).findRun(id);
            return books.metrics(id);
        });
    }

    List<OutsideEvent> events(RunId id, int most) {
        return transactions.run("read the events of run " + id, books -> {
            new Turn(books, settings, Actor.loop("reader")).findRun(id);
            return books.events(id, most);
        });
    }

    Summary summary() {
        return transactions.run("read the state of all runs", books -> {
            Instant now = books.now();
            Map<String, Long> dispatches = books.dispatchCounts();
            return new Summary(
                    now,
                    books.activeCounts(),
                    books.endedSince(now.minus(RECENT)),
                    dispatches,
                    runs.cleanable(books, null, settings.retention().most()).size(),
                    alerts(books, now));
        });
    }

    private List<Alert> alerts(OutsideBooks books, Instant now) {
        List<Alert> alerts = new ArrayList<>();
        for (RunId id : books.activeRuns(ALERTS_MAX)) {
            books.findRun(id).ifPresent(run -> look(run, now, alerts));
        }
        for (OutsideDispatch dead : books.deadDispatches(ALERTS_MAX)) {
            String text =
                    dead.kind() + " was tried " + dead.attempts() + " times: " + dead.lastError();
            OutsideRun run = books.findRun(dead.runId()).orElse(null);
            alerts.add(new Alert("DISPATCH_DEAD", "ERROR", run, dead, dead.createdAt(), text));
        }
        for (OutsideRun run : books.failedSince(now.minus(RECENT), ALERTS_MAX)) {
            Instant ended = run.endedAt() == null ? now : run.endedAt();
            alerts.add(new Alert("RUN_FAILED", "ERROR", run, null, ended, text(run)));
        }
        for (OutsideEvent event : books.failedCleanups(now.minus(RECENT))) {
            OutsideRun run = books.findRun(event.runId()).orElse(null);
            alerts.add(new Alert("CLEANUP_FAILED", "WARN", run, null, event.at(), event.message()));
        }
        alerts.sort(Comparator.comparing(Alert::level)
                .thenComparing(Alert::since, Comparator.reverseOrder()));
        return List.copyOf(alerts);
    }

    private void look(OutsideRun run, Instant now, List<Alert> alerts) {
        if (run.state() == RunState.PUBLISH_UNKNOWN) {
            alerts.add(
                    new Alert("PUBLISH_UNKNOWN", "ERROR", run, null, run.heartbeatAt(), text(run)));
            return;
        }
        boolean reading = run.state() == RunState.CREATED || run.state() == RunState.EXTRACTING;
        Duration silence = reading ? settings.stale() : settings.validationStale();
        boolean publishing = run.state() == RunState.PUBLISHING;
        if (!publishing && !now.isBefore(run.heartbeatAt().plus(silence))) {
            String text = "no sign since " + run.heartbeatAt();
            alerts.add(new Alert("RUN_STALE", "WARN", run, null, run.heartbeatAt(), text));
        }
    }

    private static String text(OutsideRun run) {
        return run.failure() == null
                ? run.state().name()
                : run.failure().code() + " " + run.failure().message();
    }
}
