package io.weir.ledger.event;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What one statement did to one row, or to the new chunks of one claim.
 *
 * @param row which row, such as {@code run}, {@code partition/0003}, {@code chunk/0003/1/0};
 *     {@code chunks/0003/1} for several {@linkplain io.weir.ledger.chunk.ChunkBatch together}
 * @param fields the columns that changed, with their values after
 */
public record RowChange(String row, ObjectNode fields) {}
