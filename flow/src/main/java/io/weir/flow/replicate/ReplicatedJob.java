package io.weir.flow.replicate;

import io.weir.engine.MergeStrategy;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/** What keeps tables of the lake equal to others, wherever it learns of their changes. */
public sealed interface ReplicatedJob permits ReplicateJob, OutsideJob {
    Duration EVERY_DEFAULT = Duration.ofHours(1);

    /** Those of a week, if there is one each hour. */
    int CUTS_KEPT_DEFAULT = 7 * 24;

    String name();

    /** How long from window to window; zero: without a pause. */
    Duration every();

    MergeStrategy merge();

    Initial initial();

    /** Targets in the lake, {@code namespace.table}. */
    List<String> targets();

    /** So many of the newest cuts keep their names. */
    default int cutsKept() {
        return CUTS_KEPT_DEFAULT;
    }

    /** A table that does not hold what was committed so long ago is late; null: none is. */
    default @Nullable Duration lagMax() {
        return null;
    }

    /** Whether windows follow each other without a pause. */
    default boolean isContinuous() {
        return every().isZero();
    }
}
