package io.weir.testkit.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.run.RunId;
import io.weir.ledger.LedgerSettings;
import io.weir.ledger.PostgresLedger;
import io.weir.ledger.embedded.EmbeddedServer;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** A database of its own on the embedded server of the ledger. */
public final class PostgresBooks implements LedgerBooks {
    private static final String ROWS = """
            select 'run' as name, to_jsonb(r)::text as document from weir.run r where id = ?
            union all
            select 'partition/' || id, to_jsonb(r)::text from weir.partition r where run_id = ?
            union all
            select 'chunk/' || partition_id || '/' || epoch || '/' || chunk_index,
                to_jsonb(r)::text
            from weir.chunk r where run_id = ?
            union all
            select 'metric/' || stage || '/' || subject || '/' || name, to_jsonb(r)::text
            from weir.metric r where run_id = ?
            union all
            select 'dispatch/' || kind || '/' || cycle, to_jsonb(r)::text
            from weir.dispatch r where run_id = ?
            union all
            select 'attempt/' || target || '/' || epoch, to_jsonb(r)::text
            from weir.publish_attempt r where run_id = ?
            """;
    private static final int PLACES = 6;
    private static final String CLEAR = """
            truncate weir.run, weir.partition, weir.chunk, weir.metric, weir.dispatch, weir.target,
                weir.publish_attempt, weir.event, weir.snapshot_holder, weir.worker, weir.loop,
                weir.stream_transaction, weir.replication, weir.replica_event,
                weir.alert_run
            cascade
            """;

    /** Moving every row into the past is what time does, seen from the rows. */
    private static final List<String> PASS = List.of(
            "update weir.run set lease_until = lease_until - ?1, deadline = deadline - ?1,"
                    + " ended_at = ended_at - ?1",
            "update weir.partition set lease_until = lease_until - ?1"
                    + " where lease_until is not null",
            "update weir.dispatch set due_at = due_at - ?1, sent_at = sent_at - ?1",
            "update weir.snapshot_holder set lease_until = lease_until - ?1",
            "update weir.worker set started_at = started_at - ?1, seen_at = seen_at - ?1",
            "update weir.loop set lease_until = lease_until - ?1",
            "update weir.stream_transaction set begun_at = begun_at - ?1,"
                    + " lease_until = lease_until - ?1");

    private final EmbeddedServer server;
    private final LedgerSettings settings;
    private final String database = "t_" + UUID.randomUUID();
    private final PostgresLedger ledger;
    private final PostgresLedger other;

    /**
     * Starts the server, if it does not run, and makes an empty database.
     *
     * @param home where the server keeps itself between test runs
     */
    public PostgresBooks(Path home, LedgerSettings settings) {
        this.server = EmbeddedServer.attach(home, Map.of("max_connections", "200"));
        this.settings = settings.withConnectionsMax(2);
        server.createDatabase(database);
        this.ledger = open();
        this.other = open();
    }

    @Override
    public PostgresLedger ledger() {
        return ledger;
    }

    @Override
    public PostgresLedger anotherProcess() {
        return other;
    }

    private PostgresLedger open() {
        return PostgresLedger.open(
                server.url(database), server.user(), server.password(), settings);
    }

    /** Empties every table. */
    public void clear() {
        update(List.of(CLEAR));
    }

    @Override
    public void pass(Duration time) {
        String interval = "interval '" + time.toMillis() + " milliseconds'";
        update(PASS.stream().map(sql -> sql.replace("?1", interval)).toList());
    }

    private void update(List<String> statements) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.executeUpdate(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("Cannot change the books", e);
        }
    }

    @Override
    public Map<String, Map<String, String>> rows(RunId id) {
        Map<String, Map<String, String>> rows = new TreeMap<>();
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(ROWS)) {
            for (int place = 1; place <= PLACES; place++) {
                statement.setObject(place, id.value());
            }
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    ObjectNode document = (ObjectNode) Json.parse(found.getString("document"));
                    rows.put(found.getString("name"), LedgerBooks.comparable(document));
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("Cannot read the rows of run " + id, e);
        }
        return rows;
    }

    @Override
    public void close() {
        ledger.close();
        other.close();
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(server.url(database), server.user(), server.password());
    }
}
