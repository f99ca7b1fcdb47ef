package io.weir.ledger;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.Manifest;
import io.weir.core.row.Balance;
import io.weir.core.run.Failure;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionState;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.books.Books;
import io.weir.ledger.books.Transactions;
import io.weir.ledger.event.EventDraft;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.manifest.ManifestDigest;
import io.weir.ledger.manifest.ManifestRules;
import io.weir.ledger.metric.MetricRules;
import io.weir.ledger.partition.PartitionColumns;
import io.weir.ledger.partition.SeenPartition;
import io.weir.ledger.run.ManifestTerms;
import io.weir.ledger.run.RunCommand;
import io.weir.ledger.run.RunRow;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Registering what a run has to read. */
final class Manifests {
    private final Transactions transactions;
    private final Unclaimed unclaimed;

    Manifests(Transactions transactions, Unclaimed unclaimed) {
        this.transactions = transactions;
        this.unclaimed = unclaimed;
    }

    Run register(RunId runId, Manifest manifest) {
        String digest = ManifestDigest.of(manifest);
        Registered registered = transactions.run(
                "register the manifest of run " + runId,
                books -> register(books, runId, manifest, digest));
        unclaimed.put(registered.partitions);
        Run run = registered.run;
        if (run.state() == RunState.FAILED_MANIFEST) {
            // Thrown only now: that the manifest was rejected is committed.
            Failure failure = run.failure();
            throw new WeirException(
                    ErrorCode.MANIFEST_INVALID,
                    failure == null ? "Cannot register the manifest" : failure.message());
        }
        return run;
    }

    /** A run and its partitions, if this call has written them. */
    private record Registered(Run run, List<SeenPartition> partitions) {}

    private static Registered register(Books books, RunId runId, Manifest manifest, String digest) {
        RunRow row = books.lockRun(runId);
        Instant now = books.now();
        Set<String> violations = ManifestRules.violations(manifest, row.allowEmpty());
        if (!violations.isEmpty()) {
            Failure failure = new Failure(
                    "MANIFEST",
                    ErrorCode.MANIFEST_INVALID.name(),
                    "Cannot register the manifest of run " + runId
                            + ": it breaks invariants of the split (violations="
                            + String.join(", ", violations) + ")");
            Run rejected = books.apply(row, new RunCommand.RejectManifest(digest, failure), now)
                    .run();
            return new Registered(rejected, List.of());
        }
        List<Partition> partitions = partitions(runId, manifest);
        RunRow after = books.apply(
                row,
                new RunCommand.RegisterManifest(terms(manifest, digest)),
                now,
                next -> metrics(books, runId, manifest));
        if (row.run().state() != RunState.CREATED) {
            return new Registered(after.run(), List.of());
        }
        books.partitions().insertAll(partitions);
        books.events().append(registered(partitions, now));
        String dataPath = after.run().dataPath();
        return new Registered(
                after.run(),
                partitions.stream()
                        .map(partition ->
                                new SeenPartition(partition, now, dataPath, List.of(), false))
                        .toList());
    }

    private static List<RowChange> metrics(Books books, RunId runId, Manifest manifest) {
        return books.metrics().upsertAll(runId, MetricRules.source(manifest.expectation()));
    }

    private static ManifestTerms terms(Manifest manifest, String digest) {
        return new ManifestTerms(
                digest,
                manifest.snapshot(),
                manifest.position(),
                manifest.consistency(),
                manifest.sourceCount(),
                manifest.parts().size(),
                manifest.columns(),
                manifest.keyColumns(),
                manifest.reading());
    }

    private static List<Partition> partitions(RunId runId, Manifest manifest) {
        List<Partition> partitions = new ArrayList<>();
        for (Manifest.Part part : manifest.parts()) {
            partitions.add(new Partition(
                    runId,
                    part.id(),
                    partitions.size(),
                    part.range(),
                    PartitionState.PENDING,
                    0,
                    0,
                    null,
                    null,
                    part.expectedRows(),
                    0,
                    0,
                    0,
                    0,
                    Balance.ZERO,
                    null,
                    null,
                    null,
                    null));
        }
        return partitions;
    }

    private static List<EventDraft> registered(List<Partition> partitions, Instant now) {
        List<EventDraft> drafts = new ArrayList<>();
        for (Partition partition : partitions) {
            drafts.add(new EventDraft(
                    now,
                    partition.runId(),
                    partition.id(),
                    "PARTITION_REGISTERED",
                    List.of(PartitionColumns.added(partition))));
        }
        return drafts;
    }
}
