package io.weir.testkit.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.metric.Metric;
import io.weir.core.run.Chunk;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Partition;
import io.weir.core.run.RunId;
import io.weir.ledger.chunk.ChunkColumns;
import io.weir.ledger.chunk.ChunkRow;
import io.weir.ledger.dispatch.DispatchColumns;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.metric.MetricColumns;
import io.weir.ledger.partition.PartitionColumns;
import io.weir.ledger.publish.AttemptColumns;
import io.weir.ledger.publish.AttemptRow;
import io.weir.ledger.run.RunColumns;
import io.weir.ledger.run.RunRow;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The rows of a run as its events name them, signs of life and the shared target left out. */
public final class RowDocuments {
    private RowDocuments() {}

    /** All of them by name, such as {@code run} or {@code chunk/0000/1/0}. */
    public static Map<String, ObjectNode> of(MemoryTables tables, RunId id) {
        return of(tables, id, name -> true);
    }

    /** Those of some names. */
    public static Map<String, ObjectNode> of(
            MemoryTables tables, RunId id, Predicate<String> wanted) {
        Map<String, ObjectNode> documents = new TreeMap<>();
        RunRow run = tables.run(id).orElseThrow();
        add(documents, wanted, "run", () -> RunColumns.added(run));
        for (Partition row : tables.partitionsOf(id)) {
            String name = "partition/" + row.id();
            add(documents, wanted, name, () -> PartitionColumns.added(row));
        }
        for (ChunkRow row : tables.chunksOf(id)) {
            Chunk chunk = row.chunk();
            String name =
                    "chunk/" + chunk.partitionId() + "/" + chunk.epoch() + "/" + chunk.index();
            add(documents, wanted, name, () -> {
                ObjectNode fields = ChunkColumns.named(id, name);
                fields.setAll(ChunkColumns.added(row).fields());
                return new RowChange(name, fields);
            });
        }
        for (Metric row : tables.metricsOf(id)) {
            String name = "metric/" + row.stage() + "/" + row.subject() + "/" + row.name();
            add(documents, wanted, name, () -> MetricColumns.written(id, row));
        }
        for (Dispatch row : tables.dispatchesOf(id)) {
            String name = "dispatch/" + row.kind() + "/" + row.cycle();
            add(documents, wanted, name, () -> DispatchColumns.added(row));
        }
        for (AttemptRow row : tables.attemptsOf(id)) {
            String name =
                    "attempt/" + row.attempt().target() + "/" + row.attempt().epoch();
            add(documents, wanted, name, () -> AttemptColumns.added(row));
        }
        return documents;
    }

    private static void add(
            Map<String, ObjectNode> documents,
            Predicate<String> wanted,
            String name,
            Supplier<RowChange> row) {
        if (wanted.test(name)) {
            RowChange change = row.get();
            documents.put(change.row(), change.fields());
        }
    }
}
