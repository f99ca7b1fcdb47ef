package io.weir.engine;

import io.weir.core.row.RowSchema;

import java.util.List;

/**
 * Which changes of an outside log are read, and as what.
 *
 * @param files every one tells rows of these columns
 * @param rows columns of the images, with the key
 * @param wholeBefore whether the images before are whole; if not, only their key counts
 * @param from place behind which changes count
 * @param to place up to which they count
 */
public record OutsideRead(
        List<OutsideFile> files,
        OutsideColumns columns,
        RowSchema rows,
        boolean wholeBefore,
        long from,
        long to) {
    public OutsideRead {
        files = List.copyOf(files);
    }
}
