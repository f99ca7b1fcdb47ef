package io.weir.ledger.publish;

import io.weir.ledger.event.RowChange;
import io.weir.ledger.sql.Columns;

/** A target as columns, for its table and its events. */
public final class TargetColumns {
    private TargetColumns() {}

    public static Columns of(String name, long epoch) {
        return new Columns().set("name", name).set("epoch", epoch);
    }

    /** What drawing an epoch adds to its event. */
    public static RowChange drawn(String name, long epoch) {
        return new RowChange("target/" + name, of(name, epoch).difference(null));
    }
}
