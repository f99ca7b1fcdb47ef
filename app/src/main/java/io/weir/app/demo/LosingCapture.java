package io.weir.app.demo;

import io.weir.capture.Capture;
import io.weir.capture.CaptureCheck;
import io.weir.capture.CaptureSpec;
import io.weir.capture.ChangeOp;
import io.weir.capture.ChangeStream;
import io.weir.capture.RowImage;
import io.weir.capture.SlotSnapshot;
import io.weir.capture.StreamEvent;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;
import io.weir.core.run.Position;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Loses the first update of one row on its way to the change log: what the demo must catch. */
final class LosingCapture implements Capture {
    private final Capture next;
    private final String table;
    private final String column;
    private final long key;
    private volatile boolean lost;

    /**
     * Wires it.
     *
     * @param table qualified name
     * @param column the one of its key, a {@code bigint}
     * @param key of the row
     */
    LosingCapture(Capture next, String table, String column, long key) {
        this.next = next;
        this.table = table;
        this.column = column;
        this.key = key;
    }

    boolean hasLost() {
        return lost;
    }

    @Override
    public ChangeStream open(
            CaptureSpec spec,
            Map<String, RowSchema> schemas,
            Map<String, Long> floors,
            Map<String, Set<String>> added) {
        RowSchema rows = schemas.get(table);
        ChangeStream stream = next.open(spec, schemas, floors, added);
        return rows == null ? stream : new Losing(stream, rows.names().indexOf(column));
    }

    private final class Losing implements ChangeStream {
        private final ChangeStream stream;
        private final int index;

        Losing(ChangeStream stream, int index) {
            this.stream = stream;
            this.index = index;
        }

        @Override
        public @Nullable StreamEvent next(Duration patience) {
            StreamEvent event = stream.next(patience);
            if (!lost && event instanceof StreamEvent.Change change && isMeant(change)) {
                lost = true;
                return stream.next(patience);
            }
            return event;
        }

        private boolean isMeant(StreamEvent.Change change) {
            RowImage after = change.after();
            return change.table().equals(table)
                    && change.op() == ChangeOp.UPDATE
                    && after != null
                    && Long.valueOf(key).equals(after.value(index));
        }

        @Override
        public void confirm(StreamEvent.Commit commit) {
            stream.confirm(commit);
        }

        @Override
        public void close() {
            stream.close();
        }
    }

    @Override
    public CaptureCheck check(CaptureSpec spec, Map<String, RowSchema> known) {
        return next.check(spec, known);
    }

    @Override
    public Position createSlot(CaptureSpec spec) {
        return next.createSlot(spec);
    }

    @Override
    public SlotSnapshot handOver(CaptureSpec spec) {
        return next.handOver(spec);
    }

    @Override
    public SlotSnapshot snapshot(CaptureSpec spec) {
        return next.snapshot(spec);
    }

    @Override
    public Map<String, Optional<Object>> initialValues(String name, List<Column> columns) {
        return next.initialValues(name, columns);
    }

    @Override
    public void dropSlot(CaptureSpec spec) {
        next.dropSlot(spec);
    }

    @Override
    public boolean hasSlot(CaptureSpec spec) {
        return next.hasSlot(spec);
    }

    @Override
    public long slotPlace(CaptureSpec spec) {
        return next.slotPlace(spec);
    }

    @Override
    public long mark() {
        return next.mark();
    }
}
