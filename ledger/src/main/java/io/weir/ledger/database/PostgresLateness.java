package io.weir.ledger.database;

import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaBooks.Hold;
import io.weir.ledger.replica.ReplicaState;
import io.weir.ledger.sql.Columns;

import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/** Which tables are late, as events: no row changes by it. */
final class PostgresLateness {
    private static final String LATE = "REPLICA_LATE";

    private static final String LAST = """
            select name
            from weir.replica_event
            where job = :job and source_table = :source_table
              and name in ('REPLICA_LATE', 'REPLICA_CAUGHT_UP')
            order by sequence desc
            limit 1
            """;

    private static final String VERIFIED_AT = """
            select at
            from weir.replica_event
            where job = :job and source_table = :source_table
              and name in ('REPLICA_ADVANCED', 'REPLICA_LOADED')
            order by sequence desc
            limit 1
            """;

    private PostgresLateness() {}

    static boolean enter(
            Handle handle, Hold hold, String table, @Nullable Instant current, Duration max) {
        PostgresReplicaStore store = new PostgresReplicaStore(handle);
        store.lock(hold);
        Replica row = store.lock(hold.job(), table);
        Instant now = store.now();
        Instant since = current == null
                ? last(handle, VERIFIED_AT, row, OffsetDateTime.class)
                        .map(OffsetDateTime::toInstant)
                        .orElse(now)
                : current;
        if (row.state() != ReplicaState.RUNNING) {
            return false;
        }
        boolean late = since.plus(max).isBefore(now);
        boolean before = last(handle, LAST, row, String.class).equals(Optional.of(LATE));
        if (late != before) {
            Columns facts = new Columns().set("current_at", since);
            if (late) {
                facts.set("lag_max_seconds", max.toSeconds()).set("last_failure", row.failure());
            }
            String name = late ? LATE : "REPLICA_CAUGHT_UP";
            store.event(row.job(), row.table(), name, null, facts, null);
        }
        return late;
    }

    private static <T> Optional<T> last(Handle handle, String sql, Replica row, Class<T> type) {
        return handle.createQuery(sql)
                .bind("job", row.job())
                .bind("source_table", row.table())
                .mapTo(type)
                .findOne();
    }
}
