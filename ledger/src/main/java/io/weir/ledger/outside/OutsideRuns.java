package io.weir.ledger.outside;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.core.run.Failure;
import io.weir.core.run.Operator;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.outside.OutsideReplies.Changed;
import io.weir.ledger.outside.Turn.Note;
import io.weir.ledger.sql.Columns;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Beginning, ending and cleaning up after outside runs. */
final class OutsideRuns {
    private static final int RACES_MAX = 5;

    private final OutsideTransactions transactions;
    private final OutsideSettings settings;

    OutsideRuns(OutsideTransactions transactions, OutsideSettings settings) {
        this.transactions = transactions;
        this.settings = settings;
    }

    OutsideRun create(OutsideRequests.Create request, Actor actor) {
        checkRoot(request.root());
        String action = "create a run of job " + request.job();
        for (int race = 0; race < RACES_MAX; race++) {
            Optional<OutsideRun> run = transactions.run(
                    action, books -> create(new Turn(books, settings, actor), request, actor));
            if (run.isPresent()) {
                return run.get();
            }
        }
        throw new WeirException(
                ErrorCode.LEDGER_UNREACHABLE,
                "Cannot " + action + ": others create and end runs of the same key all the time"
                        + " (tries=" + RACES_MAX + ")");
    }

    /** Empty if another call was faster: look again. */
    private Optional<OutsideRun> create(Turn turn, OutsideRequests.Create request, Actor actor) {
        OutsideBooks books = turn.books;
        String fingerprint = fingerprint(request);
        String key = request.idempotencyKey();
        Optional<OutsideRun> same = key == null ? Optional.empty() : books.runOfKey(key);
        if (same.isPresent()) {
            if (same.get().fingerprint().equals(fingerprint)) {
                return same;
            }
            throw new WeirException(
                    ErrorCode.IDEMPOTENCY_KEY_REUSED,
                    "Cannot create a run of job " + request.job()
                            + ": the idempotency key belongs to another request (run="
                            + same.get().id() + ")");
        }
        Optional<OutsideRun> active = books.activeRun(request.job(), request.businessKey());
        if (active.isPresent()) {
            throw duplicate(request, active.get());
        }
        UUID id = books.newId();
        Columns row = row(request, fingerprint, id, turn.now());
        Optional<OutsideRun> created = books.insertRun(row);
        created.ifPresent(run -> {
            turn.opened(run.id(), row, Note.info("RUN_STARTED"));
            books.appendAudit(
                    "run/" + id,
                    actor,
                    "RUN_STARTED",
                    null,
                    Json.line(
                            Json.object().put("after", RunState.CREATED.name()).put("version", 0)));
        });
        return created;
    }

    private Columns row(OutsideRequests.Create request, String fingerprint, UUID id, Instant now) {
        return new Columns()
                .set("id", id)
                .set("job", request.job())
                .set("business_key", request.businessKey())
                .set("state", RunState.CREATED.name())
                .set("version", 0L)
                .set("idempotency_key", request.idempotencyKey())
                .set("fingerprint", fingerprint)
                .set("run_path", runPath(request, id))
                .set("stage_table", stageTable(request, id))
                .set("allow_empty", request.allowEmpty())
                .set("parameters", Json.parse(request.parameters()))
                .set("partition_count", 0)
                .set("succeeded_partitions", 0)
                .set("failed_partitions", 0)
                .set("extracted_rows", 0L)
                .set("created_at", now)
                .set("heartbeat_at", now)
                .set("deadline", now.plus(settings.runTimeout()));
    }

    private static String runPath(OutsideRequests.Create request, UUID id) {
        return OutsidePaths.withoutSlash(request.root()) + "/" + request.job() + "/run_id=" + id;
    }

    private static String stageTable(OutsideRequests.Create request, UUID id) {
        return (request.stageTablePrefix() + id.toString().replace("-", ""))
                .toLowerCase(Locale.ROOT);
    }

    private static void checkRoot(String root) {
        if (!OutsidePaths.isPlain(root)) {
            throw new WeirException(
                    ErrorCode.INVALID_HDFS_ROOT,
                    "Cannot create a run: its root is no plain absolute path (root=" + root + ")");
        }
    }

    private static String fingerprint(OutsideRequests.Create request) {
        return Digests.sha256(Json.line(Json.array()
                .add(request.job())
                .add(request.businessKey())
                .add(request.root())
                .add(request.stageTablePrefix())
                .add(request.allowEmpty())
                .add(request.parameters())));
    }

    private static WeirException duplicate(OutsideRequests.Create request, OutsideRun run) {
        return WeirException.of(
                ErrorCode.DUPLICATE_ACTIVE_RUN,
                "Cannot create a run of job " + request.job() + " for business key "
                        + request.businessKey() + ": run " + run.id()
                        + " is still active (state=" + run.state() + ")",
                Map.of(
                        "jobKey", request.job(),
                        "businessKey", request.businessKey(),
                        "runId", run.id().toString()));
    }

    Changed fail(RunId runId, OutsideRequests.Fail request, Actor actor) {
        if (!OutsideStates.mayFail(request.expected(), request.failState())) {
            throw WeirException.of(
                    ErrorCode.FAIL_TRANSITION_NOT_ALLOWED,
                    "Cannot end run " + runId + ": no run ends so (expected=" + request.expected()
                            + ", fail state=" + request.failState() + ")",
                    Map.of(
                            "expectedStatus", request.expected().name(),
                            "failStatus", request.failState().name()));
        }
        return transactions.run("end run " + runId, books -> {
            Turn turn = new Turn(books, settings, actor);
            OutsideRun run = turn.lockRun(runId);
            if (run.state() == request.failState()) {
                return new Changed(run.state(), false);
            }
            if (run.state() != request.expected()) {
                throw Turn.mismatch(run, "end", request.expected());
            }
            Failure failure = request.failure();
            OutsideRun after = turn.end(
                    run,
                    request.failState(),
                    failure,
                    Note.error("RUN_FAILED", failure.code() + " " + failure.message()));
            return new Changed(after.state(), true);
        });
    }

    Changed cancel(RunId runId, @Nullable RunState expected, Operator operator, Actor actor) {
        return transactions.run("cancel run " + runId, books -> {
            Turn turn = new Turn(books, settings, actor);
            OutsideRun run = turn.lockRun(runId);
            if (run.state() == RunState.CANCELLED) {
                return new Changed(run.state(), false);
            }
            boolean seen = expected == null || run.state() == expected;
            if (!seen || !run.state().isBeforePublishing()) {
                throw Turn.mismatch(run, "cancel", expected == null ? run.state() : expected);
            }
            String text = "cancelled by " + operator.name() + ": " + operator.reason();
            Failure failure = new Failure(run.state().name(), "CANCELLED", text);
            OutsideRun after = turn.end(
                    run,
                    RunState.CANCELLED,
                    failure,
                    Note.warn("RUN_CANCELLED", text),
                    operator.reason());
            return new Changed(after.state(), true);
        });
    }

    List<OutsideRun> cleanable(@Nullable String job, int limit) {
        return transactions.run(
                "list runs to clean up after", books -> cleanable(books, job, limit));
    }

    List<OutsideRun> cleanable(OutsideBooks books, @Nullable String job, int limit) {
        Instant now = books.now();
        return books.cleanable(
                job,
                now.minus(settings.retention().succeeded()),
                now.minus(settings.retention().failed()),
                Math.min(limit, settings.retention().most()));
    }

    Changed cleaned(
            RunId runId, @Nullable String droppedTable, @Nullable String deletedPath, Actor actor) {
        return transactions.run("record that run " + runId + " was cleaned up after", books -> {
            Turn turn = new Turn(books, settings, actor);
            OutsideRun run = turn.lockRun(runId);
            if (run.cleanedAt() != null) {
                return new Changed(run.state(), false);
            }
            Instant ended = run.endedAt();
            boolean good = run.state() == RunState.SUCCESS;
            boolean due = ended != null
                    && ended.plus(
                                    good
                                            ? settings.retention().succeeded()
                                            : settings.retention().failed())
                            .isBefore(turn.now());
            if (!due) {
                throw WeirException.of(
                        ErrorCode.CLEANUP_NOT_DUE,
                        "Cannot record that run " + runId + " was cleaned up after: it is not due"
                                + " (state=" + run.state() + ", ended=" + ended + ")",
                        Map.of("runStatus", run.state().name()));
            }
            String what = "dropped " + droppedTable + ", deleted " + deletedPath;
            Columns changes = new Columns().set("cleaned_at", turn.now());
            turn.move(run, changes, new Note("INFO", "RUN_CLEANED", what));
            return new Changed(run.state(), true);
        });
    }

    /** An event that the flow itself tells; it changes no row. */
    void tell(RunId runId, String level, String name, String message, JsonNode details) {
        transactions.run("record an event of run " + runId, books -> {
            Turn turn = new Turn(books, settings, Actor.loop("flow"));
            OutsideRun run = turn.findRun(runId);
            turn.note(run.id(), new Note(level, name, message), Map.of("flow", details));
            return run;
        });
    }
}
