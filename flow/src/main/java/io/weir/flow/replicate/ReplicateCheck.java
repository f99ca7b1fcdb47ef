package io.weir.flow.replicate;

import io.weir.capture.Capture;
import io.weir.core.error.ErrorCode;
import io.weir.ledger.replica.ReplicaBooks;
import io.weir.source.Refusal;
import io.weir.source.TableSpec;

import java.util.List;

/**
 * What speaks against replicating a job; changes nothing.
 *
 * @param refusals each with the statement that mends it
 */
public record ReplicateCheck(ReplicateJob job, List<Refusal> refusals) {
    public ReplicateCheck {
        refusals = List.copyOf(refusals);
    }

    /** Looks at the source; a slot is missed only where the books say that there was one. */
    public static ReplicateCheck of(ReplicateJob job, Capture capture, ReplicaBooks books) {
        boolean begun = books.replications().stream()
                .anyMatch(row -> row.job().equals(job.name()) && row.begun() != null);
        List<TableSpec> specs = job.tables().stream().map(ReplicateTable::spec).toList();
        return new ReplicateCheck(
                job,
                capture.check(job.spec(specs)).stream()
                        .filter(refusal ->
                                begun || refusal.code() != ErrorCode.CAPTURE_SLOT_MISSING)
                        .toList());
    }
}
