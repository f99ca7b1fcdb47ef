package io.weir.app.console;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.flow.replicate.OutsideCheck;
import io.weir.flow.replicate.OutsideTable;
import io.weir.flow.replicate.ReplicateCheck;
import io.weir.flow.replicate.ReplicateJob;
import io.weir.flow.replicate.ReplicateTable;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaCut;
import io.weir.ledger.replica.ReplicaWindow;
import io.weir.ledger.replica.Stop;
import io.weir.ledger.replica.WindowFigures;
import io.weir.source.Refusal;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Replicated tables, windows and cuts for people and for programs. */
public final class ReplicaText {
    private ReplicaText() {}

    /** Where each table is, and what keeps it. */
    public static String of(List<Replica> replicas) {
        TextTable table =
                new TextTable(List.of("table", "state", "verified", "failures", "why, what to do"));
        for (Replica replica : replicas) {
            table.add(List.of(
                    replica.target(),
                    replica.state().name(),
                    position(replica.verified()),
                    Integer.toString(replica.failures()),
                    why(replica)));
        }
        return table.toString();
    }

    private static String why(Replica replica) {
        Stop stop = replica.stop();
        if (stop != null) {
            return stop.command() + " (" + stop.code() + ")";
        }
        String failure = replica.failure();
        return failure == null ? "" : failure;
    }

    private static String position(@Nullable LogPlace place) {
        return place == null ? "-" : place.position();
    }

    /** A stop with everything that was found. */
    public static String stop(Replica replica, Stop stop) {
        return replica.target() + ": STOPPED at " + position(replica.verified()) + ", nothing of"
                + " the window is published\n  " + stop.code() + ": " + stop.message()
                + "\n  Run: " + stop.command() + "\n";
    }

    /** One line for each window, with the balances of its table before and after. */
    public static String windows(List<ReplicaWindow> windows) {
        TextTable table = new TextTable(List.of(
                "table",
                "to",
                "state",
                "changes",
                "in",
                "out",
                "opening",
                "closing",
                "took",
                "snapshot"));
        for (ReplicaWindow window : windows) {
            WindowFigures figures = window.figures();
            Long snapshot = window.attempt().stagedSnapshotId();
            List<String> cells = new ArrayList<>(List.of(
                    window.attempt().target(),
                    window.to().position(),
                    window.attempt().state().name()));
            cells.addAll(
                    figures == null
                            ? List.of("-", "-", "-", "-", "-")
                            : List.of(
                                    Texts.count(figures.events()),
                                    Texts.count(figures.appended().rows()),
                                    Texts.count(figures.removed().rows()),
                                    figures.opening().toString(),
                                    figures.closing().toString()));
            cells.add(took(window));
            cells.add(snapshot == null ? "-" : snapshot.toString());
            table.add(cells);
        }
        return table.toString();
    }

    private static String took(ReplicaWindow window) {
        Instant opened = window.openedAt();
        Instant ended = window.endedAt();
        return opened == null || ended == null
                ? "-"
                : Texts.duration(Duration.between(opened, ended));
    }

    /** What a window proves. */
    public static String of(ReplicaWindow window) {
        WindowFigures figures = window.figures();
        StringBuilder text = new StringBuilder(window.attempt().target() + ": window "
                + window.from().position() + " to " + window.to().position());
        if (figures != null) {
            text.append(", ")
                    .append(Texts.count(figures.events()))
                    .append(" changes (")
                    .append(Texts.count(figures.replays()))
                    .append(" replays), rows +")
                    .append(Texts.count(figures.inserted()))
                    .append(" ~")
                    .append(Texts.count(figures.updated()))
                    .append(" -")
                    .append(Texts.count(figures.deleted()))
                    .append("\n  balance ")
                    .append(figures.opening())
                    .append(" - ")
                    .append(figures.removed())
                    .append(" + ")
                    .append(figures.appended())
                    .append("\n        = ")
                    .append(figures.closing());
        }
        return text.append("\n  published as snapshot ")
                .append(window.attempt().stagedSnapshotId())
                .append(" (epoch ")
                .append(window.attempt().epoch())
                .append(", window ")
                .append(window.attempt().runId())
                .append(")\n")
                .toString();
    }

    /** What speaks against a job, each with what mends it. */
    public static String of(ReplicateCheck check) {
        ReplicateJob job = check.job();
        StringBuilder text = new StringBuilder("job " + job.name() + "\n  source       "
                + job.source() + ", publication " + job.publication() + ", slot " + job.slot()
                + "\n");
        for (ReplicateTable table : job.tables()) {
            text.append("  ")
                    .append(table.spec().table())
                    .append(" is kept in ")
                    .append(table.target())
                    .append('\n');
        }
        return refused(text, check.refusals());
    }

    private static String refused(StringBuilder text, List<Refusal> refusals) {
        for (Refusal refusal : refusals) {
            text.append("  ")
                    .append(refusal.message())
                    .append("\n    ")
                    .append(refusal.hint())
                    .append('\n');
        }
        return text.append('\n').toString();
    }

    /** The same of a job with outside logs. */
    public static String of(OutsideCheck check) {
        StringBuilder text = new StringBuilder("job " + check.job().name() + "\n");
        for (OutsideTable table : check.job().tables()) {
            Integer files = check.files().get(table.name());
            text.append("  ")
                    .append(table.name())
                    .append(" is kept in ")
                    .append(table.target())
                    .append(" from ")
                    .append(table.log().directory())
                    .append(files == null ? "" : " (" + Texts.count(files) + " files)")
                    .append('\n');
        }
        return refused(text, check.refusals());
    }

    public static ObjectNode json(OutsideCheck check) {
        ObjectNode json = json(check.job().name(), check.refusals());
        ObjectNode files = json.putObject("files");
        check.files().forEach(files::put);
        return json;
    }

    public static ObjectNode json(ReplicateCheck check) {
        return json(check.job().name(), check.refusals());
    }

    private static ObjectNode json(String job, List<Refusal> all) {
        ObjectNode json = Json.object().put("job", job);
        var refusals = json.putArray("refusals");
        for (Refusal refusal : all) {
            refusals.addObject()
                    .put("code", refusal.code().name())
                    .put("message", refusal.message())
                    .put("hint", refusal.hint());
        }
        return json;
    }

    public static ObjectNode json(Replica replica) {
        ObjectNode json = Json.object()
                .put("job", replica.job())
                .put("table", replica.table())
                .put("target", replica.target())
                .put("state", replica.state().name())
                .put("verified", position(replica.verified()))
                .put("failures", replica.failures())
                .put("failure", replica.failure());
        Stop stop = replica.stop();
        if (stop != null) {
            json.putObject("stop")
                    .put("code", stop.code())
                    .put("message", stop.message())
                    .put("command", stop.command())
                    .put("key", stop.key())
                    .put("expected", stop.expected())
                    .put("found", stop.found());
        }
        return json;
    }

    public static ObjectNode json(ReplicaWindow window) {
        ObjectNode json = Json.object()
                .put("window", window.attempt().runId().toString())
                .put("job", window.job())
                .put("table", window.table())
                .put("target", window.attempt().target())
                .put("epoch", window.attempt().epoch())
                .put("state", window.attempt().state().name())
                .put("from", window.from().position())
                .put("to", window.to().position())
                .put("snapshot_id", window.attempt().stagedSnapshotId())
                .put("evidence", window.attempt().evidence())
                .put("opened_at", text(window.openedAt()))
                .put("ended_at", text(window.endedAt()));
        WindowFigures figures = window.figures();
        if (figures != null) {
            json.put("rows_in", figures.appended().rows())
                    .put("rows_out", figures.removed().rows())
                    .put("events", figures.events())
                    .put("replays", figures.replays())
                    .put("inserted", figures.inserted())
                    .put("updated", figures.updated())
                    .put("deleted", figures.deleted())
                    .putObject("balances")
                    .put("opening", figures.opening().toString())
                    .put("removed", figures.removed().toString())
                    .put("appended", figures.appended().toString())
                    .put("closing", figures.closing().toString());
        }
        return json;
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }

    public static ObjectNode json(ReplicaCut cut) {
        ObjectNode json = Json.object()
                .put("cut", cut.number())
                .put("job", cut.job())
                .put("position", cut.at().position())
                .put("tables", cut.tables());
        cut.missing().forEach(json.putArray("missing")::add);
        return json;
    }
}
