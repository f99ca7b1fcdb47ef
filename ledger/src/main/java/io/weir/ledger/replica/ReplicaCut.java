package io.weir.ledger.replica;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/**
 * All tables of a job at one place. It opens with its windows and closes once every table that is
 * not stopped is there.
 *
 * @param number grows from cut to cut of a job, from 1
 * @param missing qualified names of tables that were not there when it closed
 */
public record ReplicaCut(
        String job,
        long number,
        LogPlace at,
        int tables,
        List<String> missing,
        Instant openedAt,
        @Nullable Instant closedAt) {
    public ReplicaCut {
        missing = List.copyOf(missing);
    }
}
