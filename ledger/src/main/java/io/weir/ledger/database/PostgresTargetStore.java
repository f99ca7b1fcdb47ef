package io.weir.ledger.database;

import io.weir.ledger.publish.TargetStore;

import org.jdbi.v3.core.Handle;

/** Statements on the table of targets. */
final class PostgresTargetStore implements TargetStore {
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

    PostgresTargetStore(Handle handle) {
        this.handle = handle;
    }

    @Override
    public void lock(String name) {
        handle.createUpdate(ENSURE).bind("name", name).execute();
        handle.createQuery(LOCK).bind("name", name).mapTo(Long.class).one();
    }

    @Override
    public long nextEpoch(String name) {
        return handle.createQuery(NEXT_EPOCH)
                .bind("name", name)
                .mapTo(Long.class)
                .one();
    }
}
