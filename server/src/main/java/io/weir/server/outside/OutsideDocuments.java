package io.weir.server.outside;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.client.OutsideRuns;
import io.weir.core.run.RunId;
import io.weir.ledger.outside.OutsideLedger;
import io.weir.ledger.outside.RunQuery;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Outside runs of books that this process has, as the same documents that a server gives. */
public final class OutsideDocuments implements OutsideRuns {
    private final OutsideLedger ledger;

    public OutsideDocuments(OutsideLedger ledger) {
        this.ledger = ledger;
    }

    @Override
    public List<ObjectNode> newest(@Nullable String job, int most) {
        int bounded = Math.min(most, RUNS_MAX);
        return ledger.runs(new RunQuery(job, null, null, bounded)).stream()
                .map(OutsideJson::run)
                .toList();
    }

    @Override
    public ObjectNode detail(RunId id) {
        return OutsideJson.detail(ledger.detail(id));
    }

    @Override
    public ObjectNode explained(RunId id) {
        return OutsideExplain.of(ledger.detail(id));
    }

    @Override
    public ObjectNode events(RunId id) {
        return OutsideJson.events(id.toString(), ledger.events(id, EVENTS_MAX));
    }
}
