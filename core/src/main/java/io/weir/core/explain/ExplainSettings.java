package io.weir.core.explain;

import java.time.Duration;

/**
 * How the loops of the deployment run; they must be those that the ledger and its workers use, or
 * the explanation says wrong times.
 *
 * @param sweepInterval how often a worker process looks after what is over, and for due dispatches
 * @param grace after its start a process declares nothing lost for this long
 * @param claimLease how long a claim lives without a sign
 * @param claimsMax how often one partition may be claimed
 * @param dispatchAttemptsMax deliveries before a dispatch is DEAD
 * @param ackTimeout how long a receiver may take to start a step
 * @param cyclesMax how often a run may begin the same step before publishing
 * @param signFresh a worker process whose last sign is older is not alive
 * @param rowsWithin how long a claim may take to its first row before that is worth saying
 */
public record ExplainSettings(
        Duration sweepInterval,
        Duration grace,
        Duration claimLease,
        int claimsMax,
        int dispatchAttemptsMax,
        Duration ackTimeout,
        int cyclesMax,
        Duration signFresh,
        Duration rowsWithin) {}
