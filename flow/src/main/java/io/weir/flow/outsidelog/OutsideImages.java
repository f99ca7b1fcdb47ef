package io.weir.flow.outsidelog;

import io.weir.capture.ChangeOp;
import io.weir.capture.RowImage;
import io.weir.capture.StreamEvent;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;
import io.weir.engine.OutsideChange;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;

/** Makes changes of rows of an outside log, or says why a row tells none. */
final class OutsideImages {
    private static final long DAY_MICROS = 86_400_000_000L;
    private static final long FIRST_DAY = LocalDate.of(1, 1, 1).toEpochDay();
    private static final long LAST_DAY = LocalDate.of(9999, 12, 31).toEpochDay();

    private final String table;
    private final RowSchema rows;
    private final boolean wholeBefore;
    private final Map<String, Instant> modified;

    /**
     * For one table.
     *
     * @param wholeBefore whether an update must tell the whole row before
     * @param modified when each file was written, by its path
     */
    OutsideImages(
            String table, RowSchema rows, boolean wholeBefore, Map<String, Instant> modified) {
        this.table = table;
        this.rows = rows;
        this.wholeBefore = wholeBefore;
        this.modified = Map.copyOf(modified);
    }

    String transaction(OutsideChange change) {
        String name = change.transaction();
        return name == null ? change.position() : name;
    }

    long committed(OutsideChange change) {
        Long told = change.committedMicros();
        if (told != null) {
            return told;
        }
        Instant written = Objects.requireNonNull(modified.get(change.file()), change.file());
        return ChronoUnit.MICROS.between(Instant.EPOCH, written);
    }

    /**
     * The change.
     *
     * @throws WeirException {@link ErrorCode#LOG_CHANGE_INVALID}
     */
    StreamEvent.Change change(OutsideChange change, long ordinal) {
        if (change.op().startsWith("?")) {
            throw invalid(
                    change, "nobody knows what it does (op=" + change.op().substring(1) + ")");
        }
        ChangeOp op = ChangeOp.valueOf(change.op().toUpperCase(Locale.ROOT));
        OutsideChange.Image before = change.before();
        OutsideChange.Image after = change.after();
        switch (op) {
            case INSERT -> require(change, before == null && after != null, "one row, after it");
            case DELETE -> require(change, before != null && after == null, "one row, before it");
            case UPDATE -> {
                require(change, after != null, "a row after it");
                if (before == null && wholeBefore) {
                    throw new WeirException(
                            ErrorCode.LOG_CHANGE_INVALID,
                            text(
                                    change,
                                    "it does not tell the row before, which merging by row"
                                            + " hash needs"),
                            "Write merge: primary-key in the job file; less is proven then.",
                            null);
                }
            }
            case TRUNCATE -> {
                before = null;
                after = null;
            }
        }
        return new StreamEvent.Change(
                table,
                ordinal,
                committed(change),
                op,
                before == null ? null : image(change, before),
                after == null ? null : image(change, after));
    }

    private void require(OutsideChange change, boolean holds, String wanted) {
        if (!holds) {
            throw invalid(change, "such a change tells " + wanted);
        }
    }

    private RowImage image(OutsideChange change, OutsideChange.Image image) {
        List<Column> columns = rows.columns();
        @Nullable Object[] values = new @Nullable Object[columns.size()];
        for (int i = 0; i < values.length; i++) {
            Column column = columns.get(i);
            Object value = image.values().get(i);
            if (value == null) {
                boolean known = !image.missing().get(i);
                boolean key = rows.key().contains(column.name());
                if (key || (known && column.required())) {
                    throw invalid(change, "column " + column.name() + " is NULL");
                }
            } else if (!image.missing().get(i)) {
                checkRange(change, column, value);
                values[i] = value instanceof ByteBuffer bytes ? bytesOf(bytes) : value;
            }
        }
        return new RowImage(values, image.missing());
    }

    private static byte[] bytesOf(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    /** Other readers of lakes stumble over what lies outside of years 1 to 9999. */
    private void checkRange(OutsideChange change, Column column, Object value) {
        boolean fits = switch (column.type().typeId()) {
            case DATE -> isDay((Integer) value);
            case TIMESTAMP -> isDay(Math.floorDiv((Long) value, DAY_MICROS));
            case TIME -> (Long) value < DAY_MICROS;
            default -> true;
        };
        if (!fits) {
            throw invalid(
                    change,
                    "column " + column.name() + " has a value that no table takes (value=" + value
                            + ")");
        }
    }

    private static boolean isDay(long day) {
        return day >= FIRST_DAY && day <= LAST_DAY;
    }

    WeirException invalid(OutsideChange change, String reason) {
        return new WeirException(ErrorCode.LOG_CHANGE_INVALID, text(change, reason));
    }

    private String text(OutsideChange change, String reason) {
        return "Cannot take a change of table " + table + ": " + reason + " (" + where(change)
                + ")";
    }

    /** Facts by which a person finds the row. */
    String where(OutsideChange change) {
        StringJoiner facts = new StringJoiner(", ");
        facts.add("op=" + change.op());
        facts.add("position=" + change.position());
        OutsideChange.Image image = change.after() == null ? change.before() : change.after();
        if (image != null) {
            for (String name : rows.key()) {
                facts.add(name + "="
                        + Objects.toString(image.values().get(rows.names().indexOf(name)), "NULL"));
            }
        }
        return facts.add("file=" + change.file()).toString();
    }
}
