package io.weir.flow.replicate;

import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Replica;

import java.util.List;

/**
 * Where the tables of a job are after a window.
 *
 * @param to the end of the window
 */
public record ReplicateReport(LogPlace to, List<Replica> replicas) {
    public ReplicateReport {
        replicas = List.copyOf(replicas);
    }

    /** Whether every table is proven to be the source's at the end of the window. */
    public boolean isVerified() {
        return replicas.stream().allMatch(this::isThere);
    }

    /** Whether a table reached the end of the window. */
    public boolean isThere(Replica replica) {
        LogPlace verified = replica.verified();
        return replica.stop() == null && verified != null && verified.place() >= to.place();
    }
}
