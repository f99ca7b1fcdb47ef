package io.weir.ledger.outside;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Failure;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.sql.Columns;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One command in one transaction: every change of a row comes with its event, every change of a
 * state with an entry in the journal, and a run never waits for a step that nobody is asked for.
 */
final class Turn {
    private static final int ROWS_TOGETHER = 500;

    final OutsideBooks books;
    private final OutsideSettings settings;
    private final Actor actor;
    private @Nullable Instant time;

    Turn(OutsideBooks books, OutsideSettings settings, Actor actor) {
        this.books = books;
        this.settings = settings;
        this.actor = actor;
    }

    /** What an event says. */
    record Note(String level, String name, String message) {
        static Note info(String name) {
            return new Note("INFO", name, "");
        }

        static Note warn(String name, String message) {
            return new Note("WARN", name, message);
        }

        static Note error(String name, String message) {
            return new Note("ERROR", name, message);
        }
    }

    /** The time of the books after the first lock of this turn. */
    Instant now() {
        if (time == null) {
            time = books.now();
        }
        return Objects.requireNonNull(time);
    }

    OutsideRun findRun(RunId id) {
        return books.findRun(id).orElseThrow(() -> runNotFound(id));
    }

    OutsideRun lockRun(RunId id) {
        return books.lockRun(id).orElseThrow(() -> runNotFound(id));
    }

    OutsidePartition lockPartition(RunId runId, PartitionId id) {
        return books.lockPartition(runId, id)
                .orElseThrow(() -> new WeirException(
                        ErrorCode.PARTITION_NOT_FOUND,
                        "Cannot find partition " + id + " of run " + runId
                                + ": the run has no such partition"));
    }

    OutsideRun move(OutsideRun run, Columns changes, Note note) {
        return move(run, changes, note, null);
    }

    /**
     * Changes a locked run.
     *
     * @param reason of a person, for the journal
     */
    OutsideRun move(OutsideRun run, Columns changes, Note note, @Nullable String reason) {
        OutsideRun after = books.changeRun(run, changes);
        ObjectNode said = changes.document().put("version", after.version());
        record(run.id(), null, note, Json.object().set("run", said));
        if (after.state() != run.state()) {
            books.appendAudit(
                    "run/" + run.id(),
                    actor,
                    note.name(),
                    reason,
                    Json.line(Json.object()
                            .put("before", run.state().name())
                            .put("after", after.state().name())
                            .put("version", after.version())));
            follow(after);
        }
        return after;
    }

    OutsidePartition move(OutsidePartition partition, Columns changes, Note note) {
        OutsidePartition after = books.changePartition(partition, changes);
        record(
                partition.runId(),
                partition.id(),
                note,
                Json.object().set(name(after), said(after, changes)));
        return after;
    }

    private static String name(OutsidePartition partition) {
        return "partition/" + partition.id();
    }

    /** Reports change the figures without an event; what is said next has to say them too. */
    private static ObjectNode said(OutsidePartition after, Columns changes) {
        ObjectNode said = changes.document()
                .put("state", after.state().name())
                .put("version", after.version())
                .put("epoch", after.epoch())
                .put("worker", after.worker())
                .put("rows", after.rows())
                .put("bytes", after.bytes())
                .put("chunk_count", after.chunkCount());
        said.remove("lease_until");
        return said;
    }

    /** The event of a run that was opened: the whole row. */
    void opened(RunId runId, Columns row, Note note) {
        record(runId, null, note, Json.object().set("run", row.document()));
    }

    /** Events of partitions that came with a manifest: the whole rows, some in each. */
    void brought(RunId runId, List<Columns> rows) {
        Map<String, ObjectNode> said = new LinkedHashMap<>();
        rows.forEach(row -> {
            ObjectNode document = row.document();
            said.put("partition/" + document.path("id").asText(), document);
        });
        together(runId, Note.info("PARTITIONS_REGISTERED"), said);
    }

    /** No event gets so large that a list of some of them cannot be read. */
    private void together(RunId runId, Note note, Map<String, ObjectNode> rows) {
        ObjectNode details = Json.object();
        for (Map.Entry<String, ObjectNode> row : rows.entrySet()) {
            details.set(row.getKey(), row.getValue());
            if (details.size() == ROWS_TOGETHER) {
                record(runId, null, note, details);
                details = Json.object();
            }
        }
        if (!details.isEmpty()) {
            record(runId, null, note, details);
        }
    }

    /** An event without a change of a row. */
    void note(RunId runId, Note note, Map<String, Object> facts) {
        Columns columns = new Columns();
        facts.forEach(columns::set);
        record(runId, null, note, Json.object().set("facts", columns.document()));
    }

    private void record(RunId runId, @Nullable PartitionId partition, Note note, JsonNode details) {
        books.insertEvent(new Columns()
                .set("at", now())
                .set("run_id", runId.value())
                .set("partition_id", partition == null ? null : partition.value())
                .set("level", note.level())
                .set("name", note.name())
                .set("message", note.message())
                .set("details", details));
    }

    /** Ends a locked run; nothing of it stays open. */
    OutsideRun end(OutsideRun run, RunState state, @Nullable Failure failure, Note note) {
        return end(run, state, failure, note, null);
    }

    OutsideRun end(
            OutsideRun run,
            RunState state,
            @Nullable Failure failure,
            Note note,
            @Nullable String reason) {
        return move(run, ended(state, failure), note, reason);
    }

    Columns ended(RunState state, @Nullable Failure failure) {
        return new Columns()
                .set("state", state.name())
                .set("ended_at", now())
                .set("heartbeat_at", now())
                .setFailure(failure);
    }

    /** Takes back what the run waited for and asks for what it waits for now. */
    private void follow(OutsideRun run) {
        if (run.state().isTerminal()) {
            // Partitions before dispatches: claims lock them in this order too.
            closePartitions(run);
        }
        Optional<OutsideDispatch.Kind> needed = needed(run.state());
        for (OutsideDispatch open : books.lockUnsettledDispatches(run.id())) {
            boolean awaited = open.kind() == OutsideDispatch.Kind.REISSUE_PARTITION
                    && run.state() == RunState.EXTRACTING;
            if (!awaited && !needed.equals(Optional.of(open.kind()))) {
                settle(open, DispatchState.CANCELLED);
            }
        }
        needed.ifPresent(kind -> ask(run, kind, null));
    }

    private Optional<OutsideDispatch.Kind> needed(RunState state) {
        OutsideDispatch.Kind kind = switch (state) {
            case EXTRACTED_VALIDATED -> OutsideDispatch.Kind.VALIDATE_RUN;
            case STAGING_VALIDATED -> OutsideDispatch.Kind.PUBLISH_RUN;
            case PUBLISHED -> OutsideDispatch.Kind.CONFIRM_RUN;
            default -> null;
        };
        return Optional.ofNullable(kind).filter(settings.kinds()::contains);
    }

    /** Writes the row of the outbox that asks for a step. */
    void ask(OutsideRun run, OutsideDispatch.Kind kind, @Nullable PartitionId partition) {
        long cycle = books.dispatches(run.id()).stream()
                        .filter(dispatch -> dispatch.kind() == kind
                                && Objects.equals(dispatch.partitionId(), partition))
                        .count()
                + 1;
        books.insertDispatch(new Columns()
                .set("id", books.newId())
                .set("run_id", run.id().value())
                .set("kind", kind.name())
                .set("partition_id", partition == null ? null : partition.value())
                .set("cycle", (int) cycle)
                .set("state", DispatchState.PENDING.name())
                .set("attempts", 0)
                .set("created_at", now())
                .set("due_at", now()));
    }

    OutsideDispatch settle(OutsideDispatch dispatch, DispatchState state) {
        Columns changes = new Columns().set("state", state.name());
        if (state == DispatchState.ACKED) {
            changes.set("acknowledged_at", now());
        }
        return books.changeDispatch(dispatch, changes);
    }

    private void closePartitions(OutsideRun run) {
        Map<String, ObjectNode> closed = new LinkedHashMap<>();
        for (OutsidePartition partition : books.closePartitions(run.id(), now())) {
            closed.put(name(partition), said(partition, new Columns().set("ended_at", now())));
        }
        together(run.id(), Note.info("PARTITIONS_CLOSED"), closed);
    }

    static WeirException mismatch(OutsideRun run, String action, RunState needed) {
        return WeirException.of(
                ErrorCode.RUN_STATUS_MISMATCH,
                "Cannot " + action + " run " + run.id() + ": it is in another state (state="
                        + run.state() + ", needed=" + needed + ")",
                Map.of("runStatus", run.state().name()));
    }

    private static WeirException runNotFound(RunId id) {
        return new WeirException(
                ErrorCode.RUN_NOT_FOUND, "Cannot find run " + id + ": the ledger has no such run");
    }
}
