package io.weir.ledger.replica;

import java.time.Instant;

/**
 * A file of an outside log as it was when its changes were taken.
 *
 * @param path below the directory of the log, with slashes
 * @param modifiedAt last change by its file system, in whole microseconds
 * @param checksum SHA-256 in hexadecimal
 * @param rows changes in it
 * @param first smallest place; 0 without rows
 * @param last greatest place; 0 without rows
 */
public record TakenFile(
        String path,
        long bytes,
        Instant modifiedAt,
        String checksum,
        long rows,
        long first,
        long last) {}
