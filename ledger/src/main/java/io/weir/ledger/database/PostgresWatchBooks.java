package io.weir.ledger.database;

import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.lineage.Untold.Books;
import io.weir.ledger.replica.ReplicaState;
import io.weir.ledger.watch.WatchBooks;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/** Reads PostgreSQL for whoever watches the ledger. */
final class PostgresWatchBooks implements WatchBooks {
    private static final String SEEN_OWN = """
            select 'OWN' as books, run.id, run.job, run.state, run.created_at
            from (
                select id from weir.run where id = any (:known)
                union
                select id from weir.run where created_at > :since
                union
                select id from weir.run where cast(:all as boolean) and
            """ + active() + """
            ) as looked_at
            join weir.run on run.id = looked_at.id
            """;

    static final String SEEN = SEEN_OWN + "union all\n"
            + SEEN_OWN.replace("'OWN'", "'OUTSIDE'")
                    .replace("weir.run ", "weir.outside_run as run ");

    static final String ARRIVALS = """
            select at, details #>> '{run,state}' as state
            from weir.event
            where run_id = :run_id and details #>> '{run,state}' is not null
            order by sequence
            """;

    static final String ARRIVALS_OUTSIDE = ARRIVALS.replace("weir.event", "weir.outside_event");

    static final String VOLUME = """
            select run.extracted_rows as rows, coalesce(sum(part.bytes), 0) as bytes,
                coalesce(sum(greatest(part.epoch - 1, 0)), 0) as lost
            from weir.run as run
            left join weir.partition as part on part.run_id = run.id
            where run.id = :run_id
            group by run.id, run.extracted_rows
            """;

    static final String VOLUME_OUTSIDE = VOLUME.replace("weir.run", "weir.outside_run")
            .replace("weir.partition", "weir.outside_partition");

    static final String STANDING = """
            select job, state, count(*) as runs
            from (
                select job, state from weir.run where
            """ + active() + """
                union all
                select job, state from weir.outside_run as run where
            """ + active() + """
            ) as active
            group by job, state
            """;

    static final String WAITING = """
            select kind, extract(epoch from clock_timestamp() - min(created_at))::float8 as seconds
            from (
                select kind, created_at from weir.dispatch where state in ('PENDING', 'SENT')
                union all
                select kind, created_at from weir.outside_dispatch
                where state in ('PENDING', 'SENT')
            ) as open
            group by kind
            """;

    static final String MARGINS = """
            select extract(epoch from lease_until - clock_timestamp())::float8 / lease as margin
            from (
                select part.lease_until, cast(:lease as float8) as lease
                from weir.run
                join weir.partition as part on part.run_id = run.id and part.state = 'RUNNING'
                where run.state = 'EXTRACTING'
                union all
                select part.lease_until, part.lease_ms / 1000.0
                from weir.outside_run as run
                join weir.outside_partition as part
                  on part.run_id = run.id and part.state = 'RUNNING'
                where run.state = 'EXTRACTING'
            ) as held
            limit 1000
            """;

    static final String REPLICAS = """
            select replica.job, replica.source_table, replica.state, replica.failures,
                greatest(coalesce(replication.captured_place, 0) - replica.verified_place, 0)
                    as bytes,
                case when coalesce(replication.captured_place, 0) <= replica.verified_place then 0
                else coalesce(extract(epoch from clock_timestamp() - (
                    select max(event.at) from (
                        select at from weir.replica_event
                        where job = replica.job and source_table = replica.source_table
                          and name in ('REPLICA_ADVANCED', 'REPLICA_LOADED')
                        order by sequence desc
                        limit 1) as event)), 0)
                end::float8 as seconds
            from weir.replica
            join weir.replication on replication.job = replica.job
            where replica.verified_place is not null
            order by replica.job, replica.source_table
            limit 2000
            """;

    static final String ENDED_WINDOWS = """
            select ended.run_id, ended.ended_at, ended.job, ended.state, ended.opened_at,
                coalesce(ended.appended_rows, 0) as rows_in,
                coalesce(ended.removed_rows, 0) as rows_out
            from weir.replication
            join weir.replica_window as ended on ended.job = replication.job
            where ended.ended_at > :since
            order by ended.ended_at
            limit 10000
            """;

    static final String OPEN_WINDOWS = """
            select merging.job, merging.opened_at
            from weir.replica_window as merging
            join weir.replication
              on replication.job = merging.job and replication.epoch = merging.job_epoch
                and replication.lease_until > clock_timestamp()
            where merging.state in ('STAGED', 'OPEN', 'UNKNOWN')
            limit 10000
            """;

    private static String active() {
        return """
                state in (
                    'CREATED', 'EXTRACTING', 'EXTRACTED_VALIDATED', 'STAGE_VALIDATING',
                    'STAGING_VALIDATED', 'PUBLISHING', 'PUBLISH_UNKNOWN', 'PUBLISHED')
                """;
    }

    private final PostgresTransactions transactions;
    private final Duration lease;

    PostgresWatchBooks(PostgresTransactions transactions, Duration lease) {
        this.transactions = transactions;
        this.lease = lease;
    }

    @Override
    public List<SeenRun> seen(Collection<RunId> known, @Nullable Instant since) {
        UUID[] ids = known.stream().map(RunId::value).toArray(UUID[]::new);
        Instant from = since == null ? Instant.EPOCH : since;
        return run("watch runs", handle -> {
            Instant begin = since == null
                    ? handle.createQuery("select clock_timestamp() - interval '5 minutes' as at")
                            .map((rows, context) -> new Fields(rows).instant("at"))
                            .one()
                    : from;
            return handle.createQuery(SEEN)
                    .bind("known", ids)
                    .bind("since", begin.atOffset(ZoneOffset.UTC))
                    .bind("all", since == null)
                    .map((rows, context) -> seen(rows))
                    .list();
        });
    }

    private static SeenRun seen(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new SeenRun(
                fields.constant("books", Books.class),
                new RunId(fields.uuid("id")),
                fields.text("job"),
                fields.constant("state", RunState.class),
                fields.instant("created_at"));
    }

    @Override
    public Course course(SeenRun run) {
        boolean own = run.books() == Books.OWN;
        return run("watch the course of a run", handle -> {
            List<Arrival> arrivals = handle.createQuery(own ? ARRIVALS : ARRIVALS_OUTSIDE)
                    .bind("run_id", run.id().value())
                    .map((rows, context) -> arrival(new Fields(rows)))
                    .list();
            return handle.createQuery(own ? VOLUME : VOLUME_OUTSIDE)
                    .bind("run_id", run.id().value())
                    .map((rows, context) -> new Course(
                            arrivals,
                            rows.getLong("rows"),
                            rows.getLong("bytes"),
                            rows.getLong("lost")))
                    .one();
        });
    }

    private static Arrival arrival(Fields fields) throws SQLException {
        return new Arrival(fields.instant("at"), fields.constant("state", RunState.class));
    }

    @Override
    public Glance glance() {
        return run(
                "watch the ledger",
                handle -> new Glance(
                        handle.createQuery(STANDING)
                                .map((rows, context) -> standing(new Fields(rows)))
                                .list(),
                        handle.createQuery(WAITING)
                                .map((rows, context) -> new Waiting(
                                        rows.getString("kind"), rows.getDouble("seconds")))
                                .list(),
                        handle.createQuery(MARGINS)
                                .bind("lease", lease.toMillis() / 1000.0)
                                .map((rows, context) -> rows.getDouble("margin"))
                                .list()));
    }

    @Override
    public List<ReplicaLag> replicas() {
        return run(
                "watch replicated tables",
                handle -> handle.createQuery(REPLICAS)
                        .map((rows, context) -> lag(rows, new Fields(rows)))
                        .list());
    }

    private static ReplicaLag lag(ResultSet rows, Fields fields) throws SQLException {
        return new ReplicaLag(
                fields.text("job"),
                fields.text("source_table"),
                fields.constant("state", ReplicaState.class),
                fields.number("failures"),
                fields.number("bytes"),
                rows.getDouble("seconds"));
    }

    @Override
    public List<EndedWindow> endedWindows(Instant since) {
        return run(
                "watch windows of replication",
                handle -> handle.createQuery(ENDED_WINDOWS)
                        .bind("since", since.atOffset(ZoneOffset.UTC))
                        .map((rows, context) -> ended(new Fields(rows)))
                        .list());
    }

    @Override
    public List<OpenWindow> openWindows() {
        return run(
                "watch windows of replication",
                handle -> handle.createQuery(OPEN_WINDOWS)
                        .map((rows, context) -> open(new Fields(rows)))
                        .list());
    }

    private static OpenWindow open(Fields fields) throws SQLException {
        return new OpenWindow(fields.text("job"), fields.instant("opened_at"));
    }

    private static EndedWindow ended(Fields fields) throws SQLException {
        boolean published = fields.text("state").equals("PUBLISHED");
        Instant endedAt = fields.instant("ended_at");
        return new EndedWindow(
                fields.uuid("run_id"),
                endedAt,
                fields.text("job"),
                published,
                Duration.between(fields.instant("opened_at"), endedAt),
                published ? fields.number("rows_in") : 0,
                published ? fields.number("rows_out") : 0);
    }

    @Override
    public Instant now() {
        return run(
                "read the clock",
                handle -> handle.createQuery(PostgresReplicaSql.NOW)
                        .map((rows, context) -> new Fields(rows).instant("now"))
                        .one());
    }

    private static Standing standing(Fields fields) throws SQLException {
        return new Standing(
                fields.text("job"),
                fields.constant("state", RunState.class),
                fields.number("runs"));
    }

    private <T> T run(String action, Function<Handle, T> work) {
        return transactions.inTransaction(action, TransactionIsolationLevel.READ_COMMITTED, work);
    }
}
