package io.weir.flow.replicate;

import io.weir.flow.load.LoadSettings;

import java.nio.file.Path;

/**
 * How a process replicates.
 *
 * @param load how it loads what is not loaded yet; its lease is that of the job, too
 * @param concurrent how many tables are merged at once at most
 * @param buffers a directory of this process alone for changes that wait
 * @param logRowsMax after so many changes of all tables the change logs are committed
 */
public record ReplicateSettings(LoadSettings load, int concurrent, Path buffers, long logRowsMax) {
    private static final long LOG_ROWS_DEFAULT = 100_000;
    private static final long MEMORY_FOR_A_MERGE = 256L << 20;

    /** As many merges at once as cores and memory allow. */
    public static ReplicateSettings of(LoadSettings load, Path buffers, int cores, long memory) {
        long fitting = Math.max(1, memory / MEMORY_FOR_A_MERGE);
        return new ReplicateSettings(
                load, (int) Math.min(cores, fitting), buffers, LOG_ROWS_DEFAULT);
    }
}
