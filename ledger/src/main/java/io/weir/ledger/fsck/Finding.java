package io.weir.ledger.fsck;

import java.util.List;

/**
 * What one invariant found.
 *
 * @param id short and stable, such as {@code I5} or {@code TABLE_BALANCE}
 * @param title what must hold, in one sentence
 * @param rows one text for each violation, {@code name=value} pairs that name it, the run first;
 *     empty if the invariant holds
 */
public record Finding(String id, String title, List<String> rows) {
    public Finding {
        rows = List.copyOf(rows);
    }

    public boolean isClean() {
        return rows.isEmpty();
    }
}
