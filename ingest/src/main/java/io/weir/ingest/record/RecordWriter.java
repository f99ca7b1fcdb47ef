package io.weir.ingest.record;

import io.weir.ingest.row.RecordException;
import io.weir.ingest.row.Row;

/**
 * A format of records, and the place to add one of your own. An object has no state of a
 * connection: any number of connections may share it.
 */
public interface RecordWriter {
    /** A reader of records for one connection and one state of the table. */
    Encoder encoder(RecordLayout layout);

    /** How records follow each other in a stream. */
    Framing framing();

    /** Turns records into rows. Used by one thread at a time. */
    @FunctionalInterface
    interface Encoder {
        /**
         * Sets the values that a record gives. Columns that are not set are NULL.
         *
         * @param row without values, except those of static partitions
         * @throws RecordException if the record cannot become a row
         */
        void encode(byte[] record, int offset, int length, Row row) throws RecordException;
    }
}
