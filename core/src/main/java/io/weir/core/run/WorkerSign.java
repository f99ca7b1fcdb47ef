package io.weir.core.run;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * The last sign of life of a worker process.
 *
 * @param name host and process id
 * @param sources names of the sources that it can read
 * @param slots partitions that it reads at the same time
 * @param busy how many of them are in use
 * @param startedAt the first sign
 * @param seenAt the last sign
 */
public record WorkerSign(
        UUID id,
        String name,
        List<String> sources,
        int slots,
        int busy,
        Instant startedAt,
        Instant seenAt) {
    public WorkerSign {
        sources = List.copyOf(sources);
    }
}
