package io.weir.ledger.publish;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.PublishAttempt;

/**
 * A target whose publishing can be looked up: first it is made impossible for the attempt to
 * succeed later, then the target is read. Both steps may be repeated.
 */
public interface PublishTarget {
    /**
     * Changes the target so that the attempt, if it did not succeed yet, never will.
     *
     * @throws WeirException for instance {@link ErrorCode#CATALOG_UNREACHABLE} if it is not certain
     *     that the fence stands
     */
    void fence(PublishAttempt attempt);

    /**
     * Looks for the attempt. Only called after the fence stands.
     *
     * @throws WeirException for instance {@link ErrorCode#CATALOG_UNREACHABLE}
     */
    PublishEvidence read(PublishAttempt attempt);
}
