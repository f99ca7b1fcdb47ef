package io.weir.flow.load;

import java.time.Duration;

/**
 * How a process works.
 *
 * @param name of the process in the ledger, such as {@code host/1234}
 * @param workers partitions that are read at the same time
 * @param patience how long it waits for a ledger or a catalog that cannot be reached
 * @param lease how long its runs live without a sign; that of the ledger's claims
 */
public record LoadSettings(String name, int workers, Duration patience, Duration lease) {
    /** How long a process may be silent if nobody says otherwise. */
    public static final Duration LEASE_DEFAULT = Duration.ofSeconds(30);

    private static final Duration PATIENCE_DEFAULT = Duration.ofMinutes(2);

    /** A lease outlives several signs that came to nothing. */
    private static final int BEATS_IN_A_LEASE = 6;

    public static LoadSettings of(String name, int workers) {
        return new LoadSettings(name, workers, PATIENCE_DEFAULT, LEASE_DEFAULT);
    }

    public LoadSettings withPatience(Duration limit) {
        return new LoadSettings(name, workers, limit, lease);
    }

    public LoadSettings withLease(Duration silence) {
        return new LoadSettings(name, workers, patience, silence);
    }

    /** How often the process gives a sign. */
    Duration beat() {
        return lease.dividedBy(BEATS_IN_A_LEASE);
    }
}
