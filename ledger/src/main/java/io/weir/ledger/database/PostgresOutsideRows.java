package io.weir.ledger.database;

import io.weir.core.json.Json;
import io.weir.core.metric.Stage;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.PartitionId;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.outside.OutsideChunk;
import io.weir.ledger.outside.OutsideDispatch;
import io.weir.ledger.outside.OutsideEvent;
import io.weir.ledger.outside.OutsideMetric;
import io.weir.ledger.outside.OutsidePartition;
import io.weir.ledger.outside.OutsideRun;
import io.weir.ledger.sql.Columns;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/** Reads and writes the rows of outside runs. */
final class PostgresOutsideRows {
    private PostgresOutsideRows() {}

    static OutsideRun run(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new OutsideRun(
                new RunId(fields.uuid("id")),
                fields.text("job"),
                fields.text("business_key"),
                fields.constant("state", RunState.class),
                fields.number("version"),
                fields.textOrNull("idempotency_key"),
                fields.text("fingerprint"),
                fields.text("run_path"),
                fields.text("stage_table"),
                fields.truth("allow_empty"),
                fields.text("parameters"),
                fields.textOrNull("manifest_digest"),
                fields.textOrNull("snapshot"),
                fields.numberOrNull("source_count"),
                fields.numberOrNull("source_null_split_count"),
                fields.textOrNull("source_min_split"),
                fields.textOrNull("source_max_split"),
                fields.count("partition_count"),
                fields.count("succeeded_partitions"),
                fields.count("failed_partitions"),
                fields.number("extracted_rows"),
                fields.numberOrNull("staging_count"),
                fields.numberOrNull("target_count"),
                fields.textOrNull("validator_digest"),
                fields.textOrNull("publish_token_digest"),
                fields.failureOrNull(),
                fields.instant("created_at"),
                fields.instant("heartbeat_at"),
                fields.instant("deadline"),
                fields.instantOrNull("extracted_at"),
                fields.instantOrNull("publish_started_at"),
                fields.instantOrNull("published_at"),
                fields.instantOrNull("ended_at"),
                fields.instantOrNull("cleaned_at"));
    }

    static OutsidePartition partition(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new OutsidePartition(
                new RunId(fields.uuid("run_id")),
                new PartitionId(fields.text("id")),
                fields.count("ordinal"),
                fields.textOrNull("lower_bound"),
                fields.textOrNull("upper_bound"),
                fields.truth("upper_inclusive"),
                fields.truth("is_null"),
                fields.constant("state", PartitionState.class),
                fields.number("version"),
                fields.number("epoch"),
                fields.textOrNull("token_digest"),
                fields.textOrNull("worker"),
                fields.number("lease_ms"),
                fields.number("expected_rows"),
                fields.number("rows"),
                fields.number("bytes"),
                fields.count("chunk_count"),
                fields.failureOrNull(),
                fields.instantOrNull("started_at"),
                fields.instantOrNull("lease_until"),
                fields.instantOrNull("ended_at"));
    }

    static OutsideChunk chunk(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new OutsideChunk(
                new RunId(fields.uuid("run_id")),
                new PartitionId(fields.text("partition_id")),
                fields.number("epoch"),
                fields.count("chunk_index"),
                fields.count("chunk_total"),
                fields.textOrNull("fragment"),
                fields.text("path"),
                fields.number("rows"),
                fields.numberOrNull("bytes"),
                fields.constant("state", OutsideChunk.State.class));
    }

    static OutsideMetric metric(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new OutsideMetric(
                fields.constant("stage", Stage.class),
                fields.text("name"),
                fields.text("query_version"),
                fields.textOrNull("expected"),
                fields.textOrNull("actual"),
                fields.textOrNull("tolerance"),
                fields.text("result"),
                fields.text("verdict"),
                fields.text("details"));
    }

    static Columns columns(RunId runId, OutsideMetric metric, Instant measuredAt) {
        return new Columns()
                .set("run_id", runId.value())
                .set("stage", metric.stage().name())
                .set("name", metric.name())
                .set("query_version", metric.queryVersion())
                .set("expected", metric.expected())
                .set("actual", metric.actual())
                .set("tolerance", metric.tolerance())
                .set("result", metric.result())
                .set("verdict", metric.verdict())
                .set("details", Json.parse(metric.details()))
                .set("measured_at", measuredAt);
    }

    static OutsideDispatch dispatch(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        String partition = fields.textOrNull("partition_id");
        Long status = fields.numberOrNull("http_status");
        return new OutsideDispatch(
                fields.uuid("id"),
                new RunId(fields.uuid("run_id")),
                fields.constant("kind", OutsideDispatch.Kind.class),
                partition == null ? null : new PartitionId(partition),
                fields.count("cycle"),
                fields.constant("state", DispatchState.class),
                fields.count("attempts"),
                fields.instant("created_at"),
                fields.instant("due_at"),
                fields.instantOrNull("sent_at"),
                fields.instantOrNull("acknowledged_at"),
                status == null ? null : (Integer) Math.toIntExact(status),
                fields.textOrNull("last_error"));
    }

    static OutsideEvent event(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        String partition = fields.textOrNull("partition_id");
        return new OutsideEvent(
                fields.number("sequence"),
                fields.instant("at"),
                new RunId(fields.uuid("run_id")),
                partition == null ? null : new PartitionId(partition),
                fields.text("level"),
                fields.text("name"),
                fields.text("message"),
                fields.text("details"));
    }
}
