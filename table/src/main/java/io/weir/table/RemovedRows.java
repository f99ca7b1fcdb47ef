package io.weir.table;

import io.weir.core.row.RowPositions;

/**
 * Rows of one file that a window takes out of the table.
 *
 * @param path full location of the file
 * @param positions of the rows, each live in the base
 */
public record RemovedRows(String path, RowPositions positions) {}
