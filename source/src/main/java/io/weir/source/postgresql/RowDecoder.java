package io.weir.source.postgresql;

import io.weir.core.row.Balance;
import io.weir.core.row.BalanceSum;
import io.weir.core.row.CanonicalRow;
import io.weir.core.row.RowDigest;
import io.weir.core.run.Loss;
import io.weir.source.ChunkTotals;

import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Takes each row three ways: through the policies, into the digest, into Arrow. */
final class RowDecoder {
    private static final long BATCH_FIXED_BYTES = 4L << 20;
    private static final int BATCH_ROWS_MIN = 1_024;
    private static final int BATCH_ROWS_MAX = 16_384;
    private static final int FIELD_BYTES = 8;

    private final PartitionPlan plan;
    private final PolicyGate gate;
    private final WireDigest[] digests;
    /** Digests need ascending field ids, whatever order the source sends. */
    private final int[] digestOrder;

    private final ArrowColumn[] columns;
    private final CanonicalRow canonical = new CanonicalRow();
    private final RowDigest digest = new RowDigest();
    private final BalanceSum balance = new BalanceSum();
    /** Null if the target is not partitioned. */
    private final @Nullable RouteColumn routes;
    /** Null if the target has no column for digests. */
    private final @Nullable RowHashColumn hashes;

    RowDecoder(PartitionPlan plan) {
        this.plan = plan;
        this.routes = plan.partitionBy().isPartitioned() ? new RouteColumn(plan) : null;
        this.hashes = plan.rowHash() == null ? null : new RowHashColumn();
        this.gate = new PolicyGate(plan);
        this.columns = new ArrowColumn[plan.size()];
        this.digests = IntStream.range(0, plan.size())
                .mapToObj(i -> new WireDigest(plan.types().get(i), plan.column(i)))
                .toArray(WireDigest[]::new);
        this.digestOrder = IntStream.range(0, plan.size())
                .boxed()
                .sorted(Comparator.comparingInt(i -> plan.column(i).fieldId()))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    Schema arrowSchema() {
        List<Field> fields = new ArrayList<>();
        plan.schema().columns().forEach(column -> fields.add(ArrowColumns.field(column)));
        if (plan.rowHash() != null) {
            fields.add(ArrowColumns.field(plan.rowHash()));
        }
        if (routes != null) {
            fields.add(ArrowColumns.routeField());
        }
        return new Schema(fields);
    }

    /** Fewer rows the wider they are, so that a batch has a bounded size. */
    int batchRows() {
        long fitting = BATCH_FIXED_BYTES / ((long) FIELD_BYTES * plan.size());
        return (int) Math.max(BATCH_ROWS_MIN, Math.min(BATCH_ROWS_MAX, fitting));
    }

    /** From now on rows go into the vectors of this root. */
    void bind(VectorSchemaRoot root) {
        for (int i = 0; i < columns.length; i++) {
            columns[i] =
                    ArrowColumns.writer(plan.types().get(i), plan.column(i), root.getVector(i));
        }
        int next = columns.length;
        if (hashes != null) {
            hashes.bind((FixedSizeBinaryVector) root.getVector(next++));
        }
        if (routes != null) {
            routes.bind((IntVector) root.getVector(next));
        }
    }

    void startBatch() {
        int rows = batchRows();
        for (ArrowColumn column : columns) {
            column.allocate(rows);
        }
        if (hashes != null) {
            hashes.allocate(rows);
        }
        if (routes != null) {
            routes.allocate(rows);
        }
    }

    /**
     * Decodes the current row.
     *
     * @param row within the batch
     * @param rowNumber within the partition, from 1
     */
    void decode(CopyTuples tuples, int row, long rowNumber) {
        byte[] bytes = gate.pass(tuples, rowNumber);
        int[] offsets = tuples.offsets();
        int[] lengths = tuples.lengths();
        canonical.reset();
        for (int i : digestOrder) {
            digests[i].put(canonical, bytes, offsets[i], lengths[i]);
        }
        digest.compute(canonical);
        balance.add(digest);
        if (hashes != null) {
            hashes.add(row, digest);
        }
        if (routes != null) {
            routes.add(row, bytes, offsets, lengths, digest);
        }
        for (int i = 0; i < columns.length; i++) {
            if (lengths[i] >= 0) {
                columns[i].write(row, bytes, offsets[i], lengths[i]);
            } else {
                columns[i].writeNull(row);
            }
        }
    }

    void finishBatch(int rows) {
        for (ArrowColumn column : columns) {
            column.finish(rows);
        }
        if (hashes != null) {
            hashes.finish(rows);
        }
        if (routes != null) {
            routes.finish(rows);
        }
    }

    /** The balance since the last call. */
    Balance takeBalance() {
        Balance taken = balance.balance();
        balance.reset();
        return taken;
    }

    /** The balance of each route since the last call; none if the target is not partitioned. */
    List<ChunkTotals.RouteTotals> takeRoutes() {
        return routes == null ? List.of() : routes.take();
    }

    /** The losses since the last call. */
    List<Loss> takeLosses() {
        return gate.takeLosses();
    }
}
