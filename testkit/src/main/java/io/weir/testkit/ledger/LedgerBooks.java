package io.weir.testkit.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.ledger.WorkLedger;
import io.weir.core.run.RunId;

import java.time.Duration;
import java.util.Map;

/** Books of some kind, as the contract needs them. */
public interface LedgerBooks extends AutoCloseable {
    /** The ledger of one process. */
    WorkLedger ledger();

    /** The ledger of another process over the same books. */
    WorkLedger anotherProcess();

    /** Lets time pass: every lease, deadline and due time is nearer, or over. */
    void pass(Duration time);

    /**
     * The rows of a run as its events name them, as they are stored.
     *
     * @return by name; values as text, nulls and signs of life left out
     */
    Map<String, Map<String, String>> rows(RunId id);

    /** What a row of {@link #rows} is compared by: values as text, nulls left out. */
    static Map<String, String> comparable(ObjectNode row) {
        return ComparableRow.of(row);
    }

    @Override
    void close();
}
