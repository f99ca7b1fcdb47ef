package io.weir.flow.outsidelog;

import io.weir.capture.ChangeOp;
import io.weir.capture.ChangeStream;
import io.weir.capture.StreamEvent;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.Position;
import io.weir.engine.OutsideChange;
import io.weir.engine.OutsideChanges;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * An outside log as a stream of transactions: what has one position is one. A change that is told
 * twice in the same words counts once; two that nobody puts in order end the stream.
 */
final class OutsideStream implements ChangeStream {
    private static final String KIND = "log";
    /** Before every ordinal of a log. */
    private static final long FIRST_ORDINAL = -1;

    private final OutsideChanges changes;
    private final OutsideImages images;
    private final String table;
    private final boolean ordered;
    private final List<Integer> key;
    private boolean emptying;
    private boolean inside;
    private long counted;
    private @Nullable OutsideChange ahead;
    private @Nullable OutsideChange previous;
    private OutsideChange current;

    /**
     * Takes over the changes.
     *
     * @param key indexes of its columns
     * @param ordered whether ordinals put changes of one position in order
     * @param emptying whether the first transaction begins with a TRUNCATE
     * @throws IllegalArgumentException if there is no change
     */
    OutsideStream(
            OutsideChanges changes,
            OutsideChange first,
            OutsideImages images,
            String table,
            List<Integer> key,
            boolean ordered,
            boolean emptying) {
        this.changes = changes;
        this.images = images;
        this.table = table;
        this.key = key;
        this.ordered = ordered;
        this.emptying = emptying;
        this.ahead = first;
        this.current = first;
    }

    boolean isExhausted() {
        return ahead == null && !inside;
    }

    @Override
    public @Nullable StreamEvent next(Duration patience) {
        OutsideChange next = ahead;
        if (!inside) {
            return next == null ? null : begin(next);
        }
        if (emptying) {
            emptying = false;
            return new StreamEvent.Change(
                    table, FIRST_ORDINAL, images.committed(current), ChangeOp.TRUNCATE, null, null);
        }
        while (next != null && next.place() == current.place()) {
            ahead = changes.next();
            if (isNew(next)) {
                return change(next);
            }
            next = ahead;
        }
        inside = false;
        return new StreamEvent.Commit(
                images.transaction(current),
                new Position(KIND, current.position()),
                current.place());
    }

    private StreamEvent begin(OutsideChange first) {
        inside = true;
        current = first;
        previous = null;
        counted = 0;
        return new StreamEvent.Begin(images.transaction(first));
    }

    /** Refuses what has no place in the order; false for what was told already. */
    private boolean isNew(OutsideChange change) {
        OutsideChange before = previous;
        previous = change;
        if (ordered && (change.ordinal() == null || change.ordinal() < 0)) {
            throw images.invalid(change, "its ordinal is no whole number from 0 on");
        }
        if (before == null || !meets(before, change)) {
            return !change.touched();
        }
        if (before.touched() != change.touched() || !before.isSame(change)) {
            throw new WeirException(
                    ErrorCode.LOG_CHANGE_INVALID,
                    "Cannot take changes of table " + table + ": two of them have one position and "
                            + (ordered ? "one ordinal" : "nobody tells which is the first")
                            + " (" + images.where(change) + ", other=" + before.file() + ")",
                    "Name the column that numbers them as columns.ordinal, then run weir continue.",
                    null);
        }
        return false;
    }

    /** Whether it matters which of the two comes first. */
    private boolean meets(OutsideChange one, OutsideChange other) {
        if (ordered) {
            return Objects.equals(one.ordinal(), other.ordinal());
        }
        if (isTruncate(one) || isTruncate(other)) {
            return true;
        }
        return key.stream()
                .allMatch(index -> Objects.equals(keyValue(one, index), keyValue(other, index)));
    }

    private static boolean isTruncate(OutsideChange change) {
        return change.op().equals(ChangeOp.TRUNCATE.text());
    }

    private static @Nullable Object keyValue(OutsideChange change, int index) {
        OutsideChange.Image image =
                change.touched() || change.after() == null ? change.before() : change.after();
        return image == null ? null : image.values().get(index);
    }

    private StreamEvent change(OutsideChange change) {
        counted++;
        Long given = change.ordinal();
        return images.change(change, given == null ? counted : given);
    }

    /** Nobody keeps anything for us. */
    @Override
    public void confirm(StreamEvent.Commit commit) {}

    @Override
    public void close() {
        changes.close();
    }
}
