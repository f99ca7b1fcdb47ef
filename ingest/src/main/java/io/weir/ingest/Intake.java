package io.weir.ingest;

import io.weir.core.error.ErrorCode;
import io.weir.core.route.PartitionTransform;
import io.weir.ingest.record.RecordLayout;
import io.weir.ingest.record.RecordWriter;
import io.weir.ingest.record.StaticPartitions;
import io.weir.ingest.row.RecordException;
import io.weir.ingest.row.RoutedRows;
import io.weir.ingest.row.Row;
import io.weir.table.IngestLook;

/** Turns records into rows of one state of the table. */
final class Intake {
    private final IngestLook look;
    private final Row row;
    private final RecordWriter.Encoder encoder;
    private final RoutedRows rows;

    private Intake(IngestLook look, Row row, RecordWriter.Encoder encoder) {
        this.look = look;
        this.row = row;
        this.encoder = encoder;
        this.rows = new RoutedRows(look.schema(), look.partitionBy());
    }

    static Intake of(IngestLook look, ConnectionSettings settings) throws StreamingException {
        Row row = new Row(look.schema(), settings.policy().nullsValues());
        boolean isStatic = !settings.staticPartitions().isEmpty();
        if (isStatic && !hasPartitionColumns(look)) {
            throw cannot(settings, "the connection specifies partitions for un-partitioned table");
        }
        try {
            if (isStatic) {
                StaticPartitions.set(
                        settings.staticPartitions(), look.schema(), look.partitionBy(), row);
            }
            RecordLayout layout = RecordLayout.of(look.schema(), look.partitionBy(), isStatic);
            return new Intake(look, row, settings.writer().encoder(layout));
        } catch (RecordException e) {
            String column = e.column() == null ? "" : "column " + e.column() + ": ";
            throw cannot(settings, column + e.reason());
        } catch (IllegalArgumentException e) {
            throw cannot(settings, String.valueOf(e.getMessage()));
        }
    }

    private static ConnectionError cannot(ConnectionSettings settings, String reason) {
        return new ConnectionError(
                ErrorCode.CONFIG_INVALID,
                "Cannot connect to table " + settings.target() + ": " + reason,
                null);
    }

    static boolean hasPartitionColumns(IngestLook look) {
        return look.partitionBy().fields().stream()
                .anyMatch(field -> field.transform() == PartitionTransform.IDENTITY);
    }

    /** Whether records mean the same in another look at the table. */
    boolean fits(IngestLook other) {
        return look.schemaId() == other.schemaId()
                && look.schema().equals(other.schema())
                && look.partitionBy().equals(other.partitionBy());
    }

    IngestLook look() {
        return look;
    }

    RoutedRows rows() {
        return rows;
    }

    /** Takes a record, all of it or nothing. */
    void take(byte[] record, int offset, int length) throws RecordException {
        row.reset();
        encoder.encode(record, offset, length, row);
        rows.add(row);
    }

    long nulled() {
        return row.nulled();
    }
}
