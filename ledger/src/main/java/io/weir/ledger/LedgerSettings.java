package io.weir.ledger;

import java.time.Duration;

/**
 * What can be chosen about a ledger.
 *
 * @param claimLease a claim counts as lost this long after the last sign of its worker
 * @param claimsMax how often one partition may be claimed before the run fails
 * @param connectionsMax size of the pool
 */
public record LedgerSettings(Duration claimLease, int claimsMax, int connectionsMax) {
    public static final LedgerSettings DEFAULTS = new LedgerSettings(Duration.ofSeconds(30), 5, 8);

    public LedgerSettings withClaimLease(Duration lease) {
        return new LedgerSettings(lease, claimsMax, connectionsMax);
    }

    public LedgerSettings withConnectionsMax(int connections) {
        return new LedgerSettings(claimLease, claimsMax, connections);
    }
}
