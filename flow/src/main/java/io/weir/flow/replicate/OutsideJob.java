package io.weir.flow.replicate;

import io.weir.engine.MergeStrategy;
import io.weir.ledger.replica.LogPlace;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/**
 * A job whose changes somebody else writes into files.
 *
 * @param every how long from window to window; zero: without a pause
 * @param initial not {@link Initial#SNAPSHOT}: there is no source
 * @param asOf with {@link Initial#FROM_TABLE} the place at which the targets are; null: at some
 *     place that the logs hold
 */
public record OutsideJob(
        String name,
        List<OutsideTable> tables,
        Duration every,
        MergeStrategy merge,
        Initial initial,
        @Nullable LogPlace asOf)
        implements ReplicatedJob {
    /** In the books the source of every such job, which no job file can name. */
    static final String SOURCE = "(outside log)";

    public OutsideJob {
        tables = List.copyOf(tables);
        if (initial == Initial.SNAPSHOT) {
            throw new IllegalArgumentException("No source to take a snapshot of");
        }
    }

    @Override
    public List<String> targets() {
        return tables.stream().map(OutsideTable::target).toList();
    }
}
