package io.weir.ingest.row;

/**
 * Rows of one route that stand next to each other, given away by the {@link RowBuffer} that was
 * filled with them.
 *
 * @param bytes of the rows; only the first {@code length} count
 */
@SuppressWarnings("ArrayRecordComponent") // Handed from one owner to the next, never compared.
public record RowChunk(byte[] bytes, int length, long rows) {}
