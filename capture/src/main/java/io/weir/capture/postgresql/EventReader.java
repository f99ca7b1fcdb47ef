package io.weir.capture.postgresql;

import io.weir.capture.CaptureSpec;
import io.weir.capture.ChangeOp;
import io.weir.capture.ChangeStream;
import io.weir.capture.RowImage;
import io.weir.capture.StreamEvent;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Column;

import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Turns records into events and holds the stream to what it says of itself: ordinals without gap,
 * as many changes as the end of the transaction counts. Not thread-safe.
 */
final class EventReader {
    private static final String TRANSACTIONS = DebeziumSettings.TOPIC_PREFIX + ".transaction";
    private static final String COMMIT_LSN = "lsn_commit";

    /** What a table brings about alone: streams of the others go on without it. */
    private static final Set<ErrorCode> OF_A_TABLE =
            EnumSet.of(ErrorCode.CAPTURE_SCHEMA_CHANGED, ErrorCode.CAPTURE_IDENTITY_UNFIT);

    private final String source;
    private final boolean full;
    private final Map<String, Long> floors;
    private final Map<String, Map<String, Relation>> relations = new HashMap<>();
    private final Map<String, WeirException> unfits = new TreeMap<>();
    private final Map<String, ImageReader> changed = new HashMap<>();
    private @Nullable String transaction;
    private long counted;
    private long lastPlace = -1;

    private record Relation(String name, ImageReader reader) {}

    /**
     * Reads the records of one stream.
     *
     * @param floors by table, as {@link io.weir.capture.Capture#open} has them
     * @param added the same
     */
    EventReader(
            String source,
            CaptureSpec.Identity identity,
            List<CapturedRelation> captured,
            Map<String, Long> floors,
            Map<String, Set<String>> added) {
        this.source = source;
        this.floors = Map.copyOf(floors);
        this.full = identity == CaptureSpec.Identity.FULL;
        for (CapturedRelation relation : captured) {
            relations
                    .computeIfAbsent(relation.schemaName(), name -> new HashMap<>())
                    .put(
                            relation.name(),
                            new Relation(
                                    relation.qualifiedName(),
                                    new ImageReader(
                                            relation,
                                            added.getOrDefault(
                                                    relation.qualifiedName(), Set.of()))));
        }
    }

    /** The event of a record; null if it is of nobody's concern. */
    @Nullable
    StreamEvent read(SourceRecord record) {
        Struct value = (Struct) record.value();
        if (record.topic().equals(TRANSACTIONS)) {
            return boundary(record, value);
        }
        if (transaction == null) {
            throw broken("a change is outside of a transaction (topic=" + record.topic() + ")");
        }
        counted++;
        Struct place = value.getStruct("transaction");
        long order = place == null ? counted : place.getInt64("total_order");
        if (order != counted) {
            throw broken("a change is missing or comes twice (transaction=" + transaction
                    + ", expected=" + counted + ", found=" + order + ")");
        }
        // Messages that applications write into the log count, but are no changes.
        return value.schema().field("before") == null ? null : readable(record, value);
    }

    private StreamEvent boundary(SourceRecord record, Struct value) {
        String id = value.getString("id");
        String name = id.substring(0, id.indexOf(':') < 0 ? id.length() : id.indexOf(':'));
        if (value.getString("status").equals("BEGIN")) {
            if (transaction != null) {
                throw broken("a transaction begins inside of another one (transaction=" + name
                        + ", open=" + transaction + ")");
            }
            transaction = name;
            counted = 0;
            return new StreamEvent.Begin(name);
        }
        return commit(record, value, name);
    }

    private StreamEvent commit(SourceRecord record, Struct value, String name) {
        Long count = value.getInt64("event_count");
        if (!name.equals(transaction) || count == null || count != counted) {
            throw broken("a transaction ends with other changes than were read (transaction=" + name
                    + ", open=" + transaction + ", counted=" + counted + ", stated=" + count + ")");
        }
        transaction = null;
        if (!(record.sourceOffset().get(COMMIT_LSN) instanceof Long place)) {
            throw broken("a transaction ends nowhere (transaction=" + name + ")");
        }
        if (place <= lastPlace) {
            throw broken("transactions go backwards (transaction=" + name + ", position="
                    + Lsn.position(place) + ", before=" + Lsn.position(lastPlace) + ")");
        }
        requireCovered(place);
        changed.forEach((table, reader) -> {
            if (place > floors.getOrDefault(table, -1L)) {
                reader.settle();
            }
        });
        changed.clear();
        lastPlace = place;
        return new StreamEvent.Commit(name, Lsn.position(place), place);
    }

    private StreamEvent.@Nullable Change readable(SourceRecord record, Struct value) {
        Struct origin = value.getStruct("source");
        Relation relation = relations
                .getOrDefault(origin.getString("schema"), Map.of())
                .get(origin.getString("table"));
        if (relation == null) {
            // The engine compares names without case, so a namesake of another case may come.
            return null;
        }
        Long place = origin.getInt64("lsn");
        long floor = floors.getOrDefault(relation.name(), -1L);
        boolean needless = place != null && place <= floor;
        changed.put(relation.name(), relation.reader());
        try {
            return change(record, value, origin, relation);
        } catch (UnfitValue e) {
            return unreadable(unfit(e, keyText(record), relation), relation, needless);
        } catch (WeirException e) {
            WeirException ofTable = OF_A_TABLE.contains(e.code())
                    ? e.with(Map.of(ChangeStream.TABLE, relation.name()))
                    : e;
            return unreadable(ofTable, relation, needless);
        }
    }

    /** Its transaction may be committed behind the floor all the same: only the end tells. */
    private StreamEvent.@Nullable Change unreadable(
            WeirException cause, Relation relation, boolean needless) {
        if (!needless) {
            throw cause;
        }
        unfits.putIfAbsent(relation.name(), cause);
        return null;
    }

    private static WeirException unfit(UnfitValue found, String key, Relation relation) {
        Column column = found.column();
        return new WeirException(
                        ErrorCode.SOURCE_VALUE_UNREPRESENTABLE,
                        "Cannot capture table " + relation.name() + ": column " + column.name()
                                + " of " + (key.isEmpty() ? "a row" : "row " + key)
                                + " has a value that its type cannot hold (value="
                                + found.value() + ", type=" + column.type() + ", source type="
                                + column.sourceType() + "); set another value at the source first",
                        found)
                .with(facts(relation, key, found));
    }

    private static Map<String, Object> facts(Relation relation, String key, UnfitValue found) {
        Column column = found.column();
        Map<String, Object> facts = new HashMap<>();
        facts.put(ChangeStream.TABLE, relation.name());
        facts.put(ChangeStream.EXPECTED, column.name() + " as " + column.sourceType());
        facts.put(ChangeStream.FOUND, "{" + column.name() + "=" + found.value() + "}");
        if (!key.isEmpty()) {
            facts.put(ChangeStream.KEY, key);
        }
        return facts;
    }

    /** {@code id=4}; empty if the table has no key. */
    private static String keyText(SourceRecord record) {
        return record.key() instanceof Struct key
                ? key.schema().fields().stream()
                        .map(field -> field.name() + "=" + key.get(field))
                        .collect(Collectors.joining(", "))
                : "";
    }

    /** What was left out because a load has it must have been committed before that load. */
    private void requireCovered(long place) {
        unfits.forEach((table, unfit) -> {
            if (place > floors.getOrDefault(table, -1L)) {
                throw unfit.with(unfit.details());
            }
        });
        unfits.clear();
    }

    private StreamEvent.Change change(
            SourceRecord record, Struct value, Struct origin, Relation relation) {
        long commitMicros = origin.getInt64("ts_us");
        ChangeOp op = op(value.getString("op"), relation);
        RowImage before = switch (op) {
            case UPDATE, DELETE -> before(record, value.getStruct("before"), relation);
            case INSERT, TRUNCATE -> null;
        };
        RowImage after = switch (op) {
            case INSERT, UPDATE -> relation.reader().read(value.getStruct("after"));
            case DELETE, TRUNCATE -> null;
        };
        if (full && after != null && !after.isComplete()) {
            throw downgraded(relation, "a big value was not sent");
        }
        return new StreamEvent.Change(relation.name(), counted, commitMicros, op, before, after);
    }

    private ChangeOp op(String text, Relation relation) {
        return switch (text) {
            case "c" -> ChangeOp.INSERT;
            case "u" -> ChangeOp.UPDATE;
            case "d" -> ChangeOp.DELETE;
            case "t" -> ChangeOp.TRUNCATE;
            default ->
                throw broken("a change is of an unknown kind (table=" + relation.name() + ", op="
                        + text + ")");
        };
    }

    private @Nullable RowImage before(
            SourceRecord record, @Nullable Struct row, Relation relation) {
        if (!full) {
            return row == null ? null : relation.reader().readOnly(row, keyNames(record));
        }
        if (row == null) {
            throw downgraded(relation, "a change has no old row");
        }
        RowImage image = relation.reader().read(row);
        String column = relation.reader().brokenRule(image);
        if (column != null || !image.isComplete()) {
            throw downgraded(relation, "an old row is not complete (column=" + column + ")");
        }
        return image;
    }

    private static Set<String> keyNames(SourceRecord record) {
        Set<String> names = new TreeSet<>();
        if (record.key() instanceof Struct key) {
            for (Field field : key.schema().fields()) {
                names.add(field.name());
            }
        }
        return names;
    }

    private static WeirException downgraded(Relation relation, String reason) {
        return new WeirException(
                ErrorCode.CAPTURE_IDENTITY_UNFIT,
                "Cannot capture table " + relation.name() + ": " + reason
                        + ", its replica identity was full and is no longer");
    }

    private WeirException broken(String reason) {
        return new WeirException(
                ErrorCode.CAPTURE_STREAM_BROKEN, "Cannot capture source " + source + ": " + reason);
    }
}
