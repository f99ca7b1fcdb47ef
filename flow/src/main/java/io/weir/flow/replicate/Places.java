package io.weir.flow.replicate;

import io.weir.ledger.replica.LogPlace;
import io.weir.table.LogPosition;

/** The same place in the words of the books and in those of tables. */
final class Places {
    private Places() {}

    static LogPlace of(LogPosition position) {
        return new LogPlace(position.place(), position.text());
    }

    static LogPosition of(LogPlace place) {
        return new LogPosition(place.place(), place.position());
    }
}
