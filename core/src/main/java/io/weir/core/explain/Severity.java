package io.weir.core.explain;

/** How much a finding asks for, least first. */
public enum Severity {
    /** Somebody works, or the run ended as it should. */
    INFO,
    /** Nobody works; it goes on by itself. */
    WAIT,
    /** Something went wrong; what follows happens by itself. */
    WARN,
    /** Nothing good happens unless a person does something. */
    ACT
}
