package io.weir.app.console;

import io.weir.core.certificate.Certificate;
import io.weir.core.json.Json;
import io.weir.core.ledger.RunDetail;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.run.Bound;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Event;
import io.weir.core.run.KeyRange;
import io.weir.core.run.Partition;
import io.weir.core.run.Run;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** One run as {@code weir show} prints it. */
public final class RunText {
    private RunText() {}

    public static String of(RunDetail detail, List<Event> events) {
        Run run = detail.run();
        StringBuilder text = new StringBuilder();
        text.append("RUN ").append(run.id()).append('\n');
        text.append("  job       ").append(run.job()).append(", ").append(run.businessKey());
        text.append("\n  state     ").append(run.state());
        if (run.failure() != null) {
            text.append("\n  failure   ").append(run.failure().code()).append(": ");
            text.append(run.failure().message());
        }
        text.append("\n  from      ").append(run.source()).append(' ').append(run.sourceTable());
        text.append("\n  into      ").append(run.target()).append(", ");
        text.append(Certificate.word(run.publishMode()));
        text.append("\n  files     ").append(run.dataPath()).append("\n\n");
        text.append(partitions(detail)).append('\n');
        if (!detail.dispatches().isEmpty()) {
            text.append(dispatches(detail)).append('\n');
        }
        if (!detail.attempts().isEmpty()) {
            text.append(attempts(detail)).append('\n');
        }
        text.append(events(events)).append('\n');
        text.append("weir certificate ").append(run.id()).append(" shows what it proves.\n");
        return text.toString();
    }

    private static TextTable partitions(RunDetail detail) {
        TextTable table = new TextTable(
                List.of("PARTITION", "RANGE", "STATE", "EPOCH", "CHUNKS", "ROWS", "BYTES"));
        for (Partition partition : detail.partitions()) {
            table.add(List.of(
                    partition.id().value(),
                    range(partition.range()),
                    partition.state().name(),
                    Long.toString(partition.epoch()),
                    Integer.toString(partition.chunkCount()),
                    Texts.count(partition.balance().rows()),
                    Texts.bytes(partition.bytes())));
        }
        return table;
    }

    private static String range(KeyRange range) {
        if (range.isNull()) {
            return "is null";
        }
        Bound kind = range.lower() == null ? range.upper() : range.lower();
        String name = kind == null ? "" : kind.kind() + " ";
        return name + "[" + text(range.lower()) + ", " + text(range.upper()) + ")";
    }

    private static String text(@Nullable Bound bound) {
        return bound == null ? "…" : bound.text();
    }

    private static TextTable dispatches(RunDetail detail) {
        TextTable table = new TextTable(List.of("DISPATCH", "KIND", "STATE", "ACKNOWLEDGED"));
        for (Dispatch dispatch : detail.dispatches()) {
            table.add(List.of(
                    dispatch.id().toString(),
                    dispatch.kind().name(),
                    dispatch.state().name(),
                    Texts.second(dispatch.acknowledgedAt())));
        }
        return table;
    }

    private static TextTable attempts(RunDetail detail) {
        TextTable table =
                new TextTable(List.of("PUBLISH EPOCH", "STATE", "BASE", "STAGED", "EVIDENCE"));
        for (PublishAttempt attempt : detail.attempts()) {
            table.add(List.of(
                    Long.toString(attempt.epoch()),
                    attempt.state().name(),
                    Long.toString(attempt.baseSnapshotId()),
                    String.valueOf(attempt.stagedSnapshotId()),
                    attempt.evidence() == null ? "-" : attempt.evidence()));
        }
        return table;
    }

    private static TextTable events(List<Event> events) {
        TextTable table = new TextTable(List.of("AT", "EVENT", "PARTITION", "DETAILS"));
        for (Event event : events) {
            table.add(List.of(
                    Texts.second(event.at()),
                    event.name(),
                    event.partitionId() == null ? "-" : event.partitionId().value(),
                    Json.line(event.details())));
        }
        return table;
    }
}
