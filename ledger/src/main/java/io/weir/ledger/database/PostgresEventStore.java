package io.weir.ledger.database;

import io.weir.core.json.Json;
import io.weir.core.run.Event;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.ledger.event.EventColumns;
import io.weir.ledger.event.EventDraft;
import io.weir.ledger.event.EventStore;

import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Statements on the journal. State changes are logged here and nowhere else. */
final class PostgresEventStore implements EventStore {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresEventStore.class);

    static final String INSERT = """
            insert into weir.event (at, run_id, partition_id, name, details)
            select at, run_id, partition_id, name, details
            from json_to_recordset(cast(:rows as json)) as row (
                at timestamptz, run_id uuid, partition_id text, name text, details jsonb)
            """;

    static final String OF_RUN = """
            select sequence, at, run_id, partition_id, name, details
            from weir.event
            where run_id = :run_id
            order by sequence
            """;

    private final Handle handle;

    PostgresEventStore(Handle handle) {
        this.handle = handle;
    }

    @Override
    public void append(List<EventDraft> drafts) {
        if (drafts.isEmpty()) {
            return;
        }
        handle.createUpdate(INSERT)
                .bind(
                        "rows",
                        JsonRows.of(drafts, draft -> EventColumns.of(draft).document()))
                .execute();
        drafts.forEach(PostgresEventStore::log);
    }

    @Override
    public List<Event> ofRun(RunId runId) {
        return handle.createQuery(OF_RUN)
                .bind("run_id", runId.value())
                .map((rows, context) -> read(rows))
                .list();
    }

    private static Event read(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        String partitionId = fields.textOrNull("partition_id");
        return new Event(
                fields.number("sequence"),
                fields.instant("at"),
                new RunId(fields.uuid("run_id")),
                partitionId == null ? null : new PartitionId(partitionId),
                fields.text("name"),
                Json.parse(fields.text("details")));
    }

    static void log(EventDraft draft) {
        LOG.atDebug()
                .addKeyValue("runId", draft.runId())
                .addKeyValue("partitionId", draft.partitionId())
                .addKeyValue("event", draft.name())
                .log("The ledger changed");
    }
}
