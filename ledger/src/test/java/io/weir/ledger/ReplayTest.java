package io.weir.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.core.ledger.FileMeasure;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.Progress;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.metric.Stage;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.Failure;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.event.EventFold;
import io.weir.ledger.sql.Columns;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Goal: no column ever changes without an event. Method: fold the events, ask PostgreSQL. */
class ReplayTest {
    private static final String ROWS = """
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
            union all
            select 'target/' || name, to_jsonb(r)::text
            from weir.target r where name = (select target from weir.run where id = :id)
            """;

    private final Ledger ledger = TestBooks.ledger();

    @Test
    void eventsOfASuccessfulRunFoldToItsRows() {
        RunScript script = RunScript.extracting(3);
        WorkOrder lost = script.claim();
        ledger.heartbeat(lost.claim(), new Progress(3, 30));
        ledger.reportChunks(lost.claim(), List.of(RunScript.chunk(0, 4, false)));
        TestBooks.endLease("partition", "run_id", script.id.value());
        for (int i = 0; i < 3; i++) {
            script.complete(script.claim());
        }
        ledger.heartbeatRun(script.id);
        UUID dispatch = ledger.detail(script.id).dispatches().get(0).id();
        ledger.startValidation(script.id, dispatch, "auditor");
        ledger.openAttempt(script.id, 99, UUID.randomUUID());
        script.stage();
        List<FileMeasure> tampered = new ArrayList<>(script.measuredFiles());
        tampered.set(0, new FileMeasure(tampered.get(0).path(), RunScript.balance(3)));
        ledger.recordFiles(script.id, tampered);
        script.pass();
        PublishAttempt open = ledger.claimPublish(script.attempt());
        PublishAttempt renewed = ledger.renewAttempt(open, 101, UUID.randomUUID());
        ledger.recordStaged(renewed, 201);
        ledger.publishResult(renewed, PublishOutcome.UNKNOWN, null, "no reply");
        ledger.publishResult(renewed, PublishOutcome.PUBLISHED, 301L, "seen");
        ledger.recordMetrics(script.id, Stage.TARGET, script.measures());
        ledger.succeed(script.id);

        assertThat(script.run().state()).isEqualTo(RunState.SUCCESS);
        assertReplays(script.id, 29);
    }

    @Test
    void eventsOfFailedRunsFoldToTheirRows() {
        RunScript invalid = RunScript.created();
        try {
            ledger.registerManifest(invalid.id, RunScript.manifest(1, 9, 10L));
        } catch (WeirException e) {
            assertThat(e.code().name()).isEqualTo("MANIFEST_INVALID");
        }
        assertReplays(invalid.id, 1);

        RunScript failed = RunScript.extracting(3);
        failed.claim();
        ledger.failPartition(failed.claim().claim(), new Failure("EXTRACT", "X", "x"));
        assertReplays(failed.id, 7);

        RunScript abandoned = RunScript.validated(2);
        ledger.claimPublish(abandoned.attempt());
        TestBooks.endLease("run", "id", abandoned.id.value());
        RunsTest.assertCode(
                        () -> ledger.createRun(RunsTest.withKey(
                                abandoned.request, UUID.randomUUID().toString())),
                        ErrorCode.RUN_UNSETTLED)
                .isNotEmpty();
        assertReplays(abandoned.id, 16);
    }

    private void assertReplays(RunId id, int rows) {
        Map<String, Map<String, String>> folded = new TreeMap<>();
        EventFold.fold(ledger.events(id)).forEach((name, row) -> folded.put(name, comparable(row)));

        assertThat(folded).isEqualTo(rows(id)).hasSize(rows);
    }

    private static Map<String, Map<String, String>> rows(RunId id) {
        Map<String, Map<String, String>> rows = new TreeMap<>();
        TestBooks.jdbi()
                .useHandle(handle -> handle.createQuery(ROWS)
                        .bind("id", id.value())
                        .mapToMap()
                        .forEach(
                                row -> rows.put(String.valueOf(row.get("name")), comparable(row))));
        return rows;
    }

    private static Map<String, String> comparable(Map<String, Object> row) {
        return comparable((ObjectNode) Json.parse(String.valueOf(row.get("document"))));
    }

    /** Values as text in one form, nulls and signs of life left out. */
    private static Map<String, String> comparable(ObjectNode row) {
        Map<String, String> fields = new TreeMap<>();
        row.fieldNames().forEachRemaining(name -> {
            JsonNode value = row.get(name);
            if (!value.isNull() && !Columns.SIGNS_OF_LIFE.contains(name)) {
                fields.put(name, comparable(name, value));
            }
        });
        return fields;
    }

    private static String comparable(String name, JsonNode value) {
        if (name.endsWith("_at")) {
            try {
                return OffsetDateTime.parse(value.asText()).toInstant().toString();
            } catch (DateTimeParseException e) {
                return value.asText();
            }
        }
        if (name.endsWith("digest_sum")) {
            return new BigDecimal(value.asText()).toBigInteger().toString();
        }
        return value.isTextual() ? value.asText() : value.toString();
    }
}
