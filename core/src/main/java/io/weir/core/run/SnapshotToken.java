package io.weir.core.run;

/**
 * Names one state of a source database, in the words of that database.
 *
 * @param kind the engine's name for it, such as {@code postgresql-snapshot}
 * @param text what a reader hands back to the engine to see that state
 */
public record SnapshotToken(String kind, String text) {
    /** An exported snapshot of PostgreSQL. */
    public static final String POSTGRESQL = "postgresql-snapshot";

    /** Whether the state can be read only as long as a session of the source keeps it. */
    public boolean needsHolder() {
        return kind.equals(POSTGRESQL);
    }
}
