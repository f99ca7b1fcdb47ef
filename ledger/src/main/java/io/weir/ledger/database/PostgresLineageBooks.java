package io.weir.ledger.database;

import io.weir.core.run.RunId;
import io.weir.ledger.lineage.LineageBooks;
import io.weir.ledger.lineage.Untold;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Function;

/** How far the lineage of each run was told, in PostgreSQL. */
final class PostgresLineageBooks implements LineageBooks {
    static final String START = """
            insert into weir.lineage_start (single, since)
            select true, least(clock_timestamp(),
                (select min(created_at) from weir.run where state in (
                    'CREATED', 'EXTRACTING', 'EXTRACTED_VALIDATED', 'STAGE_VALIDATING',
                    'STAGING_VALIDATED', 'PUBLISHING', 'PUBLISH_UNKNOWN', 'PUBLISHED')),
                (select min(created_at) from weir.outside_run where state in (
                    'CREATED', 'EXTRACTING', 'EXTRACTED_VALIDATED', 'STAGE_VALIDATING',
                    'STAGING_VALIDATED', 'PUBLISHING', 'PUBLISH_UNKNOWN', 'PUBLISHED')))
            where not exists (select from weir.lineage_start)
            on conflict do nothing
            """;

    /** Runs of which something is or will be due. */
    private static final String OPEN = """
            select run.id, run.created_at, run.state, run.ended_at, 'OWN' as books, told.position,
                told.due_at
            from weir.run
            left join weir.lineage as told on told.run_id = run.id
            where run.created_at >= (select since from weir.lineage_start)
              and told.ended is distinct from true
            union all
            select run.id, run.created_at, run.state, run.ended_at, 'OUTSIDE', told.position,
                told.due_at
            from weir.outside_run as run
            left join weir.lineage as told on told.run_id = run.id
            where run.created_at >= (select since from weir.lineage_start)
              and told.ended is distinct from true
            """;

    static final String LEASE = """
            insert into weir.lineage as told (run_id, books, position, ended, attempts, due_at)
            select id, books, 0, false, 0, clock_timestamp() + interval '60 seconds'
            from (
                select id, books
                from (
            """ + OPEN + """
                ) as open
                where state <> 'CREATED' and (coalesce(position, 0) = 0 or ended_at is not null)
                  and (due_at is null or due_at <= clock_timestamp())
                order by created_at, id
                limit 1
            ) as oldest
            on conflict (run_id) do update set due_at = excluded.due_at
            where told.due_at <= clock_timestamp() and not told.ended
            returning told.run_id, told.books, told.position
            """;

    static final String MARKS_OWN = """
            (select 'START' as what, sequence, at
            from weir.event
            where run_id = :run_id
            order by sequence
            limit 1)
            union all
            (select 'END', sequence, at
            from weir.event
            where run_id = :run_id and details #>> '{run,ended_at}' is not null
            order by sequence desc
            limit 1)
            """;

    static final String MARKS_OUTSIDE = MARKS_OWN.replace("weir.event", "weir.outside_event");

    static final String TOLD = """
            update weir.lineage
            set position = :position, ended = :ended, attempts = 0, due_at = clock_timestamp()
            where run_id = :run_id and position < :position
            """;

    static final String POSTPONE = """
            update weir.lineage
            set attempts = attempts + 1,
                due_at = clock_timestamp()
                    + least(interval '5 minutes', interval '5 seconds' * 2 ^ least(attempts, 10))
            where run_id = :run_id
            """;

    /** A transaction that opens a run is over long before a day is. */
    static final String MOVE_START = """
            update weir.lineage_start
            set since = moved.since
            from (
                select least(clock_timestamp() - interval '1 day', min(created_at)) as since
                from (
            """ + OPEN + """
                ) as open
            ) as moved
            where lineage_start.since < moved.since - interval '1 hour'
            """;

    private final PostgresTransactions transactions;

    PostgresLineageBooks(PostgresTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Optional<Untold> next() {
        return run("look for lineage to tell", handle -> {
            handle.execute(START);
            Optional<Leased> leased = handle.createQuery(LEASE)
                    .map((rows, context) -> leased(rows))
                    .findOne();
            if (leased.isEmpty()) {
                handle.execute(MOVE_START);
            }
            return leased.map(run -> untold(handle, run));
        });
    }

    @Override
    public void told(RunId runId, Untold.Mark mark, boolean last) {
        run(
                "keep what was told of run " + runId,
                handle -> handle.createUpdate(TOLD)
                        .bind("position", mark.sequence())
                        .bind("ended", last)
                        .bind("run_id", runId.value())
                        .execute());
    }

    @Override
    public void postpone(RunId runId) {
        run(
                "postpone the lineage of run " + runId,
                handle -> handle.createUpdate(POSTPONE)
                        .bind("run_id", runId.value())
                        .execute());
    }

    private record Leased(RunId runId, Untold.Books books, long position) {}

    private record Named(String what, Untold.Mark mark) {}

    private static Untold untold(Handle handle, Leased run) {
        String sql = run.books() == Untold.Books.OWN ? MARKS_OWN : MARKS_OUTSIDE;
        Untold.Mark start = null;
        Untold.Mark end = null;
        for (Named named : handle.createQuery(sql)
                .bind("run_id", run.runId().value())
                .map((rows, context) -> named(rows))
                .list()) {
            if (named.what().equals("END")) {
                end = named.mark();
            } else {
                start = named.mark();
            }
        }
        return new Untold(run.runId(), run.books(), after(start, run), after(end, run));
    }

    private static Untold.@Nullable Mark after(Untold.@Nullable Mark mark, Leased run) {
        return mark == null || mark.sequence() <= run.position() ? null : mark;
    }

    private static Leased leased(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new Leased(
                new RunId(fields.uuid("run_id")),
                fields.constant("books", Untold.Books.class),
                fields.number("position"));
    }

    private static Named named(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new Named(
                fields.text("what"),
                new Untold.Mark(fields.number("sequence"), fields.instant("at")));
    }

    private <T> T run(String action, Function<Handle, T> work) {
        return transactions.inTransaction(action, TransactionIsolationLevel.READ_COMMITTED, work);
    }
}
