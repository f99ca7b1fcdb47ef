package io.weir.ledger;

import io.weir.ledger.dispatch.DispatchCommand.DispatchRules;

import java.time.Duration;

/**
 * What can be chosen about a ledger.
 *
 * @param claimLease a claim, a snapshot holder and a loop count as lost this long after the last
 *     sign of their process
 * @param claimsMax how often one partition may be claimed before the run fails
 * @param dispatchLease how long a delivery may take before the row is delivered again
 * @param dispatch how often and how soon a row of the outbox is delivered
 * @param cyclesMax how often a run may begin the same step before it fails
 * @param grace a process declares nothing lost for this long after its start, and after the
 *     ledger could not be reached
 * @param workerRetention the row of a worker process is removed this long after its last sign
 * @param connectionsMax size of the pool; signs of life have a small one of their own
 */
public record LedgerSettings(
        Duration claimLease,
        int claimsMax,
        Duration dispatchLease,
        DispatchRules dispatch,
        int cyclesMax,
        Duration grace,
        Duration workerRetention,
        int connectionsMax) {
    public static final LedgerSettings DEFAULTS = ofLease(Duration.ofSeconds(30));

    /** The defaults with every time that work waits for in proportion to the lease of a claim. */
    public static LedgerSettings ofLease(Duration lease) {
        return new LedgerSettings(
                lease,
                5,
                lease.multipliedBy(2),
                new DispatchRules(
                        20, lease.dividedBy(6), lease.multipliedBy(10), lease.multipliedBy(4)),
                5,
                lease,
                Duration.ofDays(1),
                8);
    }

    public LedgerSettings withClaimLease(Duration lease) {
        return new LedgerSettings(
                lease,
                claimsMax,
                dispatchLease,
                dispatch,
                cyclesMax,
                grace,
                workerRetention,
                connectionsMax);
    }

    public LedgerSettings withClaimsMax(int claims) {
        return new LedgerSettings(
                claimLease,
                claims,
                dispatchLease,
                dispatch,
                cyclesMax,
                grace,
                workerRetention,
                connectionsMax);
    }

    public LedgerSettings withDispatch(Duration lease, DispatchRules rules) {
        return new LedgerSettings(
                claimLease,
                claimsMax,
                lease,
                rules,
                cyclesMax,
                grace,
                workerRetention,
                connectionsMax);
    }

    public LedgerSettings withGrace(Duration pause) {
        return new LedgerSettings(
                claimLease,
                claimsMax,
                dispatchLease,
                dispatch,
                cyclesMax,
                pause,
                workerRetention,
                connectionsMax);
    }

    public LedgerSettings withConnectionsMax(int connections) {
        return new LedgerSettings(
                claimLease,
                claimsMax,
                dispatchLease,
                dispatch,
                cyclesMax,
                grace,
                workerRetention,
                connections);
    }
}
