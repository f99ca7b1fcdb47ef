package io.weir.ledger.database;

import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.row.Balance;
import io.weir.core.run.RunId;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaCut;
import io.weir.ledger.replica.ReplicaEvent;
import io.weir.ledger.replica.ReplicaState;
import io.weir.ledger.replica.ReplicaWindow;
import io.weir.ledger.replica.Replication;
import io.weir.ledger.replica.ReplicationState;
import io.weir.ledger.replica.Stop;
import io.weir.ledger.replica.TakenFile;
import io.weir.ledger.replica.WindowFigures;
import io.weir.ledger.sql.Columns;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.UUID;

/** Rows of the tables of replication, read and as columns. */
final class PostgresReplicaRows {
    private PostgresReplicaRows() {}

    static Replication replication(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new Replication(
                fields.text("job"),
                fields.number("version"),
                fields.text("source"),
                fields.text("slot"),
                fields.constant("state", ReplicationState.class),
                fields.number("epoch"),
                fields.uuidOrNull("token"),
                fields.textOrNull("owner"),
                fields.instantOrNull("lease_until"),
                place(fields, "begun"),
                place(fields, "captured"),
                stop(fields));
    }

    static Columns columns(Replication row) {
        Columns columns = new Columns()
                .set("job", row.job())
                .set("version", row.version())
                .set("source", row.source())
                .set("slot", row.slot())
                .set("state", row.state().name())
                .set("epoch", row.epoch())
                .set("token", row.token())
                .set("owner", row.owner())
                .set("lease_until", row.leaseUntil());
        place(columns, "begun", row.begun());
        place(columns, "captured", row.captured());
        return stop(columns, row.stop());
    }

    /** Only a stop of one table is about a row. */
    private static @Nullable Stop stopWithFacts(Fields fields) throws SQLException {
        Stop stop = stop(fields);
        return stop == null
                ? null
                : new Stop(
                        stop.code(),
                        stop.message(),
                        stop.command(),
                        fields.textOrNull("stop_key"),
                        fields.textOrNull("stop_expected"),
                        fields.textOrNull("stop_found"));
    }

    private static @Nullable Stop stop(Fields fields) throws SQLException {
        String code = fields.textOrNull("stop_code");
        return code == null
                ? null
                : new Stop(code, fields.text("stop_message"), fields.text("stop_command"));
    }

    private static Columns stop(Columns columns, @Nullable Stop stop) {
        return columns.set("stop_code", stop == null ? null : stop.code())
                .set("stop_message", stop == null ? null : stop.message())
                .set("stop_command", stop == null ? null : stop.command());
    }

    static Replica replica(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        UUID run = fields.uuidOrNull("load_run");
        return new Replica(
                fields.text("job"),
                fields.text("source_table"),
                fields.text("target"),
                fields.number("version"),
                fields.constant("state", ReplicaState.class),
                fields.count("generation"),
                run == null ? null : new RunId(run),
                place(fields, "loaded"),
                place(fields, "verified"),
                fields.count("failures"),
                fields.instantOrNull("next_attempt_at"),
                fields.textOrNull("failure"),
                place(fields, "ends"),
                stopWithFacts(fields));
    }

    static Columns columns(Replica row) {
        RunId run = row.loadRun();
        Columns columns = new Columns()
                .set("job", row.job())
                .set("source_table", row.table())
                .set("target", row.target())
                .set("version", row.version())
                .set("state", row.state().name())
                .set("generation", row.generation())
                .set("load_run", run == null ? null : run.value());
        place(columns, "loaded", row.loaded());
        place(columns, "verified", row.verified());
        columns.set("failures", row.failures())
                .set("next_attempt_at", row.nextAttemptAt())
                .set("failure", row.failure());
        place(columns, "ends", row.ends());
        Stop stop = row.stop();
        return stop(columns, stop)
                .set("stop_key", stop == null ? null : stop.key())
                .set("stop_expected", stop == null ? null : stop.expected())
                .set("stop_found", stop == null ? null : stop.found());
    }

    static TakenFile file(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new TakenFile(
                fields.text("path"),
                fields.number("bytes"),
                fields.instant("modified_at"),
                fields.text("checksum"),
                fields.number("rows"),
                fields.number("first_place"),
                fields.number("last_place"));
    }

    static Columns columns(TakenFile file) {
        return new Columns()
                .set("path", file.path())
                .set("bytes", file.bytes())
                .set("modified_at", file.modifiedAt())
                .set("checksum", file.checksum())
                .set("rows", file.rows())
                .set("first_place", file.first())
                .set("last_place", file.last());
    }

    static ReplicaWindow window(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new ReplicaWindow(
                new PublishAttempt(
                        fields.text("target"),
                        fields.number("epoch"),
                        new RunId(fields.uuid("run_id")),
                        fields.uuid("token"),
                        fields.constant("state", AttemptState.class),
                        fields.number("base_snapshot_id"),
                        fields.numberOrNull("staged_snapshot_id"),
                        fields.textOrNull("evidence")),
                fields.number("version"),
                fields.text("job"),
                fields.text("source_table"),
                fields.number("job_epoch"),
                Objects.requireNonNull(place(fields, "from")),
                Objects.requireNonNull(place(fields, "to")),
                figures(fields),
                fields.instant("opened_at"),
                fields.instantOrNull("ended_at"));
    }

    private static @Nullable WindowFigures figures(Fields fields) throws SQLException {
        Long events = fields.numberOrNull("events");
        return events == null
                ? null
                : new WindowFigures(
                        events,
                        fields.number("replays"),
                        fields.number("inserted"),
                        fields.number("updated"),
                        fields.number("deleted"),
                        fields.balance("opening_"),
                        fields.balance("removed_"),
                        fields.balance("appended_"),
                        fields.balance("closing_"),
                        fields.balanceOrNull("before_"),
                        fields.balanceOrNull("after_"),
                        fields.truth("all_keys"));
    }

    static Columns columns(ReplicaWindow row) {
        PublishAttempt attempt = row.attempt();
        Columns columns = new Columns()
                .set("target", attempt.target())
                .set("epoch", attempt.epoch())
                .set("run_id", attempt.runId().value())
                .set("token", attempt.token())
                .set("state", attempt.state().name())
                .set("version", row.version())
                .set("job", row.job())
                .set("source_table", row.table())
                .set("job_epoch", row.jobEpoch());
        place(columns, "from", row.from());
        place(columns, "to", row.to());
        columns.set("base_snapshot_id", attempt.baseSnapshotId())
                .set("staged_snapshot_id", attempt.stagedSnapshotId())
                .set("evidence", attempt.evidence())
                .set("opened_at", row.openedAt())
                .set("ended_at", row.endedAt());
        figures(columns, row.figures());
        return columns;
    }

    private static void figures(Columns columns, @Nullable WindowFigures figures) {
        columns.set("all_keys", figures == null ? null : (Boolean) figures.allKeys())
                .set("events", figures == null ? null : (Long) figures.events())
                .set("replays", figures == null ? null : (Long) figures.replays())
                .set("inserted", figures == null ? null : (Long) figures.inserted())
                .set("updated", figures == null ? null : (Long) figures.updated())
                .set("deleted", figures == null ? null : (Long) figures.deleted());
        balance(columns, "opening_", figures == null ? null : figures.opening());
        balance(columns, "removed_", figures == null ? null : figures.removed());
        balance(columns, "appended_", figures == null ? null : figures.appended());
        balance(columns, "closing_", figures == null ? null : figures.closing());
        balance(columns, "before_", figures == null ? null : figures.before());
        balance(columns, "after_", figures == null ? null : figures.after());
    }

    private static void balance(Columns columns, String prefix, @Nullable Balance balance) {
        columns.setBalance(prefix, balance);
    }

    static ReplicaCut cut(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new ReplicaCut(
                fields.text("job"),
                fields.number("number"),
                new LogPlace(fields.number("place"), fields.text("position")),
                fields.count("tables"),
                fields.texts("missing"),
                fields.instant("opened_at"),
                fields.instantOrNull("closed_at"));
    }

    static ReplicaEvent event(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new ReplicaEvent(
                fields.number("sequence"),
                fields.instant("at"),
                fields.text("job"),
                fields.textOrNull("source_table"),
                fields.text("name"),
                fields.textOrNull("operator"),
                fields.textOrNull("reason"),
                fields.text("details"));
    }

    private static @Nullable LogPlace place(Fields fields, String prefix) throws SQLException {
        Long place = fields.numberOrNull(prefix + "_place");
        return place == null ? null : new LogPlace(place, fields.text(prefix + "_position"));
    }

    private static void place(Columns columns, String prefix, @Nullable LogPlace place) {
        columns.set(prefix + "_place", place == null ? null : (Long) place.place())
                .set(prefix + "_position", place == null ? null : place.position());
    }
}
