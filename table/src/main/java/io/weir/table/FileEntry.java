package io.weir.table;

/**
 * A data file as a snapshot lists it.
 *
 * @param path full location
 */
public record FileEntry(String path, long rows, long bytes) {}
