package io.weir.bench;

import io.weir.capture.ChangeOp;
import io.weir.capture.ChangeStream;
import io.weir.capture.RowImage;
import io.weir.capture.StreamEvent;
import io.weir.core.run.Position;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * One window as transactions of a hundred changes: of each twelve, ten rows change, one comes, one
 * goes. Rows that change or go are spread evenly over the table.
 */
final class MergeStream implements ChangeStream {
    static final String TABLE = "public.orders";

    private static final long CHANGES = 100;
    private static final long KINDS = 12;
    private static final long INSERT = 10;

    private final long rows;
    private final long changes;
    private long change;
    private long place;
    private boolean inside;

    /**
     * @param rows of the table; their numbers begin with 0
     * @param changes of the window, a multiple of 1,200
     */
    MergeStream(long rows, long changes) {
        this.rows = rows;
        this.changes = changes;
    }

    boolean isEmpty() {
        return change == changes && !inside;
    }

    /** Where the window ends. */
    static long end(long changes) {
        return changes / CHANGES;
    }

    @Override
    public @Nullable StreamEvent next(Duration patience) {
        if (!inside) {
            if (change == changes) {
                return null;
            }
            inside = true;
            place++;
            return new StreamEvent.Begin("t" + place);
        }
        if (change == place * CHANGES) {
            inside = false;
            return new StreamEvent.Commit(
                    "t" + place, new Position("lsn", "0/" + Long.toHexString(place)), place);
        }
        return change(change++);
    }

    private StreamEvent.Change change(long number) {
        long kind = number % KINDS;
        long ordinal = number % CHANGES + 1;
        if (kind == INSERT) {
            return change(ordinal, ChangeOp.INSERT, null, MergeRows.row(rows + number, 0));
        }
        long row = number * (rows / changes);
        RowImage before = MergeRows.row(row, 0);
        return kind < INSERT
                ? change(ordinal, ChangeOp.UPDATE, before, MergeRows.row(row, 1))
                : change(ordinal, ChangeOp.DELETE, before, null);
    }

    private static StreamEvent.Change change(
            long ordinal, ChangeOp op, @Nullable RowImage before, @Nullable RowImage after) {
        return new StreamEvent.Change(TABLE, ordinal, 0, op, before, after);
    }

    @Override
    public void confirm(StreamEvent.Commit commit) {}

    @Override
    public void close() {}
}
