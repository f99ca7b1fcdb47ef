package io.weir.flow.replicate;

import io.weir.flow.load.LoadSettings;

import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * How a process replicates.
 *
 * @param load how it loads what is not loaded yet; its lease is that of the job, too
 * @param concurrent how many tables are merged at once at most
 * @param freeBytes tells how much memory of the machine nobody uses now
 * @param buffers a directory of this process alone for changes that wait
 * @param logRowsMax after so many changes of all tables the change logs are committed
 */
public record ReplicateSettings(
        LoadSettings load, int concurrent, LongSupplier freeBytes, Path buffers, long logRowsMax) {
    private static final long LOG_ROWS_DEFAULT = 100_000;

    /** As many merges at once as there are cores, if memory allows. */
    public static ReplicateSettings of(
            LoadSettings load, int cores, LongSupplier freeBytes, Path buffers) {
        return new ReplicateSettings(load, cores, freeBytes, buffers, LOG_ROWS_DEFAULT);
    }
}
