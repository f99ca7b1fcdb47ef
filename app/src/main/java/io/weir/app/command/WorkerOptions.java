package io.weir.app.command;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import picocli.CommandLine.Option;

/** How many partitions are read at the same time. */
final class WorkerOptions {
    private static final int COUNT_MAX = 64;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Partitions read at the same time (default: one for each core).")
    private int count = Runtime.getRuntime().availableProcessors();

    /** The number, from 1 to 64: each holds a connection to the source. */
    int count() {
        if (count < 1 || count > COUNT_MAX) {
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID,
                    "Cannot use --workers " + count + ": from 1 to " + COUNT_MAX);
        }
        return count;
    }
}
