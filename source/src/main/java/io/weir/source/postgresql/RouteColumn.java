package io.weir.source.postgresql;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.route.Route;
import io.weir.core.route.RowRouter;
import io.weir.core.row.BalanceSum;
import io.weir.core.row.Column;
import io.weir.core.row.RowDigest;
import io.weir.source.ChunkTotals;

import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.IntVector;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** Routes rows while they are decoded, and keeps one balance for each route of the chunk. */
final class RouteColumn {
    private final PartitionPlan plan;
    private final RowRouter router;
    private final int[] fields;
    private final WireValue[] wires;
    private final @Nullable Object[] values;
    private final List<BalanceSum> sums = new ArrayList<>();
    private @Nullable IntVector vector;
    private long data;

    RouteColumn(PartitionPlan plan) {
        this.plan = plan;
        this.router = new RowRouter(plan.partitionBy(), plan.schema());
        List<Column> columns = router.columns();
        this.fields = columns.stream()
                .mapToInt(column -> plan.schema().columns().indexOf(column))
                .toArray();
        this.wires = new WireValue[fields.length];
        for (int i = 0; i < fields.length; i++) {
            wires[i] = new WireValue(plan.types().get(fields[i]), columns.get(i).type());
        }
        this.values = new @Nullable Object[fields.length];
    }

    void bind(IntVector target) {
        vector = target;
    }

    void allocate(int rows) {
        IntVector target = bound();
        target.allocateNew(rows);
        // Every row has a route.
        MemoryUtil.setMemory(target.getValidityBufferAddress(), (rows + 7) >>> 3, (byte) 0xFF);
        data = target.getDataBufferAddress();
    }

    /** Routes a row by its values as they will be stored. */
    void add(int row, byte[] bytes, int[] offsets, int[] lengths, RowDigest digest) {
        for (int i = 0; i < fields.length; i++) {
            int field = fields[i];
            values[i] = lengths[field] < 0
                    ? null
                    : wires[i].read(bytes, offsets[field], lengths[field]);
        }
        int number = router.number(values);
        if (number == sums.size()) {
            if (number == RowRouter.ROUTES_MAX) {
                throw tooMany();
            }
            sums.add(new BalanceSum());
        }
        sums.get(number).add(digest);
        MemoryUtil.putInt(data + (long) row * Integer.BYTES, number);
    }

    void finish(int rows) {
        bound().setValueCount(rows);
    }

    /** The totals of the routes, each at its number; the next row begins a chunk. */
    List<ChunkTotals.RouteTotals> take() {
        List<ChunkTotals.RouteTotals> totals = new ArrayList<>();
        List<Route> routes = router.routes();
        for (int i = 0; i < sums.size(); i++) {
            totals.add(new ChunkTotals.RouteTotals(routes.get(i), sums.get(i).balance()));
        }
        router.reset();
        sums.clear();
        return totals;
    }

    private IntVector bound() {
        IntVector target = vector;
        if (target == null) {
            throw new IllegalStateException("Rows are decoded before the vectors are bound");
        }
        return target;
    }

    private WeirException tooMany() {
        return new WeirException(
                ErrorCode.CONFIG_INVALID,
                "Cannot route the rows of table " + plan.table()
                        + ": those of one chunk would go into too many files (partition-by="
                        + plan.partitionBy() + ", files>" + RowRouter.ROUTES_MAX + ")",
                "Use coarser transforms in partition-by, or a smaller load.chunk-size if the table"
                        + " is stored about in that order.",
                null);
    }
}
