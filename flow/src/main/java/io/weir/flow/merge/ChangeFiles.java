package io.weir.flow.merge;

import io.weir.core.row.RowSchema;

import java.nio.file.Path;
import java.util.List;

/** Where changes are read from: a change log of ours, or files that somebody else wrote. */
public interface ChangeFiles {
    /**
     * Local Parquet files that hold every change of a window; they may hold others, too.
     *
     * @param from place that the window begins behind
     * @param to place that it ends with
     */
    List<Path> files(long from, long to);

    /** The columns of these files, by the names of {@link io.weir.table.LogColumn}. */
    RowSchema columns();

    /** The columns of the images, under the field ids that digests are computed with. */
    RowSchema rows();
}
