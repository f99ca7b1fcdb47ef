package io.weir.flow.replicate;

/** What was just done for a window. */
public enum WindowStep {
    OPENED,
    PLANNED,
    STAGED,
    AUDITED,
    SENDING,
    SENT,
    SETTLED
}
