package io.weir.ledger.database;

import io.weir.core.json.Json;
import io.weir.ledger.alert.Alert;
import io.weir.ledger.alert.AlertBooks;
import io.weir.ledger.alert.AlertRules;
import io.weir.ledger.alert.AlertRules.Happened;
import io.weir.ledger.replica.ReplicaCut;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.Update;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/** How far the alerts of each job were told, in PostgreSQL. */
final class PostgresAlertBooks implements AlertBooks {
    private static final String CHANNEL = "channel";
    private static final String JOB = "job";
    private static final int BATCH = 200;

    private final PostgresTransactions transactions;

    PostgresAlertBooks(PostgresTransactions transactions) {
        this.transactions = transactions;
    }

    /** One row of weir.alert. */
    private record Place(Channel channel, String job, long position, long cut, Instant summedAt) {}

    /** An event, without what came before it. */
    private record Seen(Alert.Subject subject, String name, String details, boolean stale) {}

    private <T> T run(String action, Function<Handle, T> work) {
        return transactions.inTransaction(action, TransactionIsolationLevel.READ_COMMITTED, work);
    }

    @Override
    public void open(Channel channel) {
        run("open a channel of alerts", handle -> open(handle, channel));
    }

    private static int open(Handle handle, Channel channel) {
        return handle.createUpdate(PostgresAlertSql.OPEN)
                .bind(CHANNEL, channel.name())
                .execute();
    }

    @Override
    public Optional<Due> next(Channel channel, Set<String> jobs) {
        return run("look for alerts to tell", handle -> {
            open(handle, channel);
            handle.createUpdate(PostgresAlertSql.ADD_JOBS)
                    .bind(CHANNEL, channel.name())
                    .execute();
            for (Place place : places(handle, channel, jobs)) {
                Optional<Alert> alert = nextOf(handle, place);
                if (alert.isPresent()) {
                    return Optional.of(lease(handle, place, alert.get()));
                }
            }
            return PostgresAlertRuns.next(handle, channel, jobs);
        });
    }

    private static List<Place> places(Handle handle, Channel channel, Set<String> jobs) {
        return handle.createQuery(PostgresAlertSql.LOCK_DUE)
                .bind(CHANNEL, channel.name())
                .bind("all", jobs.isEmpty())
                .bind("jobs", jobs.toArray(String[]::new))
                .map((rows, context) -> place(new Fields(rows)))
                .list();
    }

    private static Place place(Fields fields) throws SQLException {
        return new Place(
                fields.constant(CHANNEL, Channel.class),
                fields.text(JOB),
                fields.number("position"),
                fields.number("cut"),
                fields.instant("summed_at"));
    }

    private static Optional<Alert> nextOf(Handle handle, Place place) {
        long position = place.position();
        List<Seen> events;
        do {
            events = events(handle, place.job(), position);
            for (Seen event : events) {
                Optional<Alert> alert = event.stale() ? Optional.empty() : alert(handle, event);
                if (alert.isPresent()) {
                    return alert;
                }
                position = event.subject().sequence();
            }
        } while (events.size() == BATCH);
        if (position > place.position()) {
            handle.createUpdate(PostgresAlertSql.PASS)
                    .bind(CHANNEL, place.channel().name())
                    .bind(JOB, place.job())
                    .bind("position", position)
                    .execute();
        }
        return summary(handle, place);
    }

    private static List<Seen> events(Handle handle, String job, long position) {
        return handle.createQuery(PostgresAlertSql.EVENTS)
                .bind(JOB, job)
                .bind("position", position)
                .bind("names", AlertRules.NAMES.toArray(String[]::new))
                .bind("most", BATCH)
                .map((rows, context) -> seen(new Fields(rows)))
                .list();
    }

    private static Seen seen(Fields fields) throws SQLException {
        return new Seen(
                new Alert.Subject(
                        fields.number("sequence"),
                        fields.instant("at"),
                        fields.text(JOB),
                        fields.text("source_table"),
                        fields.text("target")),
                fields.text("name"),
                fields.text("details"),
                fields.truth("stale"));
    }

    private static Optional<Alert> alert(Handle handle, Seen event) {
        if (event.name().equals(AlertRules.JOB_STOPPED)) {
            return AlertRules.jobStopped(
                    event.subject().sequence(),
                    event.subject().at(),
                    event.subject().job(),
                    Json.parse(event.details()),
                    before(handle, PostgresAlertSql.JOB_STOP_BEFORE, event));
        }
        boolean failed = event.name().equals("REPLICA_FAILED");
        String before = failed ? null : before(handle, PostgresAlertSql.BEFORE, event);
        String failure = failed ? before(handle, PostgresAlertSql.FAILURE_BEFORE, event) : null;
        return AlertRules.alert(new Happened(
                event.subject(), event.name(), Json.parse(event.details()), before, failure));
    }

    private static @Nullable String before(Handle handle, String sql, Seen event) {
        Query query = handle.createQuery(sql);
        if (!event.subject().table().isEmpty()) {
            query.bind("source_table", event.subject().table());
        }
        return query.bind(JOB, event.subject().job())
                .bind("sequence", event.subject().sequence())
                .map((rows, context) -> Optional.ofNullable(rows.getString("before")))
                .findOne()
                .flatMap(Function.identity())
                .orElse(null);
    }

    private static Optional<Alert> summary(Handle handle, Place place) {
        Optional<ReplicaCut> found = handle.createQuery(PostgresAlertSql.CUT)
                .bind(JOB, place.job())
                .bind("cut", place.cut())
                .bind("summed_at", place.summedAt().atOffset(ZoneOffset.UTC))
                .bind("first", place.cut() == 0)
                .map((rows, context) -> PostgresReplicaRows.cut(rows))
                .findOne();
        return found.map(cut -> new Alert.Summary(
                cut, place.summedAt(), sums(handle, place, cut), age(handle, cut)));
    }

    private static List<Alert.TableSum> sums(Handle handle, Place place, ReplicaCut cut) {
        Instant until = cut.closedAt() == null ? cut.openedAt() : cut.closedAt();
        return handle.createQuery(PostgresAlertSql.SUMS)
                .bind(JOB, place.job())
                .bind("since", place.summedAt().atOffset(ZoneOffset.UTC))
                .bind("until", until.atOffset(ZoneOffset.UTC))
                .map((rows, context) -> sum(rows))
                .list();
    }

    private static Alert.TableSum sum(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new Alert.TableSum(
                fields.text("source_table"),
                fields.text("target"),
                fields.text("state"),
                fields.number("windows"),
                fields.number("events"),
                fields.number("rows_in"),
                fields.number("rows_out"),
                fields.number("lag_bytes"),
                Duration.ofMillis(fields.number("longest_ms")));
    }

    private static Duration age(Handle handle, ReplicaCut cut) {
        Instant now = handle.createQuery(PostgresReplicaSql.NOW)
                .map((rows, context) -> new Fields(rows).instant("now"))
                .one();
        return Duration.between(cut.openedAt(), now);
    }

    private static Due lease(Handle handle, Place place, Alert alert) {
        UUID token = handle.createQuery(PostgresAlertSql.LEASE)
                .bind(CHANNEL, place.channel().name())
                .bind(JOB, place.job())
                .map((rows, context) -> new Fields(rows).uuid("token"))
                .one();
        return new Due(place.channel(), alert, token);
    }

    @Override
    public void told(Due due) {
        run("keep what was told of job " + due.alert().job(), handle -> {
            if (due.alert() instanceof Alert.Summary summary) {
                return of(handle, PostgresAlertSql.SUMMED, due)
                        .bind("cut", summary.cut().number())
                        .bind("summed_at", summary.at().atOffset(ZoneOffset.UTC))
                        .execute();
            }
            if (due.alert() instanceof Alert.LoadFailed failed) {
                return PostgresAlertRuns.told(handle, due.channel(), failed.run(), due.token());
            }
            return of(handle, PostgresAlertSql.TOLD, due)
                    .bind("position", sequence(due.alert()))
                    .execute();
        });
    }

    private static long sequence(Alert alert) {
        return alert instanceof Alert.JobStopped stopped
                ? stopped.sequence()
                : ((Alert.OfTable) alert).subject().sequence();
    }

    @Override
    public void postpone(Due due) {
        run(
                "postpone the alerts of job " + due.alert().job(),
                handle -> due.alert() instanceof Alert.LoadFailed failed
                        ? PostgresAlertRuns.postpone(handle, due, failed.run())
                        : of(handle, PostgresAlertSql.POSTPONE, due).execute());
    }

    private static Update of(Handle handle, String sql, Due due) {
        return handle.createUpdate(sql)
                .bind(CHANNEL, due.channel().name())
                .bind(JOB, due.alert().job())
                .bind("token", due.token());
    }
}
