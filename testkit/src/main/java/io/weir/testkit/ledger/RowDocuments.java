package io.weir.testkit.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.metric.Metric;
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

/** The rows of a run as its events name them, signs of life and the shared target left out. */
public final class RowDocuments {
    private RowDocuments() {}

    /** By name, such as {@code run} or {@code chunk/0000/1/0}. */
    public static Map<String, ObjectNode> of(MemoryTables tables, RunId id) {
        Map<String, ObjectNode> documents = new TreeMap<>();
        RunRow run = tables.run(id).orElseThrow();
        put(documents, RunColumns.added(run));
        for (Partition partition : tables.partitionsOf(id)) {
            put(documents, PartitionColumns.added(partition));
        }
        for (ChunkRow chunk : tables.chunksOf(id)) {
            put(documents, ChunkColumns.added(chunk));
        }
        for (Metric metric : tables.metricsOf(id)) {
            put(documents, MetricColumns.written(id, metric));
        }
        for (Dispatch dispatch : tables.dispatchesOf(id)) {
            put(documents, DispatchColumns.added(dispatch));
        }
        for (AttemptRow attempt : tables.attemptsOf(id)) {
            put(documents, AttemptColumns.added(attempt));
        }
        return documents;
    }

    private static void put(Map<String, ObjectNode> documents, RowChange change) {
        documents.put(change.row(), change.fields());
    }
}
