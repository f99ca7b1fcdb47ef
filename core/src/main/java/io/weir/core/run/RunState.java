package io.weir.core.run;

/** The states of a run. Every state that is not terminal is ended by a lease or a deadline. */
public enum RunState {
    /** Registered; the manifest moves it on. */
    CREATED(false),
    /** Workers read partitions; the report that completes the last one moves it on. */
    EXTRACTING(false),
    /** Every partition arrived; the worker that the outbox calls moves it on. */
    EXTRACTED_VALIDATED(false),
    /** Files are staged and measured; the ledger's verdict moves it on. */
    STAGE_VALIDATING(false),
    /** What is staged equals what was read; the publish claim moves it on. */
    STAGING_VALIDATED(false),
    /** One owner commits to the target; the publish result moves it on. */
    PUBLISHING(false),
    /** The commit may or may not have happened; fence, read, conclude moves it on. */
    PUBLISH_UNKNOWN(false),
    /** The target shows the rows; the read-back moves it on. */
    PUBLISHED(false),
    SUCCESS(true),
    FAILED_MANIFEST(true),
    FAILED_EXTRACT(true),
    FAILED_SNAPSHOT_EXPIRED(true),
    FAILED_STAGE_VALIDATION(true),
    FAILED_PUBLISH(true),
    /** Published, but the read-back differs: the target needs a person. */
    FAILED_TARGET_VALIDATION(true),
    TIMED_OUT(true),
    CANCELLED(true);

    private final boolean terminal;

    RunState(boolean terminal) {
        this.terminal = terminal;
    }

    public boolean isTerminal() {
        return terminal;
    }

    /** An active run keeps its job and business key from being run again. */
    public boolean isActive() {
        return !terminal;
    }

    /** Whether no reader can have seen the rows yet, and none ever will if the run ends now. */
    public boolean isBeforePublishing() {
        return switch (this) {
            case CREATED, EXTRACTING, EXTRACTED_VALIDATED, STAGE_VALIDATING, STAGING_VALIDATED ->
                true;
            case PUBLISHING,
                    PUBLISH_UNKNOWN,
                    PUBLISHED,
                    SUCCESS,
                    FAILED_MANIFEST,
                    FAILED_EXTRACT,
                    FAILED_SNAPSHOT_EXPIRED,
                    FAILED_STAGE_VALIDATION,
                    FAILED_PUBLISH,
                    FAILED_TARGET_VALIDATION,
                    TIMED_OUT,
                    CANCELLED -> false;
        };
    }
}
