package io.weir.engine;

import io.weir.core.row.RowPositions;

import java.nio.file.Path;

/**
 * A live file of the table that a window is merged into.
 *
 * @param rows of the file, deleted ones included
 * @param deleted rows of it that are no longer in the table
 */
public record MergeFile(Path path, long rows, RowPositions deleted) {}
