package io.weir.ledger.publish;

import io.weir.core.publish.PublishMode;
import io.weir.core.run.Run;

/** Which runs may be published to a target after which. Pure. */
public final class PublishOrder {
    private PublishOrder() {}

    /**
     * Whether a run comes too late: it would take away what a newer one brought, or bring beside it
     * what that one has replaced. Two that append do neither, nor do two that replace the rows of
     * different business keys.
     *
     * @param newer a run of the same target that was created after it and is published
     */
    public static boolean isOvertaken(Run run, Run newer) {
        return isOvertaken(
                run.publishMode(),
                newer.publishMode(),
                run.businessKey().equals(newer.businessKey()));
    }

    static boolean isOvertaken(PublishMode mode, PublishMode newer, boolean sameKey) {
        if (mode != newer) {
            return true;
        }
        return switch (mode) {
            case APPEND -> false;
            case REPLACE -> true;
            case REPLACE_PARTITIONS -> sameKey;
        };
    }
}
