package io.weir.core.certificate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.ledger.RunDetail;
import io.weir.core.metric.Metric;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.Stage;
import io.weir.core.metric.Verdict;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.row.Balance;
import io.weir.core.run.Bound;
import io.weir.core.run.Chunk;
import io.weir.core.run.Failure;
import io.weir.core.run.Loss;
import io.weir.core.run.Partition;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The certificate of a run: what was read at which state of the source, every chunk, every metric
 * with expected and actual value, both balances, the published snapshot. A pure function of the
 * ledger, so that it can be printed again years later.
 */
public record Certificate(RunDetail detail) {
    /** What the certificate says in one word. */
    public enum Conclusion {
        /** Published, read back, equal. */
        VERIFIED,
        /** The target shows nothing of this run. */
        NOT_PUBLISHED,
        /** The target shows the run, but the read-back differs or did not happen. */
        PUBLISHED_UNVERIFIED,
        /** Nobody has looked yet whether the target shows the run. */
        UNKNOWN,
        /** The run goes on. */
        UNFINISHED
    }

    public Conclusion conclusion() {
        Run run = detail.run();
        if (run.state() == RunState.SUCCESS) {
            return Conclusion.VERIFIED;
        }
        if (run.state() == RunState.PUBLISH_UNKNOWN) {
            return Conclusion.UNKNOWN;
        }
        if (run.publishedSnapshotId() != null) {
            return Conclusion.PUBLISHED_UNVERIFIED;
        }
        return run.state().isTerminal() ? Conclusion.NOT_PUBLISHED : Conclusion.UNFINISHED;
    }

    /** The balance that the files had at a stage, if it was measured. */
    public Optional<String> measuredBalance(Stage stage) {
        return detail.metrics().stream()
                .filter(metric -> metric.stage() == stage)
                .filter(metric -> metric.subject().equals(Metric.RUN))
                .filter(metric -> metric.name().equals(MetricName.BALANCE))
                .map(Metric::actual)
                .findFirst();
    }

    /** The metrics that the ledger judged: of the staged files and of the published table. */
    public List<Metric> judged() {
        return detail.metrics().stream().filter(m -> m.stage() != Stage.SOURCE).toList();
    }

    /** The metrics that differ from what was expected. */
    public List<Metric> failures() {
        return judged().stream()
                .filter(metric -> metric.verdict() == Verdict.FAIL)
                .toList();
    }

    /** The document that {@code docs/reference/certificate.md} describes. */
    public ObjectNode json() {
        Run run = detail.run();
        ObjectNode json = Json.object();
        json.put("run", run.id().toString());
        json.put("job", run.job());
        json.put("business_key", run.businessKey());
        json.put("state", run.state().name());
        json.put("conclusion", word(conclusion()));
        json.set("source", source(run));
        json.set("target", target(run));
        json.set("balances", balances(run));
        json.set("partitions", partitions());
        json.set("chunks", chunks());
        json.set("metrics", metrics());
        json.set("attempts", attempts());
        json.set("cut", cut());
        json.set("losses", losses(run));
        json.set("times", times(run));
        Failure failure = run.failure();
        if (failure == null) {
            json.putNull("failure");
        } else {
            json.putObject("failure")
                    .put("stage", failure.stage())
                    .put("code", failure.code())
                    .put("message", failure.message());
        }
        return json;
    }

    /** An enum constant as documents spell it. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private ArrayNode cut() {
        ArrayNode json = Json.array();
        for (Run other : detail.cut()) {
            json.addObject()
                    .put("run", other.id().toString())
                    .put("source_table", other.sourceTable())
                    .put("target", other.target())
                    .put("state", other.state().name())
                    .put("published_snapshot_id", other.publishedSnapshotId());
        }
        return json;
    }

    private ObjectNode source(Run run) {
        ObjectNode json = Json.object();
        json.put("name", run.source());
        json.put("table", run.sourceTable());
        ArrayNode columns = json.putArray("columns");
        detail.columns().forEach(columns::add);
        if (run.snapshot() != null) {
            json.putObject("snapshot")
                    .put("kind", run.snapshot().kind())
                    .put("token", run.snapshot().text());
        } else {
            json.putNull("snapshot");
        }
        if (run.position() != null) {
            json.putObject("position")
                    .put("kind", run.position().kind())
                    .put("text", run.position().text());
        } else {
            json.putNull("position");
        }
        json.put(
                "consistency",
                run.consistency() == null ? null : run.consistency().label());
        json.put("rows", run.sourceCount());
        return json;
    }

    private static ObjectNode target(Run run) {
        ObjectNode json = Json.object();
        json.put("table", run.target());
        json.put("publish", word(run.publishMode()));
        ArrayNode key = json.putArray("key");
        run.keyColumns().forEach(key::add);
        json.put("data_path", run.dataPath());
        json.put("staged_snapshot_id", run.stagedSnapshotId());
        json.put("published_snapshot_id", run.publishedSnapshotId());
        return json;
    }

    private ObjectNode balances(Run run) {
        ObjectNode json = Json.object();
        json.put("read", run.extracted().toString());
        json.put("staged", measuredBalance(Stage.STAGING).orElse(null));
        json.put("published", measuredBalance(Stage.TARGET).orElse(null));
        return json;
    }

    private ArrayNode partitions() {
        ArrayNode array = Json.array();
        for (Partition partition : detail.partitions()) {
            ObjectNode json = array.addObject();
            json.put("partition", partition.id().value());
            json.set("lower", bound(partition.range().lower()));
            json.set("upper", bound(partition.range().upper()));
            json.put("null_range", partition.range().isNull());
            json.put("state", partition.state().name());
            json.put("epoch", partition.epoch());
            json.put("chunks", partition.chunkCount());
            json.put("bytes", partition.bytes());
            json.put("rows", partition.balance().rows());
            json.put("balance", partition.balance().toString());
        }
        return array;
    }

    private static @Nullable ObjectNode bound(@Nullable Bound bound) {
        return bound == null
                ? null
                : Json.object().put("kind", bound.kind()).put("text", bound.text());
    }

    private ArrayNode chunks() {
        ArrayNode array = Json.array();
        for (Chunk chunk : detail.chunks()) {
            ObjectNode json = array.addObject();
            json.put("partition", chunk.partitionId().value());
            json.put("epoch", chunk.epoch());
            json.put("index", chunk.index());
            json.put("path", chunk.path());
            json.put("rows", chunk.balance().rows());
            json.put("bytes", chunk.bytes());
            json.put("balance_read", chunk.balance().toString());
            Balance measured = chunk.measured();
            json.put("balance_staged", measured == null ? null : measured.toString());
            json.put("state", chunk.state().name());
        }
        return array;
    }

    private ArrayNode metrics() {
        ArrayNode array = Json.array();
        for (Metric metric : judged()) {
            array.addObject()
                    .put("stage", metric.stage().name())
                    .put("subject", metric.subject())
                    .put("metric", metric.name().toString())
                    .put("expected", metric.expected())
                    .put("actual", metric.actual())
                    .put("verdict", metric.verdict().name());
        }
        return array;
    }

    private ArrayNode attempts() {
        ArrayNode array = Json.array();
        for (PublishAttempt attempt : detail.attempts()) {
            array.addObject()
                    .put("epoch", attempt.epoch())
                    .put("state", attempt.state().name())
                    .put("base_snapshot_id", attempt.baseSnapshotId())
                    .put("staged_snapshot_id", attempt.stagedSnapshotId())
                    .put("evidence", attempt.evidence());
        }
        return array;
    }

    private static ArrayNode losses(Run run) {
        ArrayNode array = Json.array();
        for (Loss loss : run.losses()) {
            array.addObject().put("column", loss.column()).put("values", loss.values());
        }
        return array;
    }

    private static ObjectNode times(Run run) {
        return Json.object()
                .put("created_at", run.createdAt().toString())
                .put("extracted_at", text(run.extractedAt()))
                .put("published_at", text(run.publishedAt()))
                .put("ended_at", text(run.endedAt()));
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }
}
