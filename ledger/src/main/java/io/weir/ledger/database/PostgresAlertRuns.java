package io.weir.ledger.database;

import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.alert.Alert;
import io.weir.ledger.alert.AlertBooks.Channel;
import io.weir.ledger.alert.AlertBooks.Due;
import io.weir.ledger.alert.AlertRules;

import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/** Which runs that failed were told of. */
final class PostgresAlertRuns {
    private static final String CHANNEL = "channel";
    private static final String RUN_ID = "run_id";

    private PostgresAlertRuns() {}

    private record Leased(RunId run, UUID token) {}

    /** Leases the next one that people have to be told of; passes over the others. */
    static Optional<Due> next(Handle handle, Channel channel, Set<String> jobs) {
        while (true) {
            Optional<Leased> found = handle.createQuery(PostgresAlertSql.LEASE_RUN)
                    .bind(CHANNEL, channel.name())
                    .bind("all", jobs.isEmpty())
                    .bind("jobs", jobs.toArray(String[]::new))
                    .map((rows, context) -> leased(new Fields(rows)))
                    .findOne();
            if (found.isEmpty()) {
                return Optional.empty();
            }
            Leased leased = found.get();
            Alert.LoadFailed failed = handle.createQuery(PostgresAlertSql.FAILED_RUN)
                    .bind(RUN_ID, leased.run().value())
                    .map((rows, context) -> failed(rows))
                    .one();
            if (AlertRules.isNews(failed, before(handle, channel, leased.run()))) {
                return Optional.of(new Due(channel, failed, leased.token()));
            }
            told(handle, channel, leased.run(), leased.token());
        }
    }

    private static Leased leased(Fields fields) throws SQLException {
        return new Leased(new RunId(fields.uuid(RUN_ID)), fields.uuid("token"));
    }

    private static Alert.LoadFailed failed(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new Alert.LoadFailed(
                new RunId(fields.uuid("id")),
                fields.instant("ended_at"),
                fields.text("job"),
                fields.text("target"),
                fields.text("business_key"),
                fields.constant("state", RunState.class),
                fields.textOrNull("failure_code"),
                fields.text("failure_message"));
    }

    private static @Nullable String before(Handle handle, Channel channel, RunId run) {
        return handle.createQuery(PostgresAlertSql.FAILED_RUN_BEFORE)
                .bind(CHANNEL, channel.name())
                .bind(RUN_ID, run.value())
                .map((rows, context) -> Optional.ofNullable(rows.getString("before")))
                .findOne()
                .flatMap(Function.identity())
                .orElse(null);
    }

    static int told(Handle handle, Channel channel, RunId run, UUID token) {
        return handle.createUpdate(PostgresAlertSql.RUN_TOLD)
                .bind(CHANNEL, channel.name())
                .bind(RUN_ID, run.value())
                .bind("token", token)
                .execute();
    }

    static int postpone(Handle handle, Due due, RunId run) {
        return handle.createUpdate(PostgresAlertSql.POSTPONE_RUN)
                .bind(CHANNEL, due.channel().name())
                .bind(RUN_ID, run.value())
                .bind("token", due.token())
                .execute();
    }
}
