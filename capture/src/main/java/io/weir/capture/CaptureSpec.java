package io.weir.capture;

import io.weir.source.TableSpec;

import java.util.List;

/**
 * Which changes are read.
 *
 * @param publication the publication of the source that carries the tables
 * @param slot the replication slot; nobody else reads it
 * @param tables tables of the publication, without policies: a value that cannot be held stops
 * @param identity what the source must log of old rows
 * @param slotBytesMax how much of its log the source may have to keep for the slot
 */
public record CaptureSpec(
        String publication,
        String slot,
        List<TableSpec> tables,
        Identity identity,
        long slotBytesMax) {
    /** 10 GiB. */
    public static final long SLOT_BYTES_MAX = 10L << 30;

    public CaptureSpec {
        tables = List.copyOf(tables);
        if (tables.isEmpty()) {
            throw new IllegalArgumentException("No table to capture");
        }
        if (slotBytesMax <= 0) {
            throw new IllegalArgumentException("Invalid slot size " + slotBytesMax + ": above 0");
        }
    }

    /** What a change says about the row as it was. */
    public enum Identity {
        /** Every column, so that old images have digests. */
        FULL,
        /** At least the primary key. */
        KEY
    }
}
