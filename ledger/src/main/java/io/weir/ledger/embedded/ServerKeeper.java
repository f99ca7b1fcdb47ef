package io.weir.ledger.embedded;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A small process beside the server: counts clients, stops the server after it saw none for the
 * idle time, and ends when the server does.
 */
public final class ServerKeeper {
    private static final Duration STEP_MAX = Duration.ofSeconds(2);
    private static final int STEPS_PER_IDLE_TIME = 4;

    private static final String NAME = "weir-keeper";

    private static final String SET_NAME = """
            set application_name = 'weir-keeper'
            """;

    private static final String IDLE_AFTER = """
            select coalesce(nullif(current_setting('weir.idle_after_ms', true), ''), '60000')
            """;

    /** Replication connections are clients too; a keeper, ours or another, is none. */
    private static final String CLIENTS = """
            select count(*)
            from pg_stat_activity
            where backend_type in ('client backend', 'walsender')
              and application_name <> 'weir-keeper'
            """;

    private final ServerHome home;
    private final Postmaster postmaster;

    private ServerKeeper(ServerHome home, Postmaster postmaster) {
        this.home = home;
        this.postmaster = postmaster;
    }

    /** Keeps the server of the home that the only argument names. */
    public static void main(String[] arguments) {
        ServerHome home = ServerHome.at(Path.of(arguments[0]));
        Optional<Postmaster> postmaster = Postmaster.find(home);
        if (postmaster.isPresent()) {
            Thread.currentThread().setName(NAME);
            new ServerKeeper(home, postmaster.get()).keep();
        }
    }

    private void keep() {
        try (Connection connection = EmbeddedServer.connect(home, postmaster.port());
                Statement statement = connection.createStatement()) {
            statement.execute(SET_NAME);
            Duration idleAfter = Duration.ofMillis(number(statement, IDLE_AFTER));
            Instant lastSeen = Instant.now();
            boolean stopped = false;
            while (!stopped) {
                Waiting.pause(step(idleAfter));
                if (number(statement, CLIENTS) > 0) {
                    lastSeen = Instant.now();
                } else if (isIdle(lastSeen, idleAfter)) {
                    Instant last = lastSeen;
                    stopped = HomeLock.holding(home, () -> stopIfIdle(statement, last, idleAfter));
                }
            }
        } catch (SQLException e) {
            // The server is gone or going: nothing is left to keep.
            return;
        }
    }

    /** Looks again under the lock, where no command can be attaching. */
    private boolean stopIfIdle(Statement statement, Instant lastSeen, Duration idleAfter) {
        try {
            if (number(statement, CLIENTS) > 0 || !isIdle(lastSeen, idleAfter)) {
                return false;
            }
        } catch (SQLException e) {
            // The server is going without us.
            return true;
        }
        stopIfMine();
        return true;
    }

    private void stopIfMine() {
        long running = Postmaster.find(home).map(Postmaster::pid).orElse(-1L);
        if (running == postmaster.pid()) {
            EmbeddedServer.stopLocked(home);
        }
    }

    /** A command that attached a moment ago may not have connected yet. */
    private boolean isIdle(Instant lastSeen, Duration idleAfter) {
        Instant attached = home.lastAttached();
        Instant last = attached.isAfter(lastSeen) ? attached : lastSeen;
        return !Instant.now().isBefore(last.plus(idleAfter));
    }

    private static Duration step(Duration idleAfter) {
        Duration step = idleAfter.dividedBy(STEPS_PER_IDLE_TIME);
        return step.compareTo(STEP_MAX) < 0 ? step : STEP_MAX;
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
