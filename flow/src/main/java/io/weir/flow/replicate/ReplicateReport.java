package io.weir.flow.replicate;

import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Replica;

import java.util.List;

/**
 * Where the tables of a job are after a window.
 *
 * @param ends where the window of each table ended
 */
public record ReplicateReport(WindowEnds ends, List<Replica> replicas) {
    public ReplicateReport {
        replicas = List.copyOf(replicas);
    }

    /** The greatest place that a window ended with. */
    public LogPlace to() {
        return ends.to();
    }

    /** Whether every table is proven to be the source's at the end of the window. */
    public boolean isVerified() {
        return replicas.stream().allMatch(this::isThere);
    }

    /** Whether a table reached the end of the window. */
    public boolean isThere(Replica replica) {
        LogPlace verified = replica.verified();
        LogPlace end = ends.of(replica.table());
        return replica.stop() == null
                && verified != null
                && end != null
                && verified.place() >= end.place();
    }
}
