package io.weir.ledger.outside;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.metric.Stage;
import io.weir.core.run.Failure;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.outside.OutsideReplies.Registered;
import io.weir.ledger.outside.Turn.Note;
import io.weir.ledger.sql.Columns;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Registering what an outside run has to read. */
final class OutsideManifests {
    static final String SOURCE_COUNT = "SOURCE_COUNT";

    private final OutsideTransactions transactions;
    private final OutsideSettings settings;

    OutsideManifests(OutsideTransactions transactions, OutsideSettings settings) {
        this.transactions = transactions;
        this.settings = settings;
    }

    Registered register(RunId runId, OutsideManifest manifest, Actor actor) {
        Registered reply = transactions.run("register the manifest of run " + runId, books -> {
            Turn turn = new Turn(books, settings, actor);
            return register(turn, turn.lockRun(runId), manifest);
        });
        if (reply.run().state() == RunState.FAILED_MANIFEST) {
            // Thrown only now: that the manifest was rejected is committed.
            throw WeirException.of(
                    ErrorCode.MANIFEST_INVALID,
                    reply.run().failure() == null
                            ? "Cannot register the manifest"
                            : reply.run().failure().message(),
                    Map.of(
                            "violations",
                            List.copyOf(OutsideManifestRules.violations(
                                    manifest, reply.run().allowEmpty()))));
        }
        return reply;
    }

    private Registered register(Turn turn, OutsideRun run, OutsideManifest manifest) {
        String digest = manifest.digest();
        if (run.state() != RunState.CREATED) {
            if (digest.equals(run.manifestDigest())) {
                return reply(turn, run, false);
            }
            throw Turn.mismatch(run, "register the manifest of", RunState.CREATED);
        }
        Set<String> violations = OutsideManifestRules.violations(manifest, run.allowEmpty());
        if (!violations.isEmpty()) {
            return reject(turn, run, digest, violations);
        }
        List<Columns> rows = partitions(run.id(), manifest, turn);
        turn.books.insertPartitions(rows);
        turn.brought(run.id(), rows);
        turn.books.upsertMetrics(run.id(), sourceMetrics(manifest), turn.now());
        int empty = (int) manifest.parts().stream()
                .filter(part -> part.expectedRows() == 0)
                .count();
        OutsideRun after =
                turn.move(run, terms(turn, manifest, digest, empty), Note.info("MANIFEST_CREATED"));
        boolean done = empty == manifest.parts().size();
        if (done) {
            after = OutsideExtracts.extracted(turn, after);
        }
        return reply(turn, after, done);
    }

    private static Registered reject(
            Turn turn, OutsideRun run, String digest, Set<String> violations) {
        String message = "Cannot register the manifest of run " + run.id()
                + ": it breaks invariants of the split (violations="
                + String.join(", ", violations) + ")";
        Failure failure = new Failure("MANIFEST", ErrorCode.MANIFEST_INVALID.name(), message);
        Columns changes =
                turn.ended(RunState.FAILED_MANIFEST, failure).set("manifest_digest", digest);
        OutsideRun after = turn.move(run, changes, Note.error("MANIFEST_INVALID", message));
        return new Registered(after, List.of(), 0, false);
    }

    private static Registered reply(Turn turn, OutsideRun run, boolean scheduled) {
        List<OutsidePartition> all = turn.books.partitions(run.id());
        List<OutsidePartition> parts =
                all.stream().filter(part -> part.expectedRows() > 0).toList();
        return new Registered(run, parts, all.size() - parts.size(), scheduled);
    }

    private static Columns terms(Turn turn, OutsideManifest manifest, String digest, int empty) {
        return new Columns()
                .set("state", RunState.EXTRACTING.name())
                .set("manifest_digest", digest)
                .set("snapshot", decimal(manifest.snapshot()))
                .set("source_count", manifest.sourceCount())
                .set("source_null_split_count", manifest.nullSplitCount())
                .set("source_min_split", decimal(manifest.minSplit()))
                .set("source_max_split", decimal(manifest.maxSplit()))
                .set("partition_count", manifest.parts().size())
                .set("succeeded_partitions", empty)
                .set("heartbeat_at", turn.now());
    }

    private List<Columns> partitions(RunId runId, OutsideManifest manifest, Turn turn) {
        List<Columns> rows = new ArrayList<>();
        for (OutsideManifest.Part part : manifest.parts()) {
            boolean empty = part.expectedRows() == 0;
            rows.add(new Columns()
                    .set("run_id", runId.value())
                    .set("id", part.id().value())
                    .set("ordinal", rows.size())
                    .set("lower_bound", decimal(part.lower()))
                    .set("upper_bound", decimal(part.upper()))
                    .set("upper_inclusive", part.upperInclusive())
                    .set("is_null", part.isNull())
                    .set("state", (empty ? PartitionState.SUCCESS : PartitionState.PENDING).name())
                    .set("version", 0L)
                    .set("epoch", 0L)
                    .set("lease_ms", settings.stale().toMillis())
                    .set("expected_rows", part.expectedRows())
                    .set("rows", 0L)
                    .set("bytes", 0L)
                    .set("chunk_count", 0)
                    .set("ended_at", empty ? turn.now() : null));
        }
        return rows;
    }

    private static List<OutsideMetric> sourceMetrics(OutsideManifest manifest) {
        List<OutsideMetric> metrics = new ArrayList<>();
        manifest.metrics().forEach((name, value) -> metrics.add(source(manifest, name, value)));
        if (!manifest.metrics().containsKey(SOURCE_COUNT)) {
            metrics.add(source(manifest, SOURCE_COUNT, Long.toString(manifest.sourceCount())));
        }
        return metrics;
    }

    private static OutsideMetric source(OutsideManifest manifest, String name, String value) {
        return new OutsideMetric(
                Stage.SOURCE,
                name,
                manifest.metricsVersion(),
                value,
                value,
                null,
                "PASS",
                "PASS",
                "{}");
    }

    private static @Nullable BigDecimal decimal(@Nullable BigInteger number) {
        return number == null ? null : new BigDecimal(number);
    }
}
