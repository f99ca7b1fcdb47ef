package io.weir.flow.load;

import java.time.Duration;

/**
 * How a process works.
 *
 * @param name of the process in the ledger, such as {@code host/1234}
 * @param workers partitions that are read at the same time
 * @param patience how long it waits for a ledger or a catalog that cannot be reached
 */
public record LoadSettings(String name, int workers, Duration patience) {
    private static final Duration PATIENCE_DEFAULT = Duration.ofMinutes(2);

    public static LoadSettings of(String name, int workers) {
        return new LoadSettings(name, workers, PATIENCE_DEFAULT);
    }

    public LoadSettings withPatience(Duration limit) {
        return new LoadSettings(name, workers, limit);
    }
}
