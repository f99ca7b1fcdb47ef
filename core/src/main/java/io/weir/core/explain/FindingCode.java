package io.weir.core.explain;

/** Every rule of the explanation. Names are stable; each has one severity. */
public enum FindingCode {
    /** No rule matches: a fault of Weir. */
    UNEXPLAINED(Severity.ACT),
    /** Something waits for a worker process, and none is alive. */
    NO_WORKER(Severity.ACT),
    /** Partitions wait, and no live worker process reads their source. */
    NO_WORKER_FOR_SOURCE(Severity.ACT),
    /** Worker processes are alive, but do not look after what is over. */
    SWEEP_OVERDUE(Severity.ACT),
    /** Nobody took a step however often it was delivered. */
    STEP_DEAD(Severity.ACT),
    FAILED_MANIFEST(Severity.ACT),
    FAILED_EXTRACT(Severity.ACT),
    FAILED_SNAPSHOT_EXPIRED(Severity.ACT),
    FAILED_STAGE_VALIDATION(Severity.ACT),
    FAILED_PUBLISH(Severity.ACT),
    FAILED_TARGET_VALIDATION(Severity.ACT),
    TIMED_OUT(Severity.ACT),

    /** The lease of a run ended that nobody has read yet. */
    COORDINATOR_LOST(Severity.WARN),
    /** The lease of a claim ended. */
    PARTITION_LOST(Severity.WARN),
    /** Half of the lease of a claim went by without a sign. */
    PARTITION_SILENT(Severity.WARN),
    /** A worker gives signs, but no row since its claim. */
    NO_ROW_YET(Severity.WARN),
    /** Why a partition of an ended run failed. */
    PARTITION_FAILED(Severity.WARN),
    /** Partitions are still to be claimed, and nobody holds the snapshot. */
    SNAPSHOT_LOST(Severity.WARN),
    /** A step was delivered or offered before, without success. */
    STEP_NOT_TAKEN(Severity.WARN),
    /** Whoever did a step gave no sign until the end of the lease. */
    STEP_LOST(Severity.WARN),
    /** Readers may or may not see the rows. */
    PUBLISH_UNKNOWN(Severity.WARN),
    /** A measured value is not the expected one. */
    METRIC_DIFFERS(Severity.WARN),
    /** Another run of the cut ended without success. */
    CUT_BROKEN(Severity.WARN),
    /** A tenth of the time of the run is left. */
    DEADLINE_NEAR(Severity.WARN),
    /** The time of the run is over. */
    DEADLINE_OVER(Severity.WARN),

    /** Partitions wait, and a slot is free or nobody knows. */
    PARTITIONS_WAIT(Severity.WAIT),
    /** Partitions wait, and every slot is in use. */
    WORKERS_BUSY(Severity.WAIT),
    /** Partitions whose worker was lost wait to be read again. */
    PARTITIONS_GIVEN_BACK(Severity.WAIT),
    /** A step waits for its first delivery. */
    STEP_DUE(Severity.WAIT),
    /** A step is being delivered. */
    STEP_DELIVERY(Severity.WAIT),
    /** A step was taken, but not started yet. */
    STEP_SENT(Severity.WAIT),
    /** Another run publishes to the target. */
    TARGET_BUSY(Severity.WAIT),
    /** Audited; other runs of the cut are not. */
    CUT_NOT_AUDITED(Severity.WAIT),
    /** Read back; other runs of the cut are not. */
    CUT_NOT_CONFIRMED(Severity.WAIT),

    /** The snapshot is taken and the split is planned. */
    PLANNING(Severity.INFO),
    /** Workers read partitions. */
    READING(Severity.INFO),
    /** A worker stages the files and measures them. */
    AUDITING(Severity.INFO),
    /** A worker is about to publish. */
    PREPARING(Severity.INFO),
    /** A worker commits to the target. */
    PUBLISHING(Severity.INFO),
    /** A worker finds out whether the run is published. */
    RESOLVING(Severity.INFO),
    /** A worker reads the published snapshot back. */
    CONFIRMING(Severity.INFO),
    SUCCESS(Severity.INFO),
    CANCELLED(Severity.INFO);

    private final Severity severity;

    FindingCode(Severity severity) {
        this.severity = severity;
    }

    public Severity severity() {
        return severity;
    }
}
