package io.weir.ledger.database;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.run.Event;
import io.weir.core.run.RunId;
import io.weir.ledger.event.EventFold;
import io.weir.ledger.fsck.Finding;
import io.weir.ledger.fsck.Invariant;
import io.weir.ledger.fsck.Replay;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Asks every invariant in one transaction; changes nothing. */
public final class PostgresFsck {
    /** Beyond that a list helps nobody. */
    private static final int ROWS_MAX = 10_000;

    static final String RUNS = """
            select id from weir.run union select run_id from weir.event order by 1
            """;

    /** The rows of a run under the names that its events give them. */
    static final String ROWS = """
            select 'run' as name, to_jsonb(r)::text as document from weir.run r where id = :id
            union all
            select 'partition/' || id, to_jsonb(r)::text from weir.partition r where run_id = :id
            union all
            select 'chunk/' || partition_id || '/' || epoch || '/' || chunk_index,
                to_jsonb(r)::text
            from weir.chunk r where run_id = :id
            union all
            select 'metric/' || stage || '/' || subject || '/' || name, to_jsonb(r)::text
            from weir.metric r where run_id = :id
            union all
            select 'dispatch/' || kind || '/' || cycle, to_jsonb(r)::text
            from weir.dispatch r where run_id = :id
            union all
            select 'attempt/' || target || '/' || epoch, to_jsonb(r)::text
            from weir.publish_attempt r where run_id = :id
            """;

    private final Handle handle;
    private final int claimsMax;

    private PostgresFsck(Handle handle, int claimsMax) {
        this.handle = handle;
        this.claimsMax = claimsMax;
    }

    /**
     * Asks every invariant, the ones that hold included.
     *
     * @param handle in a transaction that sees one state of the books
     * @param claimsMax how often a partition may be claimed
     */
    public static List<Finding> of(Handle handle, int claimsMax) {
        PostgresFsck fsck = new PostgresFsck(handle, claimsMax);
        List<Finding> findings = new ArrayList<>();
        for (Invariant invariant : Invariant.all()) {
            findings.add(fsck.ask(invariant));
        }
        findings.add(fsck.replay());
        return List.copyOf(findings);
    }

    private Finding ask(Invariant invariant) {
        String parameter = "claims_max";
        try (Query query = handle.createQuery(invariant.sql())) {
            if (invariant.sql().contains(":" + parameter)) {
                query.bind(parameter, claimsMax);
            }
            List<String> rows = query.setMaxRows(ROWS_MAX)
                    .map((result, context) -> text(result))
                    .list();
            return new Finding(invariant.id(), invariant.title(), rows);
        }
    }

    private static String text(ResultSet row) throws SQLException {
        ResultSetMetaData columns = row.getMetaData();
        List<String> pairs = new ArrayList<>();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            String value = row.getString(i);
            if (value != null) {
                pairs.add(columns.getColumnLabel(i) + "=" + value);
            }
        }
        return String.join(" ", pairs);
    }

    /** Run by run, so that the events of all of them need not fit into memory. */
    private Finding replay() {
        PostgresEventStore events = new PostgresEventStore(handle);
        List<String> rows = new ArrayList<>();
        for (UUID id : handle.createQuery(RUNS).mapTo(UUID.class).list()) {
            if (rows.size() >= ROWS_MAX) {
                break;
            }
            List<Event> ofRun = events.ofRun(new RunId(id));
            for (String difference : Replay.differences(EventFold.fold(ofRun), rowsOf(id))) {
                rows.add("run_id=" + id + " " + difference);
            }
        }
        return new Finding(
                Replay.ID, Replay.TITLE, rows.subList(0, Math.min(ROWS_MAX, rows.size())));
    }

    private Map<String, ObjectNode> rowsOf(UUID id) {
        Map<String, ObjectNode> rows = new TreeMap<>();
        handle.createQuery(ROWS)
                .bind("id", id)
                .map((result, context) ->
                        Map.entry(result.getString("name"), result.getString("document")))
                .forEach(row -> rows.put(row.getKey(), (ObjectNode) Json.parse(row.getValue())));
        return rows;
    }
}
