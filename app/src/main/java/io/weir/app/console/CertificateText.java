package io.weir.app.console;

import io.weir.core.certificate.Certificate;
import io.weir.core.metric.Metric;
import io.weir.core.metric.Stage;
import io.weir.core.metric.Verdict;
import io.weir.core.row.Balance;
import io.weir.core.run.Chunk;
import io.weir.core.run.Loss;
import io.weir.core.run.Run;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** A certificate for people; the JSON form holds the same facts. */
public final class CertificateText {
    private final StringBuilder text = new StringBuilder();
    private final Certificate certificate;
    private final Run run;

    private CertificateText(Certificate certificate) {
        this.certificate = certificate;
        this.run = certificate.detail().run();
    }

    public static String of(Certificate certificate) {
        CertificateText text = new CertificateText(certificate);
        text.head();
        text.read();
        text.chunks();
        text.metrics();
        text.end();
        return text.text.toString();
    }

    private void head() {
        line("CERTIFICATE " + run.id());
        fact("job", run.job() + ", business key " + run.businessKey());
        fact("state", run.state() + ": " + meaning());
        if (run.failure() != null) {
            fact("failure", run.failure().code() + ": " + run.failure().message());
        }
    }

    private String meaning() {
        return switch (certificate.conclusion()) {
            case VERIFIED -> "what was read is what is published";
            case NOT_PUBLISHED -> "nothing of this run was published";
            case PUBLISHED_UNVERIFIED -> "published, but the read-back did not confirm it";
            case UNKNOWN -> "the publish reply is missing; weir load settles it";
            case UNFINISHED -> "the run goes on";
        };
    }

    private void read() {
        String snapshot = run.snapshot() == null
                ? "none"
                : run.snapshot().kind() + " " + run.snapshot().text();
        String position = run.position() == null ? "" : " at " + run.position();
        String consistency =
                run.consistency() == null ? "" : ", " + run.consistency().label();
        fact("source", run.source() + " " + run.sourceTable());
        fact("snapshot", snapshot + position + consistency);
        fact("rows", run.sourceCount() == null ? "-" : Texts.count(run.sourceCount()));
        fact("target", run.target() + ", " + Certificate.word(run.publishMode()));
        if (!run.keyColumns().isEmpty()) {
            fact("key", String.join(", ", run.keyColumns()));
        }
        if (run.cut() != null) {
            for (Run table : certificate.detail().cut()) {
                String published = table.publishedSnapshotId() == null
                        ? "not published"
                        : "snapshot " + table.publishedSnapshotId();
                fact("cut", table.target() + " " + table.state() + ", " + published);
            }
        }
        for (Loss loss : run.losses()) {
            fact("policy", loss.column() + ": " + Texts.count(loss.values()) + " values changed");
        }
    }

    private void chunks() {
        if (certificate.detail().chunks().isEmpty()) {
            return;
        }
        TextTable table = new TextTable(
                List.of("partition", "chunk", "rows", "bytes", "digest sum", "staged"), "  ");
        for (Chunk chunk : certificate.detail().chunks()) {
            Balance measured = chunk.measured();
            boolean equal = chunk.balance().equals(measured);
            table.add(List.of(
                    chunk.partitionId().value(),
                    Integer.toString(chunk.index()),
                    Texts.count(chunk.balance().rows()),
                    Texts.count(chunk.bytes()),
                    chunk.balance().digestText(),
                    staged(chunk, measured, equal)));
        }
        line("chunks");
        text.append(table);
    }

    private static String staged(Chunk chunk, @Nullable Balance measured, boolean equal) {
        if (chunk.path() == null) {
            return "no file";
        }
        if (measured == null) {
            return "not measured";
        }
        return equal ? "equal" : "DIFFERS " + measured.digestText();
    }

    /** One line for each metric: what the source says, what was staged, what is published. */
    private void metrics() {
        Map<String, Map<Stage, Metric>> lines = new LinkedHashMap<>();
        for (Metric metric : certificate.judged()) {
            String subject = metric.subject().equals(Metric.RUN) ? "" : metric.subject() + " ";
            lines.computeIfAbsent(subject + metric.name(), name -> new EnumMap<>(Stage.class))
                    .put(metric.stage(), metric);
        }
        if (lines.isEmpty()) {
            return;
        }
        TextTable table = new TextTable(
                List.of("metric", "expected", "staged", "published", "verdict"), "  ");
        lines.forEach((name, stages) -> {
            Metric any = stages.values().iterator().next();
            boolean failed = stages.values().stream().anyMatch(m -> m.verdict() == Verdict.FAIL);
            table.add(List.of(
                    name,
                    String.valueOf(any.expected()),
                    found(any, stages.get(Stage.STAGING)),
                    found(any, stages.get(Stage.TARGET)),
                    failed ? "FAIL" : "PASS"));
        });
        line("metrics");
        text.append(table);
    }

    private static String found(Metric expectation, @Nullable Metric metric) {
        if (metric == null) {
            return "-";
        }
        return Objects.equals(expectation.expected(), metric.actual())
                ? "equal"
                : String.valueOf(metric.actual());
    }

    private void end() {
        fact("read", run.extracted().toString());
        certificate.measuredBalance(Stage.STAGING).ifPresent(value -> fact("staged", value));
        certificate.measuredBalance(Stage.TARGET).ifPresent(value -> fact("published", value));
        fact(
                "snapshot id",
                run.publishedSnapshotId() == null
                        ? "none"
                        : Long.toString(run.publishedSnapshotId()));
        String took = run.endedAt() == null
                ? ""
                : ", took " + Texts.duration(Duration.between(run.createdAt(), run.endedAt()));
        fact(
                "times",
                "created "
                        + Texts.second(run.createdAt())
                        + ", published "
                        + Texts.second(run.publishedAt())
                        + ", ended "
                        + Texts.second(run.endedAt())
                        + took);
    }

    private void fact(String name, String value) {
        line(String.format(Locale.ROOT, "  %-12s %s", name, value));
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}
