package io.weir.flow.replicate;

import io.weir.table.LogTable;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/**
 * Where the changes of a job come from: brings the rows that its tables begin with, and keeps their
 * change logs. A table of which nothing more can be known stops alone.
 */
interface LogOrigin extends AutoCloseable {
    /** Change logs of all tables that may have windows, by table. */
    Map<String, LogTable> logs();

    /**
     * Brings what is not there yet.
     *
     * @param all whether everything that was committed before the call has to be in the logs; if
     *     not, what is there counts
     * @param patient whether a table whose pause is not over is left alone
     * @return up to where windows may go; null if no table is left whose log is kept
     */
    @Nullable
    WindowEnds reach(boolean all, boolean patient);

    /** Everything that is committed now is before the first place behind this one. */
    long mark();

    /** Up to where windows may go with what earlier calls and claims brought. */
    WindowEnds reached();

    /**
     * Whether the logs are still kept; if not, {@link #reach} has to be called at once.
     *
     * @throws io.weir.core.error.WeirException for what concerns the job
     */
    boolean isKept();

    @Override
    void close();
}
