package io.weir.flow.merge;

import io.weir.capture.ChangeOp;
import io.weir.capture.ChangeStream;
import io.weir.capture.RowImage;
import io.weir.capture.StreamEvent;
import io.weir.core.row.RowSchema;
import io.weir.core.run.Position;

import org.apache.iceberg.types.Type;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;

/**
 * A change stream that a test wrote: {@code insert 1 anna 10}, {@code update 1 anna 10 > 1 anna
 * 11}, {@code delete 1 anna 11}, {@code truncate}. A value {@code ~} is NULL, {@code ?} was not
 * sent; an update without {@code >} tells nothing of the row before.
 */
final class ScriptedStream implements ChangeStream {
    static final String TABLE = "public.t";

    private final RowSchema schema;
    private final Deque<StreamEvent> events = new ArrayDeque<>();

    ScriptedStream(RowSchema schema) {
        this.schema = schema;
    }

    /** Adds a committed transaction. */
    void add(long place, String... changes) {
        events.add(new StreamEvent.Begin("t" + place));
        long ordinal = 1;
        for (String change : changes) {
            events.add(change(ordinal++, change));
        }
        events.add(new StreamEvent.Commit("t" + place, new Position("lsn", "0/" + place), place));
    }

    boolean isEmpty() {
        return events.isEmpty();
    }

    private StreamEvent.Change change(long ordinal, String text) {
        String[] words = text.split(" ", 2);
        String rest = words.length == 1 ? "" : words[1];
        return switch (words[0]) {
            case "insert" -> change(ordinal, ChangeOp.INSERT, null, image(rest));
            case "delete" -> change(ordinal, ChangeOp.DELETE, image(rest), null);
            case "truncate" -> change(ordinal, ChangeOp.TRUNCATE, null, null);
            case "update" -> {
                String[] images = rest.split(" > ", 2);
                yield images.length == 1
                        ? change(ordinal, ChangeOp.UPDATE, null, image(images[0]))
                        : change(ordinal, ChangeOp.UPDATE, image(images[0]), image(images[1]));
            }
            default -> throw new IllegalArgumentException(text);
        };
    }

    private static StreamEvent.Change change(
            long ordinal, ChangeOp op, @Nullable RowImage before, @Nullable RowImage after) {
        return new StreamEvent.Change(TABLE, ordinal, ordinal, op, before, after);
    }

    private RowImage image(String text) {
        String[] words = text.split(" ", -1);
        @Nullable Object[] values = new @Nullable Object[schema.columns().size()];
        BitSet missing = new BitSet();
        for (int i = 0; i < values.length; i++) {
            if (words[i].equals("?")) {
                missing.set(i);
            } else if (!words[i].equals("~")) {
                values[i] = value(schema.columns().get(i).type(), words[i]);
            }
        }
        return new RowImage(values, missing);
    }

    private static Object value(Type type, String word) {
        return switch (type.typeId()) {
            case INTEGER -> Integer.valueOf(word);
            case STRING -> word;
            case DATE -> Math.toIntExact(LocalDate.parse(word).toEpochDay());
            default -> throw new IllegalArgumentException(type.toString());
        };
    }

    @Override
    public @Nullable StreamEvent next(Duration patience) {
        return events.poll();
    }

    @Override
    public void confirm(StreamEvent.Commit commit) {}

    @Override
    public void close() {}
}
