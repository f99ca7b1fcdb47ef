package io.weir.ledger.database;

import io.weir.ledger.process.LoopStore;

import org.jdbi.v3.core.Handle;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;

/** Statements on the table of loops. */
final class PostgresLoopStore implements LoopStore {
    static final String TAKE = """
            insert into weir.loop (name, owner, lease_until)
            values (:name, :owner, :until)
            on conflict (name) do update
            set owner = excluded.owner, lease_until = excluded.lease_until
            where loop.owner = excluded.owner or loop.lease_until <= :now
            """;

    private final Handle handle;

    PostgresLoopStore(Handle handle) {
        this.handle = handle;
    }

    @Override
    public boolean take(String name, UUID owner, Instant now, Instant until) {
        return handle.createUpdate(TAKE)
                        .bind("name", name)
                        .bind("owner", owner)
                        .bind("now", now.atOffset(ZoneOffset.UTC))
                        .bind("until", until.atOffset(ZoneOffset.UTC))
                        .execute()
                == 1;
    }
}
