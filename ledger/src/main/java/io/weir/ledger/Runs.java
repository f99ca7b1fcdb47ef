package io.weir.ledger;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.core.ledger.CreateRun;
import io.weir.core.ledger.ReadOptions;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.RunFilter;
import io.weir.core.row.Balance;
import io.weir.core.run.Event;
import io.weir.core.run.Failure;
import io.weir.core.run.Operator;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.books.Books;
import io.weir.ledger.books.Transactions;
import io.weir.ledger.chunk.ChunkRow;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.publish.AttemptRow;
import io.weir.ledger.run.RunCommand;
import io.weir.ledger.run.RunRow;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Beginning, living, ending and reading of runs. */
final class Runs {
    private static final int RACES_MAX = 5;

    private final Transactions transactions;
    private final LedgerSettings settings;

    Runs(Transactions transactions, LedgerSettings settings) {
        this.transactions = transactions;
        this.settings = settings;
    }

    Run create(CreateRun request) {
        String action = "create a run of job " + request.job();
        for (int race = 0; race < RACES_MAX; race++) {
            Creation creation = transactions.run(action, books -> create(books, request));
            if (creation.refusal() != null) {
                // Thrown only now: what closed the older run is committed.
                throw creation.refusal();
            }
            if (creation.run() != null) {
                return creation.run();
            }
        }
        throw new WeirException(
                ErrorCode.LEDGER_UNREACHABLE,
                "Cannot " + action + ": others create and end runs of the same key all the time"
                        + " (tries=" + RACES_MAX + ")");
    }

    /** Neither a run nor a refusal: another call was faster, look again. */
    private record Creation(@Nullable Run run, @Nullable WeirException refusal) {}

    private Creation create(Books books, CreateRun request) {
        String fingerprint = fingerprint(request);
        Optional<RunRow> same = books.runs().byIdempotencyKey(request.idempotencyKey());
        if (same.isPresent()) {
            return same.get().fingerprint().equals(fingerprint)
                    ? new Creation(same.get().run(), null)
                    : new Creation(null, keyReused(request, same.get().run()));
        }
        Optional<RunRow> active =
                books.runs().lockActive(request.job(), request.businessKey(), request.target());
        if (active.isPresent()) {
            if (active.get().idempotencyKey().equals(request.idempotencyKey())) {
                // The same request, sent twice at once: the other one came between the two looks.
                return new Creation(null, null);
            }
            Run blocking = closeIfAbandoned(books, active.get());
            if (blocking.state().isActive()) {
                boolean unsettled = isUnsettled(blocking, books.now());
                return new Creation(
                        null,
                        unsettled ? unsettled(request, blocking) : duplicate(request, blocking));
            }
        }
        RunRow row = row(request, fingerprint, new RunId(books.newId()), books.now());
        Optional<RowChange> inserted = books.runs().insert(row);
        if (inserted.isEmpty()) {
            return new Creation(null, null);
        }
        books.record(
                row.run().createdAt(),
                row.run().id(),
                null,
                "RUN_CREATED",
                List.of(inserted.get()));
        return new Creation(row.run(), null);
    }

    /** The older run after a look at its lease. */
    private Run closeIfAbandoned(Books books, RunRow active) {
        return Leases.expire(books, active, settings.cyclesMax(), books.now())
                .map(RunRow::run)
                .orElse(active.run());
    }

    Run fail(RunId runId, RunState expected, RunState failState, Failure failure) {
        return transactions.run("end run " + runId, books -> {
            RunRow row = books.lockRun(runId);
            RunCommand command = new RunCommand.Fail(expected, failState, failure);
            return books.apply(row, command, books.now()).run();
        });
    }

    Run cancel(RunId runId, RunState expected, Operator operator) {
        return transactions.run("cancel run " + runId, books -> {
            RunRow row = books.lockRun(runId);
            Instant now = books.now();
            Failure failure = new Failure(
                    row.run().state().name(),
                    "CANCELLED",
                    "cancelled by " + operator.name() + ": " + operator.reason());
            RunCommand command = new RunCommand.Fail(expected, RunState.CANCELLED, failure);
            return books.apply(row, command, now, next -> List.of(Outboxes.by(operator)))
                    .run();
        });
    }

    List<Run> cleanable(Duration succeeded, Duration failed, int most) {
        return transactions.read("list runs to clean up after", books -> {
            Instant now = books.now();
            return books.runs().cleanable(now.minus(succeeded), now.minus(failed), most).stream()
                    .map(RunRow::run)
                    .toList();
        });
    }

    Run cleaned(RunId runId) {
        return transactions.run("record that run " + runId + " was cleaned up after", books -> {
            RunRow row = books.lockRun(runId);
            return books.apply(row, new RunCommand.Clean(), books.now()).run();
        });
    }

    RunDetail detail(RunId runId) {
        return transactions.read("read run " + runId, books -> {
            RunRow row = books.findRun(runId);
            return new RunDetail(
                    row.run(),
                    row.columns(),
                    row.reading(),
                    books.partitions().ofRun(runId),
                    books.chunks().counted(runId).stream().map(ChunkRow::chunk).toList(),
                    books.metrics().ofRun(runId),
                    books.dispatches().ofRun(runId),
                    books.attempts().ofRun(runId).stream()
                            .map(AttemptRow::attempt)
                            .toList(),
                    books.holders().ofRun(runId),
                    books.cutOf(row.run()),
                    books.now());
        });
    }

    List<Run> list(RunFilter filter) {
        return transactions.read(
                "list runs",
                books -> books.runs().newest(filter).stream().map(RunRow::run).toList());
    }

    List<Event> events(RunId runId) {
        return transactions.read("read the events of run " + runId, books -> {
            books.findRun(runId);
            return books.events().ofRun(runId);
        });
    }

    private static RunRow row(CreateRun request, String fingerprint, RunId id, Instant now) {
        Run run = new Run(
                id,
                request.job(),
                request.businessKey(),
                RunState.CREATED,
                0,
                request.source(),
                request.sourceTable(),
                request.target(),
                request.publishMode(),
                List.of(),
                withoutSlash(request.dataRoot()) + "/run=" + id,
                null,
                null,
                null,
                null,
                0,
                0,
                Balance.ZERO,
                null,
                null,
                List.of(),
                null,
                now,
                null,
                null,
                null,
                request.recovery(),
                request.cut(),
                null,
                null,
                null,
                now.plus(request.lease()),
                now.plus(request.timeout()));
        return new RunRow(
                run,
                request.idempotencyKey(),
                fingerprint,
                request.allowEmpty(),
                request.lease(),
                List.of(),
                ReadOptions.NONE,
                null);
    }

    private static String withoutSlash(String path) {
        int end = path.length();
        while (end > 0 && path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(0, end);
    }

    private static String fingerprint(CreateRun request) {
        var array = Json.array();
        request.fingerprint().forEach(part -> array.add(part.toString()));
        return Json.line(array);
    }

    private static WeirException keyReused(CreateRun request, Run run) {
        return new WeirException(
                ErrorCode.IDEMPOTENCY_KEY_REUSED,
                "Cannot create a run of job " + request.job() + " for business key "
                        + request.businessKey()
                        + ": the idempotency key belongs to another request (key="
                        + request.idempotencyKey() + ", run=" + run.id() + ", job=" + run.job()
                        + ", business key=" + run.businessKey() + ")");
    }

    private static WeirException duplicate(CreateRun request, Run run) {
        String message = "Cannot create a run of job " + request.job() + " for business key "
                + request.businessKey() + ": run " + run.id() + " is still active (state="
                + run.state() + ", lease until=" + run.leaseUntil() + ")";
        String hint = "Wait until run " + run.id() + " ends or its lease is over; weir show "
                + run.id() + " tells what it does.";
        return new WeirException(ErrorCode.DUPLICATE_ACTIVE_RUN, message, hint, null);
    }

    /** Left by its coordinator so far on the way that others finish it. */
    private static boolean isUnsettled(Run run, Instant now) {
        boolean abandoned = !now.isBefore(run.leaseUntil());
        return run.state() == RunState.PUBLISH_UNKNOWN
                || (abandoned && run.owner() == null && run.state() != RunState.EXTRACTING);
    }

    private static WeirException unsettled(CreateRun request, Run run) {
        return new WeirException(
                ErrorCode.RUN_UNSETTLED,
                "Cannot create a run of job " + request.job() + " for business key "
                        + request.businessKey() + ": run " + run.id()
                        + " was left unfinished (state=" + run.state() + ")");
    }
}
