package io.weir.core.run;

/** What happens to a partition whose worker gave no sign before its lease ended. */
public enum RecoveryMode {
    /** The run ends. */
    FAIL,
    /** The partition is read again at the same snapshot, by whoever claims it. */
    REISSUE
}
