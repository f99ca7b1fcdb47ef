package io.weir.core.run;

/** What was really obtained from the source; it can only go down. */
public enum Consistency {
    /** Every row and the expectation were read at one state of the database. */
    SAME_SNAPSHOT("same-snapshot"),
    /** Each partition was read at one state, but not all at the same. */
    PER_PARTITION("per-partition"),
    NONE("none");

    private final String label;

    Consistency(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
