package io.weir.ledger.database;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.ledger.outside.Actor;
import io.weir.ledger.outside.OutsideBooks;
import io.weir.ledger.outside.OutsideChunk;
import io.weir.ledger.outside.OutsideDispatch;
import io.weir.ledger.outside.OutsideEvent;
import io.weir.ledger.outside.OutsideMetric;
import io.weir.ledger.outside.OutsidePartition;
import io.weir.ledger.outside.OutsideRun;
import io.weir.ledger.outside.RunQuery;
import io.weir.ledger.sql.Columns;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Rows of outside runs; the statements are in {@link PostgresOutsideSql}. */
final class PostgresOutsideBooks implements OutsideBooks {
    private final Handle handle;

    PostgresOutsideBooks(Handle handle) {
        this.handle = handle;
    }

    @Override
    public Instant now() {
        return handle.createQuery(PostgresOutsideSql.NOW)
                .map((rows, context) -> new Fields(rows).instant("now"))
                .one();
    }

    @Override
    public UUID newId() {
        return handle.createQuery(PostgresOutsideSql.NEW_ID).mapTo(UUID.class).one();
    }

    @Override
    public Optional<OutsideRun> insertRun(Columns row) {
        return handle.createQuery(PostgresOutsideSql.insert("outside_run", row)
                        + " on conflict do nothing returning *")
                .bindMap(row.bindings())
                .map((rows, context) -> PostgresOutsideRows.run(rows))
                .findOne();
    }

    @Override
    public Optional<OutsideRun> findRun(RunId id) {
        return run(PostgresOutsideSql.FIND_RUN, id);
    }

    @Override
    public Optional<OutsideRun> lockRun(RunId id) {
        return run(PostgresOutsideSql.LOCK_RUN, id);
    }

    @Override
    public Optional<OutsideRun> lockRunIfFree(RunId id) {
        return run(PostgresOutsideSql.LOCK_RUN_IF_FREE, id);
    }

    private Optional<OutsideRun> run(String sql, RunId id) {
        return handle.createQuery(sql)
                .bind("id", id.value())
                .map((rows, context) -> PostgresOutsideRows.run(rows))
                .findOne();
    }

    @Override
    public Optional<OutsideRun> runOfKey(String idempotencyKey) {
        return handle.createQuery(PostgresOutsideSql.RUN_OF_KEY)
                .bind("key", idempotencyKey)
                .map((rows, context) -> PostgresOutsideRows.run(rows))
                .findOne();
    }

    @Override
    public Optional<OutsideRun> activeRun(String job, String businessKey) {
        return handle.createQuery(PostgresOutsideSql.ACTIVE_RUN)
                .bind("job", job)
                .bind("business_key", businessKey)
                .map((rows, context) -> PostgresOutsideRows.run(rows))
                .findOne();
    }

    @Override
    public List<OutsideRun> runs(RunQuery query) {
        return runs(handle.createQuery(PostgresOutsideSql.NEWEST_RUNS)
                .bind("job", query.job())
                .bind("business_key", query.businessKey())
                .bind("state", query.state() == null ? null : query.state().name())
                .bind("most", query.limit()));
    }

    private static List<OutsideRun> runs(Query query) {
        return query.map((rows, context) -> PostgresOutsideRows.run(rows)).list();
    }

    @Override
    public List<RunId> activeRuns(int most) {
        return handle
                .createQuery(PostgresOutsideSql.ACTIVE_RUNS)
                .bind("most", most)
                .mapTo(UUID.class)
                .list()
                .stream()
                .map(RunId::new)
                .toList();
    }

    @Override
    public List<OutsideRun> cleanable(
            @Nullable String job, Instant succeeded, Instant failed, int most) {
        return runs(handle.createQuery(PostgresOutsideSql.CLEANABLE)
                .bind("job", job)
                .bind("succeeded", succeeded.atOffset(ZoneOffset.UTC))
                .bind("failed", failed.atOffset(ZoneOffset.UTC))
                .bind("most", most));
    }

    @Override
    public OutsideRun changeRun(OutsideRun before, Columns changes) {
        return handle.createQuery(PostgresOutsideSql.update("outside_run", changes)
                        + ", version = version + 1 where id = :key_id and version = :key_version"
                        + " returning *")
                .bindMap(changes.bindings())
                .bind("key_id", before.id().value())
                .bind("key_version", before.version())
                .map((rows, context) -> PostgresOutsideRows.run(rows))
                .findOne()
                .orElseThrow(() -> moved("outside run " + before.id()));
    }

    @Override
    public void insertPartitions(List<Columns> rows) {
        handle.createUpdate(PostgresOutsideSql.INSERT_PARTITIONS)
                .bind("rows", JsonRows.of(rows, Columns::document))
                .execute();
    }

    @Override
    public Optional<OutsidePartition> lockPartition(RunId runId, PartitionId id) {
        return handle.createQuery(PostgresOutsideSql.LOCK_PARTITION)
                .bind("run_id", runId.value())
                .bind("id", id.value())
                .map((rows, context) -> PostgresOutsideRows.partition(rows))
                .findOne();
    }

    @Override
    public List<OutsidePartition> partitions(RunId runId) {
        return partitions(ofRun(PostgresOutsideSql.PARTITIONS, runId));
    }

    @Override
    public List<OutsidePartition> lockLostPartitions(RunId runId, Instant now) {
        return partitions(ofRun(PostgresOutsideSql.LOCK_LOST_PARTITIONS, runId)
                .bind("now", now.atOffset(ZoneOffset.UTC)));
    }

    private static List<OutsidePartition> partitions(Query query) {
        return query.map((rows, context) -> PostgresOutsideRows.partition(rows)).list();
    }

    private Query ofRun(String sql, RunId runId) {
        return handle.createQuery(sql).bind("run_id", runId.value());
    }

    @Override
    public List<OutsidePartition> closePartitions(RunId runId, Instant at) {
        return partitions(ofRun(PostgresOutsideSql.CLOSE_PARTITIONS, runId)
                .bind("at", at.atOffset(ZoneOffset.UTC)));
    }

    @Override
    public OutsidePartition changePartition(OutsidePartition before, Columns changes) {
        return handle.createQuery(PostgresOutsideSql.update("outside_partition", changes)
                        + ", version = version + 1 where run_id = :key_run and id = :key_id"
                        + " and version = :key_version returning *")
                .bindMap(changes.bindings())
                .bind("key_run", before.runId().value())
                .bind("key_id", before.id().value())
                .bind("key_version", before.version())
                .map((rows, context) -> PostgresOutsideRows.partition(rows))
                .findOne()
                .orElseThrow(() -> moved("partition " + before.id() + " of run " + before.runId()));
    }

    @Override
    public List<OutsideChunk> chunks(RunId runId, PartitionId id, long epoch) {
        return ofRun(PostgresOutsideSql.CHUNKS, runId)
                .bind("partition_id", id.value())
                .bind("epoch", epoch)
                .map((rows, context) -> PostgresOutsideRows.chunk(rows))
                .list();
    }

    @Override
    public List<OutsideChunk> countedChunks(RunId runId) {
        return ofRun(PostgresOutsideSql.COUNTED_CHUNKS, runId)
                .map((rows, context) -> PostgresOutsideRows.chunk(rows))
                .list();
    }

    @Override
    public void insertChunk(OutsideChunk chunk, Instant writtenAt) {
        Columns row = new Columns()
                .set("run_id", chunk.runId().value())
                .set("partition_id", chunk.partitionId().value())
                .set("epoch", chunk.epoch())
                .set("chunk_index", chunk.index())
                .set("chunk_total", chunk.total())
                .set("fragment", chunk.fragment())
                .set("path", chunk.path())
                .set("rows", chunk.rows())
                .set("bytes", chunk.bytes())
                .set("state", chunk.state().name())
                .set("written_at", writtenAt);
        handle.createUpdate(PostgresOutsideSql.insert("outside_chunk", row))
                .bindMap(row.bindings())
                .execute();
    }

    @Override
    public void failChunks(RunId runId, PartitionId id) {
        handle.createUpdate(PostgresOutsideSql.FAIL_CHUNKS)
                .bind("run_id", runId.value())
                .bind("partition_id", id.value())
                .execute();
    }

    @Override
    public void upsertMetrics(RunId runId, List<OutsideMetric> metrics, Instant measuredAt) {
        handle.createUpdate(PostgresOutsideSql.UPSERT_METRICS)
                .bind(
                        "rows",
                        JsonRows.of(
                                metrics,
                                metric -> PostgresOutsideRows.columns(runId, metric, measuredAt)
                                        .document()))
                .execute();
    }

    @Override
    public List<OutsideMetric> metrics(RunId runId) {
        return ofRun(PostgresOutsideSql.METRICS, runId)
                .map((rows, context) -> PostgresOutsideRows.metric(rows))
                .list();
    }

    @Override
    public void insertDispatch(Columns row) {
        handle.createUpdate(PostgresOutsideSql.insert("outside_dispatch", row))
                .bindMap(row.bindings())
                .execute();
    }

    @Override
    public Optional<OutsideDispatch> lockDispatch(RunId runId, UUID id) {
        return ofRun(PostgresOutsideSql.LOCK_DISPATCH, runId)
                .bind("id", id)
                .map((rows, context) -> PostgresOutsideRows.dispatch(rows))
                .findOne();
    }

    @Override
    public List<OutsideDispatch> dispatches(RunId runId) {
        return dispatches(ofRun(PostgresOutsideSql.DISPATCHES, runId));
    }

    @Override
    public List<OutsideDispatch> lockUnsettledDispatches(RunId runId) {
        return dispatches(ofRun(PostgresOutsideSql.LOCK_UNSETTLED, runId));
    }

    @Override
    public List<OutsideDispatch> lockDueDispatches(
            Instant now, Set<OutsideDispatch.Kind> kinds, int most) {
        return dispatches(handle.createQuery(PostgresOutsideSql.LOCK_DUE)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("kinds", kinds.stream().map(Enum::name).collect(Collectors.joining(",")))
                .bind("most", most));
    }

    private static List<OutsideDispatch> dispatches(Query query) {
        return query.map((rows, context) -> PostgresOutsideRows.dispatch(rows)).list();
    }

    @Override
    public OutsideDispatch changeDispatch(OutsideDispatch before, Columns changes) {
        return handle.createQuery(PostgresOutsideSql.update("outside_dispatch", changes)
                        + " where id = :key_id and state = :key_state and attempts = :key_attempts"
                        + " returning *")
                .bindMap(changes.bindings())
                .bind("key_id", before.id())
                .bind("key_state", before.state().name())
                .bind("key_attempts", before.attempts())
                .map((rows, context) -> PostgresOutsideRows.dispatch(rows))
                .findOne()
                .orElseThrow(() -> moved("dispatch " + before.id()));
    }

    @Override
    public void insertEvent(Columns row) {
        handle.createUpdate(PostgresOutsideSql.insert("outside_event", row))
                .bindMap(row.bindings())
                .execute();
    }

    @Override
    public List<OutsideEvent> events(RunId runId, int most) {
        return ofRun(PostgresOutsideSql.EVENTS, runId)
                .bind("most", most)
                .map((rows, context) -> PostgresOutsideRows.event(rows))
                .list();
    }

    @Override
    public List<OutsideEvent> failedCleanups(Instant since) {
        return handle.createQuery(PostgresOutsideSql.FAILED_CLEANUPS)
                .bind("since", since.atOffset(ZoneOffset.UTC))
                .map((rows, context) -> PostgresOutsideRows.event(rows))
                .list();
    }

    @Override
    public void appendAudit(
            String subject, Actor actor, String action, @Nullable String reason, String details) {
        PostgresAudit.append(handle, subject, actor, action, reason, Json.parse(details));
    }

    @Override
    public Map<String, Long> dispatchCounts() {
        return counts(handle.createQuery(PostgresOutsideSql.DISPATCH_COUNTS));
    }

    @Override
    public Map<String, Long> activeCounts() {
        return counts(handle.createQuery(PostgresOutsideSql.ACTIVE_COUNTS));
    }

    private static Map<String, Long> counts(Query query) {
        Map<String, Long> counts = new LinkedHashMap<>();
        query.map((rows, context) -> Map.entry(rows.getString("state"), rows.getLong("count")))
                .forEach(entry -> counts.put(entry.getKey(), entry.getValue()));
        return counts;
    }

    @Override
    public long endedSince(Instant since) {
        return handle.createQuery(PostgresOutsideSql.ENDED_SINCE)
                .bind("since", since.atOffset(ZoneOffset.UTC))
                .mapTo(Long.class)
                .one();
    }

    @Override
    public List<OutsideDispatch> deadDispatches(int most) {
        return dispatches(
                handle.createQuery(PostgresOutsideSql.DEAD_DISPATCHES).bind("most", most));
    }

    @Override
    public List<OutsideRun> failedSince(Instant since, int most) {
        return runs(handle.createQuery(PostgresOutsideSql.FAILED_SINCE)
                .bind("since", since.atOffset(ZoneOffset.UTC))
                .bind("most", most));
    }

    private static WeirException moved(String what) {
        return new WeirException(
                ErrorCode.LEDGER_INVARIANT,
                "Cannot change " + what + ": its row moved although it was locked");
    }
}
