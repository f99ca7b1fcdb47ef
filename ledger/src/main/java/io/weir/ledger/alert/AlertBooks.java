package io.weir.ledger.alert;

import io.weir.core.error.ErrorCode;

import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * How far the alerts of each job were told on each channel. Safe for use by many threads and
 * processes; every call throws {@link ErrorCode#LEDGER_UNREACHABLE} if the books cannot be reached.
 */
public interface AlertBooks {
    /** Where alerts go. */
    enum Channel {
        SLACK,
        WEBHOOK
    }

    /**
     * An alert that is leased to the one who asked.
     *
     * @param token of the lease; once another one has it, keeping changes nothing
     */
    record Due(Channel channel, Alert alert, UUID token) {}

    /** Opens a channel, once for all: what happened before is not told there. */
    void open(Channel channel);

    /**
     * Leases the next alert of a job, or of a run of it, for 60 seconds. What is older than 7 days
     * is passed over.
     *
     * @param jobs whose alerts are told; empty: all
     * @return empty if nothing is due, or somebody else is telling
     */
    Optional<Due> next(Channel channel, Set<String> jobs);

    /** Keeps that an alert was taken, or never will be. */
    void told(Due due);

    /** Keeps that telling failed: it is due again after a pause that grows, at most 5 minutes. */
    void postpone(Due due);
}
