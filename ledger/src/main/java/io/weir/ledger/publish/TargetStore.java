package io.weir.ledger.publish;

import io.weir.ledger.event.RowChange;
import io.weir.ledger.sql.Columns;

import org.jdbi.v3.core.Handle;

/** Statements on the table of targets. */
public final class TargetStore {
    static final String ENSURE = """
            insert into weir.target (name, epoch) values (:name, 0) on conflict do nothing
            """;

    static final String LOCK = """
            select epoch from weir.target where name = :name for update
            """;

    static final String NEXT_EPOCH = """
            update weir.target set epoch = epoch + 1 where name = :name returning epoch
            """;

    private final Handle handle;

    public TargetStore(Handle handle) {
        this.handle = handle;
    }

    /** Publishing to one target goes one after the other from here to the end of transaction. */
    public void lock(String name) {
        handle.createUpdate(ENSURE).bind("name", name).execute();
        handle.createQuery(LOCK).bind("name", name).mapTo(Long.class).one();
    }

    /** Draws the next epoch; the caller holds the lock. */
    public long nextEpoch(String name) {
        return handle.createQuery(NEXT_EPOCH)
                .bind("name", name)
                .mapTo(Long.class)
                .one();
    }

    /** What drawing an epoch did to the row. */
    public static RowChange drawn(String name, long epoch) {
        return new RowChange(
                "target/" + name,
                new Columns().set("name", name).set("epoch", epoch).difference(null));
    }
}
